"""Questions to the rules alone: which calls of an instruction are legal, and what is the nearest legal call.

`legal` fixes some attributes of an instruction's operands and asks which values of the others remain
possible under all of its rules at once. `nearest` takes a broken call and looks for the smallest change
of its own numbers, element types and layouts that satisfies every rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from ptolint.ir.model import DYNAMIC, Call, Const, Operand, Ref, Span, TensorType, TileType, Type, Var
from ptolint.rulebook.engine import apply_rule, check_call, check_type
from ptolint.rulebook.facts import Env, TensorFacts, TileFacts, environment
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.model import Form, Rule
from ptolint.rulebook.symbols import ENUMS
from ptolint.targets import DTYPES, TARGETS

LAYOUTS = {
    "ND": ("RowMajor", "NoneBox"),
    "DN": ("ColMajor", "NoneBox"),
    "NZ": ("ColMajor", "RowMajor"),
    "ZN": ("RowMajor", "ColMajor"),
    "ZZ": ("RowMajor", "RowMajor"),
}
SIZES = (1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096)
NUMBERS = ("rows", "cols", "valid_row", "valid_col")
NOWHERE = Span("", 0, 0, 0, 0)
MAX_TRIALS = 20_000


class LegalError(ValueError):
    """A question that makes no sense; the text says which word is unknown."""


@dataclass(frozen=True)
class Answer:
    """What remains legal: per attribute (`dst.dtype`) the values, and one whole example; none where nothing is legal."""

    instruction: str
    target: str
    values: dict[str, tuple[Any, ...]]
    example: dict[str, Any] | None
    broken: tuple[str, ...] = ()  # rules that the fixed attributes break whatever the others are
    forms: tuple[str, ...] = field(default=())


def legal(instruction: str, target: str, given: Mapping[str, Any], rulebook: Rulebook) -> Answer:
    """Which values of the other attributes keep all rules of `instruction` on `target`, given some.

    `given` maps `operand.attribute` (loc, dtype, rows, cols, valid_row, valid_col, layout) or a template parameter
    to a value. Raises `LegalError` for an instruction, operand or attribute that does not exist.
    """
    file = rulebook.file(instruction)
    if file is None or target not in TARGETS:
        raise LegalError(f"no rules for {instruction!r} on {target!r}")
    forms = [f for f in file.forms if f.exists_on(target)]
    _check_words(instruction, given, forms)
    fitting = [f for f in forms if {k.split(".")[0] for k in given} <= {*f.operands, *f.template, *f.optional}]
    values: dict[str, dict[Any, None]] = {}
    example: dict[str, Any] | None = None
    broken: set[str] | None = None
    for form in fitting:
        for candidate, failures in _candidates(instruction, form, target, given, rulebook):
            if failures:
                broken = failures if broken is None else broken & failures
                continue
            broken = set()
            example = example or candidate
            for key, value in candidate.items():
                if key not in given:
                    values.setdefault(key, {})[value] = None
    found = {k: tuple(sorted(v, key=lambda x: (str(type(x)), x))) for k, v in values.items()}
    return Answer(instruction, target, found, example, tuple(sorted(broken or ())), tuple(f.name for f in fitting))


def _check_words(instruction: str, given: Mapping[str, Any], forms: list[Form]) -> None:
    names = {n for f in forms for n in (*f.operands, *f.template, *f.optional)}
    for key in given:
        name, _, attribute = key.partition(".")
        if name not in names:
            raise LegalError(f"{instruction} has no operand or parameter {name!r}, it has {', '.join(sorted(names))}")
        if attribute and attribute not in (*NUMBERS, "loc", "dtype", "layout"):
            raise LegalError(f"unknown attribute {attribute!r} of {name!r}")


# ---------------------------------------------------------------- candidates


@dataclass(frozen=True)
class Shape:
    """One operand's attributes while candidates are made."""

    loc: str
    dtype: str
    layout: str
    rows: int
    cols: int
    valid_row: int
    valid_col: int

    def type(self) -> TileType:
        """The tile type with these attributes; accumulators have fractals of 1024 bytes."""
        blayout, slayout = LAYOUTS[self.layout]
        size = 1024 if self.loc == "Acc" else 512
        return TileType(
            self.loc, self.dtype, self.rows, self.cols, self.valid_row, self.valid_col, blayout, slayout, size
        )


def _candidates(
    instruction: str, form: Form, target: str, given: Mapping[str, Any], rulebook: Rulebook
) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """Calls of one form that agree with `given`, each with the rules that it breaks."""
    tiles = [o for o in form.operands if _is_tile_name(o)]
    shared = [(rows, cols) for rows, cols in ((16, 64), (32, 32), (64, 128), (1, 64), (128, 16), (16, 256), (1, 512))]
    dtypes = [d for d in DTYPES if TARGETS[target].dtype_supported(DTYPES[d])]
    locs = [loc for loc, buffer in TARGETS[target].buffers.items() if buffer.size]
    axes: list[list[dict[str, Any]]] = []
    for tile in tiles:
        axes.append(
            [
                {"loc": loc, "dtype": dtype, "layout": layout}
                for loc in _fixed(given, f"{tile}.loc", locs)
                for dtype in _fixed(given, f"{tile}.dtype", dtypes)
                for layout in _fixed(given, f"{tile}.layout", list(LAYOUTS))
            ]
        )
    rules = rulebook.rules_for(instruction, target)
    parameters = _parameters(form, given)
    for count, choice in enumerate(product(*axes, shared)):
        if count >= MAX_TRIALS:
            return
        *parts, (rows, cols) = choice
        shapes = {
            tile: Shape(
                part["loc"],
                part["dtype"],
                part["layout"],
                *(given.get(f"{tile}.{n}", rows if "row" in n else cols) for n in NUMBERS),
            )
            for tile, part in zip(tiles, parts, strict=True)
        }
        env = _environment(target, form, shapes, parameters)
        failures = {r.id for r in rules if _breaks(r, env)}
        failures |= {
            o.rule_id for s in shapes.values() for o in check_type(s.type(), target, rulebook) if o.verdict is False
        }
        yield _flat(shapes, parameters), failures


def _is_tile_name(name: str) -> bool:
    return not any(word in name for word in ("index", "scalar", "stride", "addr", "event"))


def _fixed(given: Mapping[str, Any], key: str, values: list[str]) -> list[str]:
    return [given[key]] if key in given else values


def _parameters(form: Form, given: Mapping[str, Any]) -> dict[str, Any]:
    enums = {"relu_mode": "NoRelu", "mode": "SingleModeVec0", "atomic": "AtomicNone"}
    return {n: given.get(n, enums.get(n, 0)) for n in (*form.template, *form.optional) if n in given or n in form.template}


def _environment(target: str, form: Form, shapes: Mapping[str, Shape], parameters: Mapping[str, Any]) -> Env:
    env = Env(target, form.name)
    env.update(parameters)
    for name in form.operands:
        if name in shapes:
            env[name], env.types[name] = TileFacts(shapes[name].type()), shapes[name].type()
        else:
            env[name] = 0
    return env


def _breaks(rule: Rule, env: Env) -> bool:
    try:
        outcome = apply_rule(rule, env)
    except Exception:  # the rule speaks of something that a bare question does not have
        return False
    return outcome is not None and outcome.verdict is False


def _flat(shapes: Mapping[str, Shape], parameters: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = dict(parameters)
    for name, shape in shapes.items():
        for attribute in ("loc", "dtype", "layout", *NUMBERS):
            flat[f"{name}.{attribute}"] = getattr(shape, attribute)
    return flat


# ---------------------------------------------------------------- repair


@dataclass(frozen=True)
class Change:
    """One attribute of a call, before and after."""

    attribute: str
    before: Any
    after: Any

    def text(self) -> str:
        """The change as a hint says it."""
        return f"{self.attribute} {self.before} → {self.after}"


def nearest(call: Call, target: str, rulebook: Rulebook, most: int = 3) -> list[Change]:
    """Single changes that make a statically broken call legal, the smallest first; none where one is not enough."""
    found: list[tuple[tuple[int, int], Change]] = []
    for operand in call.operands:
        for changed, change, cost in _variants(operand, target):
            trial = replace(call, operands=tuple(changed if o is operand else o for o in call.operands))
            if _is_legal(trial, changed.type, target, rulebook):
                found.append((cost, change))
    best: dict[str, tuple[tuple[int, int], Change]] = {}
    for cost, change in found:
        if change.attribute not in best or cost < best[change.attribute][0]:
            best[change.attribute] = (cost, change)
    return [change for _, change in sorted(best.values(), key=lambda item: (item[0], item[1].attribute))[:most]]


def _is_legal(call: Call, changed: Type, target: str, rulebook: Rulebook) -> bool:
    outcomes = [*check_call(call, target, rulebook), *check_type(changed, target, rulebook)]
    return not any(o.verdict is False for o in outcomes)


def _variants(operand: Operand, target: str) -> Iterator[tuple[Operand, Change, tuple[int, int]]]:
    """The operand with one thing changed; the cost ranks kinds of change, then their size."""
    type_ = operand.type
    if isinstance(type_, TileType):
        for attribute, value, cost in _tile_changes(type_, target):
            new = replace(type_, **{attribute: value})
            if attribute in ("rows", "cols"):
                valid = "valid_row" if attribute == "rows" else "valid_col"
                if getattr(type_, valid) not in (DYNAMIC,) and getattr(type_, valid) == getattr(type_, attribute):
                    new = replace(new, **{valid: value})
            yield _with_type(operand, new), Change(f"{operand.name}.{attribute}", getattr(type_, attribute), value), cost
    elif isinstance(operand.value, Const) and isinstance(operand.value.value, int):
        before = operand.value.value
        for value in _near(before):
            changed = replace(operand, value=Const(value, operand.value.type))
            yield changed, Change(operand.name, before, value), (0, abs(value - before))


def _with_type(operand: Operand, type_: TileType) -> Operand:
    value = operand.value
    if isinstance(value, Ref):
        value = Ref(replace(value.var, type=type_))
    else:
        value = Ref(Var(-1, operand.name, type_, NOWHERE))
    return replace(operand, type=type_, value=value)


def _tile_changes(type_: TileType, target: str) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    for attribute in NUMBERS:
        before = getattr(type_, attribute)
        if before != DYNAMIC:
            for value in _near(before):
                if value > 0:
                    yield attribute, value, (1, abs(value - before))
    for dtype, known in DTYPES.items():
        if dtype != type_.dtype and TARGETS[target].dtype_supported(known):
            yield "dtype", dtype, (2, abs(known.bits - DTYPES[type_.dtype].bits) if type_.dtype in DTYPES else 0)
    for loc, buffer in TARGETS[target].buffers.items():
        if loc != type_.loc and buffer.size:
            yield "loc", loc, (3, 0)


def _near(value: int) -> list[int]:
    around = {value // m * m for m in (2, 8, 16, 32, 64)} | {-(-value // m) * m for m in (2, 8, 16, 32, 64)}
    around |= {value - 1, value + 1, value // 2, value * 2, *SIZES}
    return sorted((v for v in around if v != value and v >= 0), key=lambda v: (abs(v - value), v))


def describe(changes: Iterable[Change]) -> str:
    """`legal with dst.cols 2048 → 1024, or with dtype half → float`; empty for no changes."""
    texts = [c.text() for c in changes]
    return f"legal with {', or with '.join(texts)}" if texts else ""


__all__ = ["ENUMS", "Answer", "Change", "LegalError", "TensorFacts", "TensorType", "describe", "environment", "legal", "nearest"]
