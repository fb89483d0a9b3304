"""The state of a walk: values of variables, and the path that led here."""

from __future__ import annotations

from collections.abc import Iterator

from ptolint.solver import terms as t
from ptolint.solver.ranges import NOTHING, Facts, decide, simplify
from ptolint.solver.terms import Term, Truth
from ptolint.solver.values import Alias, Choice, Place, Value, either, get, merge, put


class Path:
    """What holds here, newest first. `kind`: "guard" (the code asked), "fact" (true of every execution, such as
    the range of a block index), "overflow" (a signed result that fits its type, which is taken for granted) or
    "exit" (how a loop ended; `own` are symbols that exist for every terminating run, so the condition says
    nothing where they do not matter)."""

    __slots__ = ("cond", "depth", "facts", "kind", "own", "parent")

    def __init__(self, parent: Path | None, cond: Truth, kind: str, own: frozenset[Term], facts: Facts) -> None:
        self.parent = parent
        self.cond = cond
        self.kind = kind
        self.own = own
        self.facts = facts
        self.depth: int = 0 if parent is None else parent.depth + 1

    def nodes(self, down_to: Path | None = None) -> Iterator[Path]:
        """The conditions from here back to (without) `down_to`."""
        node: Path | None = self
        while node is not None and node is not down_to:
            yield node
            node = node.parent


ROOT = Path(None, True, "fact", frozenset(), NOTHING)


class State:
    """Variables and path; mutable, `fork` before going two ways."""

    __slots__ = ("env", "path")

    def __init__(self, env: dict[int, Value], path: Path) -> None:
        self.env = env
        self.path = path

    def fork(self) -> State:
        """A copy that can be changed on its own."""
        return State(dict(self.env), self.path)

    @property
    def facts(self) -> Facts:
        return self.path.facts

    def assume(self, cond: Truth, kind: str = "guard", own: frozenset[Term] = frozenset()) -> bool:
        """Go on only where `cond` holds; False where it cannot."""
        known = decide(cond, self.facts)
        if known is False:
            return False
        if known is True and kind != "guard":
            return True
        if not isinstance(cond, Term):
            return bool(cond)
        facts = self.facts.learn(cond) if known is None else self.facts
        if facts is None:
            return False
        self.path = Path(self.path, cond, kind, own, facts)
        return True

    def truth(self, cond: Truth) -> Truth:
        """`cond`, or its value where the path decides it."""
        known = decide(cond, self.facts)
        return cond if known is None else known

    # ------------------------------------------------------------ places

    def resolve(self, place: Place) -> Place:
        """The place behind references."""
        while not isinstance(place, Choice) and isinstance(alias := self.env.get(place.var), Alias):
            place = alias.place.into(place.path)
        if isinstance(place, Choice):
            return either(place.cond, self.resolve(place.then), self.resolve(place.other))
        return place

    def read(self, place: Place) -> Value:
        """The value at `place`; None where the variable is not known."""
        place = self.resolve(place)
        if isinstance(place, Choice):
            then, other = self.read(place.then), self.read(place.other)
            return None if then is None or other is None else merge(place.cond, then, other)
        if place.var not in self.env:
            return None
        return get(self.env[place.var], place.path)

    def write(self, place: Place, value: Value) -> None:
        """Put `value` at `place`."""
        place = self.resolve(place)
        if isinstance(place, Choice):
            self.write(place.then, merge(place.cond, value, self.read(place.then)))
            self.write(place.other, merge(place.cond, self.read(place.other), value))
        elif place.var in self.env or not place.path:
            self.env[place.var] = put(self.env.get(place.var), place.path, value)


def join(states: list[State]) -> State | None:
    """One state for several that exclude each other; None for none."""
    if len(states) < 2:
        return states[0] if states else None
    base = _ancestor([s.path for s in states])
    conds = [suffix(s.path, base) for s in states]
    result = states[-1].fork()
    for state, cond in zip(reversed(states[:-1]), reversed(conds[:-1]), strict=True):
        result.env = _join_env(cond, state.env, result.env)
    result.path = _join_path(base, [s.path for s in states], conds)
    return result


def _join_env(cond: Truth, a: dict[int, Value], b: dict[int, Value]) -> dict[int, Value]:
    return {k: v if v is b[k] else merge(cond, v, b[k]) for k, v in a.items() if k in b}


def _ancestor(paths: list[Path]) -> Path:
    nodes = list(paths)
    while any(n is not nodes[0] for n in nodes):
        deepest = max(n.depth for n in nodes)
        nodes = [n.parent if n.depth == deepest and n.parent is not None else n for n in nodes]
    return nodes[0]


def suffix(path: Path, base: Path) -> Truth:
    """The conjunction of what was asked between `base` and `path`."""
    return t.and_(*(n.cond for n in path.nodes(base) if n.kind in ("guard", "exit")))


def _join_path(base: Path, paths: list[Path], conds: list[Truth]) -> Path:
    """The path after a join: where all ways together cover everything, as if there had been no fork."""
    result = base
    own = frozenset(s for p in paths for n in p.nodes(base) for s in n.own)
    plain = [t.and_(*(n.cond for n in p.nodes(base) if n.kind == "guard")) for p in paths]
    covered = t.or_(*plain)
    if isinstance(covered, Term):
        facts = base.facts.learn(covered)
        result = Path(result, covered, "guard", frozenset(), facts or base.facts)
    for kind in ("exit", "fact", "overflow"):
        parts = [t.and_(*(n.cond for n in p.nodes(base) if n.kind == kind)) for p in paths]
        both = t.and_(*(t.or_(t.not_(g), part) for g, part in zip(plain, parts, strict=True)))
        if isinstance(both, Term):
            facts = result.facts.learn(both)
            result = Path(result, both, kind, own if kind == "exit" else frozenset(), facts or result.facts)
    return result


def settle(value: Value, facts: Facts) -> Value:
    """A number with the choices made that the facts decide."""
    return simplify(value, facts) if isinstance(value, Term) else value


__all__ = ["ROOT", "Path", "Place", "State", "join", "settle", "suffix"]
