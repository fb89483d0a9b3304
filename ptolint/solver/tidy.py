"""Conditions in the form in which people write them: choices resolved, what follows from the rest left out."""

from __future__ import annotations

from ptolint.solver import terms as t
from ptolint.solver.ranges import NOTHING, Facts, decide, simplify
from ptolint.solver.rewrite import conjuncts
from ptolint.solver.terms import Term, Truth, linear_parts

MAX_DEPTH = 5
MAX_CONJUNCTS = 24


def tidy(cond: Truth) -> Truth:
    """An equivalent of `cond` without choices that only a conversion or a clamp made."""
    return without_implied(_expand(cond, NOTHING, 0))


def _expand(cond: Truth, facts: Facts, depth: int) -> Truth:
    if not isinstance(cond, Term) or depth > MAX_DEPTH:
        return cond
    known = decide(cond, facts)
    if known is not None:
        return known
    if cond.op in ("and", "or"):
        parts = (_expand(c, facts, depth + 1) for c in cond.args)
        return t.and_(*parts) if cond.op == "and" else t.or_(*parts)
    if cond.op == "not":
        return t.not_(_expand(cond.args[0], facts, depth + 1))
    if cond.op in ("le0", "eq0"):
        return _resolved(cond, facts, depth)
    return cond


def _resolved(cond: Term, facts: Facts, depth: int) -> Truth:
    """A comparison of a choice as a choice of comparisons, where that decides one of them."""
    x = simplify(cond.args[0], facts)
    const, items = linear_parts(t.as_int(x))
    for atom, factor in items:
        if atom.op not in ("ite", "min", "max"):
            continue
        chosen, then, other = choice_of(atom)
        rest = t.sub(t.linear(const, dict(items)), t.mul(factor, atom))
        ways = []
        for given, value in ((chosen, then), (t.not_(chosen), other)):
            inner = facts.learn(given)
            compared = t.compare_zero(t.add(rest, t.mul(factor, value)), "le" if cond.op == "le0" else "eq")
            ways.append((given, False if inner is None else _expand(compared, inner, depth + 1)))
        if any(not isinstance(c, Term) for _, c in ways):
            return t.or_(*(t.and_(given, c) for given, c in ways))
    return t.compare_zero(t.as_int(x), "le" if cond.op == "le0" else "eq")


def choice_of(atom: Term) -> tuple[Truth, t.Num, t.Num]:
    """A choice, a minimum or a maximum as a condition and the values with and without it."""
    if atom.op == "ite":
        return atom.args[0], atom.args[1], atom.args[2]
    a, b = atom.args
    return t.le(a, b) if atom.op == "min" else t.le(b, a), a, b


def without_implied(cond: Truth) -> Truth:
    """A conjunction without the parts that follow from the others; others simplified by what is left."""
    if isinstance(cond, Term) and cond.op == "or":
        return _without_covered(list(cond.args))
    parts = conjuncts(cond)
    if len(parts) > MAX_CONJUNCTS:
        return cond
    parts = [_without_covered(list(p.args)) if isinstance(p, Term) and p.op == "or" else p for p in parts]
    for i in reversed(range(len(parts))):
        facts = _facts(parts[:i] + parts[i + 1 :])
        if facts is None:
            return False
        known = decide(parts[i], facts)
        if known is False:
            return False
        if known is True:
            del parts[i]
        else:
            parts[i] = t.as_truth(simplify(parts[i], facts))
    return t.and_(*parts)


def _without_covered(parts: list[Truth]) -> Truth:
    """A disjunction without the parts that imply another one; True where the parts leave nothing out."""
    for i in reversed(range(len(parts))):
        facts = NOTHING.learn(parts[i])
        if facts is None or any(decide(p, facts) is True for j, p in enumerate(parts) if j != i):
            del parts[i]
    if len(parts) > 1:
        rest = _facts([t.not_(p) for p in parts[:-1]])
        if rest is None or decide(parts[-1], rest) is True:
            return True
    return t.or_(*parts)


def _facts(parts: list[Truth]) -> Facts | None:
    facts: Facts | None = NOTHING
    for part in parts:
        facts = facts.learn(part) if facts is not None else None
    return facts
