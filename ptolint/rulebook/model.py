"""Rules, forms and rule files as Python sees them; expressions are compiled when first needed."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

from ptolint.rulebook.facts import Env
from ptolint.rulebook.messages import Template, evaluate
from ptolint.rulebook.predicate import Predicate, PredicateError, Vocabulary, compile_predicate, parse

LEVELS = ("error", "warning", "note")
ENFORCED = ("static_assert", "debug-assert", "nothing")


class RuleError(ValueError):
    """A rule file that cannot be used; the text names the file, the rule and what is wrong."""


@dataclass(frozen=True, slots=True)
class Form:
    """One overload: operand names in order, names of its template parameters, targets that have it.

    `optional` template parameters may be missing; `when` tells apart forms with the same names,
    `alias` gives an operand the name that rules use.
    """

    name: str
    operands: tuple[str, ...]
    template: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    targets: frozenset[str] | None = None
    when: str | None = None
    alias: tuple[tuple[str, str], ...] = ()

    def fits(self, operands: tuple[str, ...], template: frozenset[str]) -> bool:
        """Whether a call with these parameter names is written in this form."""
        return operands == self.operands and self.template <= template <= self.template | self.optional

    def exists_on(self, target: str) -> bool:
        return self.targets is None or target in self.targets

    def text(self, instruction: str) -> str:
        """The form as a user writes it: `TMOV<relu_mode>(dst, src)`."""
        template = f"<{', '.join(sorted(self.template))}>" if self.template else ""
        return f"{instruction}{template}({', '.join(self.operands)})"


@dataclass(slots=True, eq=False)
class Rule:
    """One constraint. `targets` None means all; `require` None only for the rule about missing forms."""

    id: str
    message: str
    source: str
    file: RuleFile
    when_text: str | None = None
    require_text: str | None = None
    targets: frozenset[str] | None = None
    names: frozenset[str] | None = None
    hint: str = ""
    enforced: str = "nothing"
    level: str = "error"
    note: str = ""
    same_as: tuple[str, ...] = ()
    milder: tuple[tuple[str, str], ...] = ()  # (level, condition under which the finding has that level)
    varying: bool = False  # judged only where the launch decides it: constants that break it are the author's choice
    _when: Predicate | None = None
    _require: Predicate | None = None
    _templates: dict[str, Template] = field(default_factory=dict)

    def applies_to(self, instruction: str, target: str) -> bool:
        """Whether the rule concerns this instruction of its file on this target."""
        return (self.targets is None or target in self.targets) and (self.names is None or instruction in self.names)

    @property
    def when(self) -> Predicate | None:
        if self._when is None and self.when_text is not None:
            self._when = self.file.predicate(self.when_text, self.id)
        return self._when

    @property
    def require(self) -> Predicate | None:
        if self._require is None and self.require_text is not None:
            self._require = self.file.predicate(self.require_text, self.id)
        return self._require

    def level_in(self, env: Env) -> str:
        """The level of a finding with the values of `env`."""
        for level, text in self.milder:
            if evaluate(self.file.predicate(text, self.id), env) is True:
                return level
        return self.level

    def template(self, text: str) -> Template:
        """`text` (the message or the hint) with its `{...}` parts compiled."""
        if text not in self._templates:
            self._templates[text] = Template(text, lambda part: self.file.predicate(part, self.id))
        return self._templates[text]

    def __repr__(self) -> str:
        return f"Rule({self.id})"


@dataclass(slots=True, eq=False)
class RuleFile:
    """One TOML file: the instructions it serves, their forms, and the rules."""

    path: Path
    instructions: tuple[str, ...]
    summary: str = ""
    source: str = ""
    no_form: str | None = None
    excluded: frozenset[str] = frozenset()  # instructions that rules of every operand leave out
    forms: tuple[Form, ...] = ()
    rules: tuple[Rule, ...] = ()
    defines: dict[str, str] = field(default_factory=dict)
    vocabulary_of: RuleFile | None = None  # an extension reads the operands of the file it extends
    _vocabulary: Vocabulary | None = None
    _predicates: dict[str, Predicate] = field(default_factory=dict)

    @property
    def vocabulary(self) -> Vocabulary:
        """Operand and parameter names, form names and abbreviations of the file."""
        if self._vocabulary is None:
            forms = self.forms or (self.vocabulary_of.forms if self.vocabulary_of else ())
            names = {n for f in forms for n in (*f.operands, *f.template, *f.optional, *(new for _, new in f.alias))}
            defines: dict[str, ast.expr] = dict(self.vocabulary_of.vocabulary.defines) if self.vocabulary_of else {}
            words = Vocabulary(frozenset(names), frozenset(f.name for f in forms), defines)
            for name, text in self.defines.items():
                try:
                    defines[name] = parse(text, words)
                except PredicateError as error:
                    raise RuleError(f"{self.path.name}: define {name}: {error}") from None
            self._vocabulary = words
        return self._vocabulary

    def predicate(self, text: str, rule: str) -> Predicate:
        """`text` compiled with the file's names; equal texts share one predicate."""
        found = self._predicates.get(text)
        if found is None:
            try:
                found = compile_predicate(text, self.vocabulary)
            except PredicateError as error:
                raise RuleError(f"{self.path.name}: {rule}: {error}") from None
            self._predicates[text] = found
        return found

    def rule(self, rule_id: str) -> Rule | None:
        """The rule called `rule_id`, if it is in this file."""
        return next((r for r in self.rules if r.id == rule_id), None)
