"""Questions to the rules alone: which calls of an instruction are legal on a target.

`legal` fixes some attributes of an instruction's operands and asks which values of the others remain
possible under all of its rules at once. Attributes are chosen one after the other; a rule is evaluated
with three-valued logic as soon as it is decided, so that most of the space is never visited.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ptolint.ir.model import TileType
from ptolint.rulebook.engine import apply_rule
from ptolint.rulebook.facts import Env, TileFacts
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.model import Form, Rule
from ptolint.rulebook.symbols import ENUMS
from ptolint.rulebook.values import UNKNOWN
from ptolint.targets import DTYPES, TARGETS

LAYOUTS = {
    "ND": ("RowMajor", "NoneBox"),
    "DN": ("ColMajor", "NoneBox"),
    "NZ": ("ColMajor", "RowMajor"),
    "ZN": ("RowMajor", "ColMajor"),
    "ZZ": ("RowMajor", "RowMajor"),
}
SIZES = (16, 64, 32, 1, 128, 256, 8, 512, 2, 4, 1024)
ATTRIBUTES = ("loc", "layout", "dtype", "rows", "cols", "valid_row", "valid_col")
TILE_WORDS = frozenset((*ATTRIBUTES, "is_row_major", "blayout", "slayout", "bytes", "compact", "pad"))
MAX_NODES = 4000  # of one search


class LegalError(ValueError):
    """A question that makes no sense; the text says which word is unknown."""


@dataclass(frozen=True)
class Answer:
    """What remains legal: per attribute (`dst.dtype`) the values, and one whole example; None where nothing is.

    `broken`: rules that the given attributes break whatever the others are; `forms`: the overloads that were asked.
    """

    instruction: str
    target: str
    values: dict[str, tuple[Any, ...]]
    example: dict[str, Any] | None
    broken: tuple[str, ...] = ()
    forms: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "instruction": self.instruction,
            "target": self.target,
            "legal": self.example is not None,
            "values": {k: list(v) for k, v in self.values.items()},
            "example": self.example,
            "broken": list(self.broken),
            "forms": list(self.forms),
        }

    def lines(self) -> Iterator[str]:
        """The answer as text."""
        if self.example is None:
            rules = f", it breaks {', '.join(self.broken)}" if self.broken else ""
            yield f"no legal {self.instruction} on {self.target}{rules}"
            return
        for key, values in self.values.items():
            yield f"{key:<18} {', '.join(map(str, values))}"
        yield "for example: " + ", ".join(f"{k}={v}" for k, v in self.example.items())


def legal(
    instruction: str, target: str, given: Mapping[str, Any], rulebook: Rulebook, form: str | None = None
) -> Answer:
    """Which values of the other attributes keep all rules of `instruction` on `target`, given some.

    `given` maps `operand.attribute` (loc, layout, dtype, rows, cols, valid_row, valid_col) or a template parameter to
    a value. Raises `LegalError` for an instruction, operand or attribute that does not exist.
    """
    file = rulebook.file(instruction)
    if file is None or target not in TARGETS:
        raise LegalError(f"no rules for {instruction!r} on {target!r}")
    forms = [f for f in file.forms if f.exists_on(target) and form in (None, f.name)]
    if form is not None and not forms:
        raise LegalError(f"{instruction} has no form {form!r} on {target!r}, it has {_form_names(file.forms, target)}")
    _check_words(instruction, given, forms)
    names = {key.partition(".")[0] for key in given}
    values: dict[str, dict[Any, None]] = {}
    example: dict[str, Any] | None = None
    broken: set[str] = set()
    asked = [f for f in forms if names <= {*f.operands, *f.template, *f.optional}]
    for one in asked:
        question = Question(instruction, target, one, rulebook)
        solution = question.search(dict(given))
        if solution is None:
            broken |= question.blocking
            continue
        example = example or solution
        for key, value in question.remaining(dict(given), solution):
            values.setdefault(key, {})[value] = None
    found = {k: tuple(sorted(v, key=lambda x: (str(type(x)), x))) for k, v in values.items()}
    ids = tuple(sorted(broken)) if example is None else ()
    return Answer(instruction, target, found, example, ids, tuple(f.name for f in asked))


def _form_names(forms: Iterable[Form], target: str) -> str:
    return ", ".join(sorted({f.name for f in forms if f.exists_on(target)})) or "none there"


def _check_words(instruction: str, given: Mapping[str, Any], forms: list[Form]) -> None:
    names = {n for f in forms for n in (*f.operands, *f.template, *f.optional)}
    for key in given:
        name, _, attribute = key.partition(".")
        if name not in names:
            raise LegalError(f"{instruction} has no operand or parameter {name!r}, it has {', '.join(sorted(names))}")
        if attribute and attribute not in ATTRIBUTES:
            raise LegalError(f"unknown attribute {attribute!r} of {name!r}, known are {', '.join(ATTRIBUTES)}")


class Question:
    """One overload on one target, and the search for legal calls of it."""

    def __init__(self, instruction: str, target: str, form: Form, rulebook: Rulebook) -> None:
        self.target = target
        self.form = form
        self.rules = list(rulebook.rules_for(instruction, target))
        self.type_rules = list(rulebook.rules_for("tile", target))
        self.blocking: set[str] = set()
        self.nodes = 0
        self.tiles = [o for o in form.operands if self._kind(o) == "tile"]
        self.domains = dict(self._domains())

    def _kind(self, operand: str) -> str:
        """What an operand is, by what the rules read of it."""
        read = {a for r in self.rules for p in (r.when, r.require) if p for n, a in p.paths if n == operand}
        if read & {"shape", "stride", "static_shape", "static_stride"}:
            return "tensor"
        return "tile" if read & TILE_WORDS else "scalar"

    def _domains(self) -> Iterator[tuple[str, list[Any]]]:
        """Attributes in the order in which they are chosen, with their values."""
        locs = [loc for loc, buffer in TARGETS[self.target].buffers.items() if buffer.size]
        dtypes = [d for d, known in DTYPES.items() if TARGETS[self.target].dtype_supported(known)]
        for parameter in sorted(self.form.template):
            yield parameter, self._parameter_values(parameter)
        for values, attribute in ((locs, "loc"), (list(LAYOUTS), "layout"), (dtypes, "dtype")):
            yield from ((f"{tile}.{attribute}", values) for tile in self.tiles)
        for attribute in ("rows", "cols", "valid_row", "valid_col"):
            yield from ((f"{tile}.{attribute}", list(SIZES)) for tile in self.tiles)

    def _parameter_values(self, parameter: str) -> list[Any]:
        """What rules compare the parameter with, and the other members of that enumeration."""
        found: dict[Any, None] = {}
        for rule in self.rules:
            for predicate in (rule.when, rule.require):
                if predicate is not None and parameter in predicate.names:
                    found.update(dict.fromkeys(_compared_with(predicate.tree, parameter)))
        for members in ENUMS.values():
            if found and set(found) <= set(members):
                return list(dict.fromkeys((*found, *members)))
        return list(dict.fromkeys((*found, 0, 1)))

    # ------------------------------------------------------------ search

    def search(self, given: dict[str, Any], nodes: int = MAX_NODES) -> dict[str, Any] | None:
        """One legal assignment that agrees with `given`; None where none was found."""
        self.nodes = nodes
        chosen = {k: v for k, v in given.items() if k in self.domains or "." not in k}
        order = [k for k in self.domains if k not in chosen]
        return self._extend(chosen, order)[0]

    def _extend(self, chosen: dict[str, Any], order: list[str]) -> tuple[dict[str, Any] | None, set[str]]:
        """A legal extension of `chosen`, or None and the operands and parameters that are to blame."""
        self.nodes -= 1
        if self.nodes < 0:
            return None, set()
        failed = self._broken(chosen)
        if failed is not None:
            self.blocking.add(failed[0])
            return None, failed[1]
        if not order:
            return dict(chosen), set()
        key, rest = order[0], order[1:]
        blamed: set[str] = set()
        for value in self._preferred(key, chosen):
            found, names = self._extend({**chosen, key: value}, rest)
            if found is not None or self.nodes < 0:
                return found, set()
            if key.partition(".")[0] not in names:
                return None, names  # whatever this one is, the fault lies elsewhere
            blamed |= names
        return None, blamed

    def _preferred(self, key: str, chosen: Mapping[str, Any]) -> list[Any]:
        """Values to try: valid extents like the tile's own, other operands like the first one."""
        tile, _, attribute = key.partition(".")
        like = [chosen.get(f"{tile}.{attribute.replace('valid_row', 'rows').replace('valid_col', 'cols')}")]
        like += [chosen.get(f"{other}.{attribute}") for other in self.tiles if other != tile]
        first = [v for v in like if v is not None and v in self.domains[key]]
        return list(dict.fromkeys((*first, *self.domains[key])))

    def remaining(self, given: dict[str, Any], solution: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """Every value of every open attribute for which a legal call exists."""
        seen = {(k, v) for k, v in solution.items() if k not in given}
        for key, domain in self.domains.items():
            if key in given:
                continue
            for value in domain:
                if (key, value) not in seen:
                    found = self.search({**given, key: value}, MAX_NODES // 10)
                    seen |= {(k, v) for k, v in (found or {}).items() if k not in given}
        yield from sorted(seen, key=str)

    # ------------------------------------------------------------ evaluation

    def _broken(self, chosen: Mapping[str, Any]) -> tuple[str, set[str]] | None:
        """The first rule that the choices break, and the names that it reads."""
        env = Env(self.target, self.form.name)
        for name in (*self.form.operands, *self.form.template):
            env[name] = chosen.get(name, UNKNOWN)
        for tile in self.tiles:
            facts = partial_tile(tile, chosen)
            env[tile], env.types[tile] = facts, facts.type
            alone = Env(self.target)
            alone["tile"] = facts
            for rule in self.type_rules:
                if self._fails(rule, alone):
                    return rule.id, {tile}
        failed = next((r for r in self.rules if self._fails(r, env)), None)
        return None if failed is None else (failed.id, self._read_by(failed))

    @staticmethod
    def _read_by(rule: Rule) -> set[str]:
        names = set(rule.require.names) if rule.require else set()
        return names | (set(rule.when.names) if rule.when else set())

    @staticmethod
    def _fails(rule: Rule, env: Env) -> bool:
        if rule.require is None:
            return False
        try:
            outcome = apply_rule(rule, env)
        except Exception:  # the rule reads something that a bare question does not have
            return False
        return outcome is not None and outcome.verdict is False and outcome.guard is True


def _compared_with(tree: ast.expr, name: str) -> Iterator[Any]:
    """The constants that an expression compares a bare name with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == name:
            for right in node.comparators:
                for item in right.elts if isinstance(right, ast.Tuple) else (right,):
                    if isinstance(item, ast.Constant) and isinstance(item.value, int | str):
                        yield item.value


def partial_tile(name: str, chosen: Mapping[str, Any]) -> TileFacts:
    """The facts of a tile of which only some attributes are chosen; the others are unknown."""

    def value(attribute: str) -> Any:
        return chosen.get(f"{name}.{attribute}", UNKNOWN)

    blayout, slayout = LAYOUTS.get(value("layout"), (UNKNOWN, UNKNOWN))
    facts: Any = TileFacts(TileType("Vec", "float", 16, 16, 16, 16))
    facts.loc = facts.space = value("loc")
    facts.blayout, facts.slayout = blayout, slayout
    facts.is_row_major = UNKNOWN if blayout is UNKNOWN else blayout == "RowMajor"
    facts.dtype = value("dtype")
    facts.rows, facts.cols = value("rows"), value("cols")
    facts.static_valid_row, facts.static_valid_col = value("valid_row"), value("valid_col")
    loc, layout = chosen.get(f"{name}.loc"), chosen.get(f"{name}.layout")
    facts.fractal_size = 1024 if loc == "Acc" else UNKNOWN if loc is None or layout == "ZZ" else 512
    facts.bytes = facts.rows * facts.cols * DTYPES[facts.dtype].size if _plain(facts) else UNKNOWN
    done: TileFacts = facts
    return done


def _plain(facts: Any) -> bool:
    return all(isinstance(v, int | str) for v in (facts.rows, facts.cols, facts.dtype))
