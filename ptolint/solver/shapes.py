"""Sets of integers from sampled membership, as short conditions: intervals, remainders, boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ptolint.solver import terms as t
from ptolint.solver.division import floormod
from ptolint.solver.terms import Term, Truth

MAX_RUNS = 7
MAX_PERIOD = 512
MAX_CELLS = 64


@dataclass(frozen=True)
class Piece:
    """The values from `first` to `last` (None: on to the end of the type) whose remainder by `period` is in `kept`."""

    first: int | None
    last: int | None
    period: int
    kept: frozenset[int]

    @property
    def empty(self) -> bool:
        return not self.kept

    @property
    def full(self) -> bool:
        return len(self.kept) == self.period

    def holds(self, value: int) -> bool:
        """Whether a value of the piece is kept."""
        return value % self.period in self.kept


def line(n: Term, legal: dict[int, bool], far: dict[int, bool]) -> Truth | None:
    """The condition over `n` that holds exactly for the sampled legal values.

    `legal` covers a range without gaps, `far` single values outside, which the last piece has to fit.
    """
    values = sorted(legal)
    if not values:
        return None
    pieces = _pieces(values, legal)
    if pieces is None:
        return None
    end = len(pieces) - 1
    cut = [
        Piece(None if i == 0 else p.first, None if i == end else p.last, p.period, p.kept) for i, p in enumerate(pieces)
    ]
    if any(_at(cut, v) != fine for v, fine in far.items()):
        return None
    yes, no = _union(n, cut, True), _union(n, cut, False)
    return yes if weight(yes) <= weight(no) else t.not_(no)


def largest(n: Term, legal: dict[int, bool]) -> Truth:
    """The longest stretch of legal values: a condition that is on the safe side where no exact one was found."""
    values = sorted(legal)
    runs = [r for r in _runs(values, legal) if not r.empty]
    if not runs:
        return False
    best = max(runs, key=lambda r: ((r.last or 0) - (r.first or 0), r.first))
    low = best.first if best.first != n.lo and best.first != values[0] else None
    high = best.last if best.last != n.hi and best.last != values[-1] else None
    return t.and_(*([t.le(low, n)] if low is not None else []), *([t.le(n, high)] if high is not None else []))


def _at(pieces: list[Piece], value: int) -> bool:
    piece = next(p for p in pieces if (p.first is None or p.first <= value) and (p.last is None or value <= p.last))
    return piece.holds(value)


def _pieces(values: list[int], legal: dict[int, bool]) -> list[Piece] | None:
    """The range cut into stretches that are constant or repeat themselves."""
    runs = _runs(values, legal)
    if len(runs) <= 3:
        return runs
    pieces: list[Piece] = []
    at = 0
    while at < len(values):
        piece, size = _longest(values, legal, at)
        pieces.append(piece)
        at += size
        if len(pieces) > MAX_RUNS:
            return runs if len(runs) <= MAX_RUNS else None
    return runs if len(runs) <= len(pieces) else pieces


def _runs(values: list[int], legal: dict[int, bool]) -> list[Piece]:
    runs: list[Piece] = []
    start = values[0]
    for before, value in zip(values, [*values[1:], None], strict=True):
        if value is None or legal[value] != legal[before]:
            runs.append(Piece(start, before, 1, frozenset((0,) if legal[before] else ())))
            start = value if value is not None else start
    return runs


def _longest(values: list[int], legal: dict[int, bool], at: int) -> tuple[Piece, int]:
    """The longest stretch from position `at` with one small period."""
    best: tuple[Piece, int] | None = None
    for period in range(1, MAX_PERIOD + 1):
        if at + period > len(values):
            break
        end = at + period
        while end < len(values) and legal[values[end]] == legal[values[end - period]]:
            end += 1
        size = end - at
        if period > 1 and size < min(2 * period + 1, len(values) - at) and size < 2 * period:
            continue
        if best is None or size > best[1] + 2 * period:
            kept = frozenset(v % period for v in values[at : at + period] if legal[v])
            best = Piece(values[at], values[end - 1], period, kept), size
        if end == len(values):
            break
    assert best is not None
    return best


def _union(n: Term, pieces: list[Piece], wanted: bool) -> Truth:
    """The values of the pieces that are legal (or illegal), bounds left out where they change nothing."""
    parts: list[Truth] = []
    for i, piece in enumerate(pieces):
        kept = piece.kept if wanted else frozenset(range(piece.period)) - piece.kept
        if not kept:
            continue
        remainder = _remainder(n, piece.period, kept)
        neighbours = [pieces[j] for j in (i - 1, i + 1) if 0 <= j < len(pieces)]
        low, high = _tight(piece, kept)
        if (
            len(kept) < piece.period
            and len(pieces) == 2
            and all(_covers(p, piece.period, kept, wanted) for p in neighbours)
        ):
            low = high = None
        bounds: list[Truth] = []
        if low is not None and high is not None and low == high:
            bounds.append(t.eq(n, low))
        else:
            bounds += [t.le(low, n)] if low is not None else []
            bounds += [t.le(n, high)] if high is not None else []
        parts.append(t.and_(*bounds, remainder))
    return t.or_(*parts)


def _tight(piece: Piece, kept: frozenset[int]) -> tuple[int | None, int | None]:
    """The bounds of a piece drawn in to the first and last value that counts."""
    low, high = piece.first, piece.last
    while low is not None and low % piece.period not in kept and (high is None or low < high):
        low += 1
    while high is not None and high % piece.period not in kept and (low is None or low < high):
        high -= 1
    return low, high


def _covers(piece: Piece, period: int, kept: frozenset[int], wanted: bool) -> bool:
    """Whether all values of `piece` with a remainder in `kept` are (il)legal anyway."""
    return piece.period == 1 and (bool(piece.kept) is wanted)


def _remainder(n: Term, period: int, kept: frozenset[int]) -> Truth:
    if len(kept) == period:
        return True
    rest = floormod(n, period)
    inside, outside = _ranges(kept), _ranges(frozenset(range(period)) - kept)
    if len(outside) < len(inside):
        return t.not_(t.or_(*(_between(rest, a, b, period) for a, b in outside)))
    return t.or_(*(_between(rest, a, b, period) for a, b in inside))


def _between(x: t.Num, low: int, high: int, period: int) -> Truth:
    if low == high:
        return t.eq(x, low)
    return t.and_(t.le(low, x) if low > 0 else True, t.le(x, high) if high < period - 1 else True)


def _ranges(values: frozenset[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for v in sorted(values):
        if ranges and ranges[-1][1] == v - 1:
            ranges[-1] = (ranges[-1][0], v)
        else:
            ranges.append((v, v))
    return ranges


def weight(x: Truth) -> int:
    """How long a condition is: the number of its comparisons."""
    if not isinstance(x, Term):
        return 0
    return sum(weight(a) for a in x.args) if x.op in ("and", "or") else 1


# ---------------------------------------------------------------- several dimensions


def boxes(
    parameters: Sequence[Term], sides: list[list[int | bool]], legal: dict[tuple[int | bool, ...], bool]
) -> Truth | None:
    """The condition over several parameters from a grid of samples, as a union of boxes; None for too many."""
    cells: list[list[list[int | bool]]] = []
    for axis, side in enumerate(sides):
        others = list(product(*(s for i, s in enumerate(sides) if i != axis)))
        signature = [tuple(legal[(*o[:axis], v, *o[axis:])] for o in others) for v in side]
        groups: list[list[int | bool]] = []
        for v, sign in zip(side, signature, strict=True):
            if groups and sign == signature[side.index(groups[-1][-1])]:
                groups[-1].append(v)
            else:
                groups.append([v])
        cells.append(groups)
    size = 1
    for groups in cells:
        size *= len(groups)
    if size > MAX_CELLS:
        return None
    spans = [range(len(groups)) for groups in cells]
    truth = {cell: legal[tuple(cells[a][i][0] for a, i in enumerate(cell))] for cell in product(*spans)}
    yes = _box_union(parameters, cells, truth, True)
    no = _box_union(parameters, cells, truth, False)
    return yes if weight(yes) < weight(no) else t.not_(no)


def _box_union(
    parameters: Sequence[Term], cells: list[list[list[int | bool]]], truth: dict[tuple[int, ...], bool], wanted: bool
) -> Truth:
    left = {c for c, v in truth.items() if v is wanted}
    all_ = frozenset(left)
    parts: list[Truth] = []
    while left:
        start = min(left)
        box = [(i, i) for i in start]
        for axis in range(len(box)):
            for step in (-1, 1):
                while (grown := _grown(box, axis, step, len(cells[axis]))) and _inside(grown, all_):
                    box = grown
        left -= set(product(*(range(a, b + 1) for a, b in box)))
        parts.append(t.and_(*(_side(p, cells[i], box[i]) for i, p in enumerate(parameters))))
    return t.or_(*parts)


def _grown(box: list[tuple[int, int]], axis: int, step: int, size: int) -> list[tuple[int, int]] | None:
    low, high = box[axis]
    low, high = (low - 1, high) if step < 0 else (low, high + 1)
    return None if low < 0 or high >= size else [*box[:axis], (low, high), *box[axis + 1 :]]


def _inside(box: list[tuple[int, int]], cells: frozenset[tuple[int, ...]]) -> bool:
    return all(c in cells for c in product(*(range(a, b + 1) for a, b in box)))


def _side(p: Term, groups: list[list[int | bool]], span: tuple[int, int]) -> Truth:
    low, high = span
    if p.is_bool:
        return True if low == 0 and high == len(groups) - 1 else (p if groups[low][0] else t.not_(p))
    parts: list[Truth] = []
    first, last = groups[low][0], groups[high][-1]
    if low > 0 and high < len(groups) - 1 and first == last:
        return t.eq(p, first)
    if low > 0:
        parts.append(t.le(first, p))
    if high < len(groups) - 1:
        parts.append(t.le(p, last))
    return t.and_(*parts)
