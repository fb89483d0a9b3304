"""Matches a call, or a tile or tensor type, with its rules and turns what is broken into findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ptolint.findings import Finding, Frame, Related, Witness
from ptolint.ir.model import (
    DYNAMIC,
    AddressOf,
    Call,
    Cast,
    Const,
    ConvTileType,
    Deref,
    Expr,
    Fault,
    Field,
    Index,
    Operand,
    PointerType,
    Ref,
    ScalarType,
    Span,
    TensorType,
    TileType,
    Type,
    TypeUse,
    Var,
)
from ptolint.rulebook.facts import FACTS, Env, Resolve, TileFacts, environment, innermost, static_resolve, type_facts
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.messages import condition
from ptolint.rulebook.model import Form, Rule, RuleFile
from ptolint.rulebook.ops import INT_OPS, Ops, Value
from ptolint.rulebook.spelling import type_text
from ptolint.rulebook.values import UNKNOWN, NotApplicable
from ptolint.rulebook.window import window


@dataclass(slots=True)
class Outcome:
    """What one rule says. `verdict`: True, False, `UNKNOWN`, or a term of the solver that must hold.

    `guard` is the rule's `when` where that is not known to be true: a term, or `UNKNOWN`; then the
    verdict counts only where the guard holds. Rules that do not apply have no outcome.
    `text` replaces the rule's message (an overload that does not exist, a rule that failed).
    """

    rule: Rule | None
    verdict: Value
    env: Env
    rule_id: str
    guard: Value = True
    operand: str = ""  # of a rule that concerns every tile operand: which one
    text: str = ""
    hint: str = ""

    @property
    def level(self) -> str:
        """The level of a finding about this outcome."""
        return self.rule.level_in(self.env) if self.rule is not None else "error"


# ---------------------------------------------------------------- calls


def check_call(
    call: Call, target: str, rulebook: Rulebook, resolve: Resolve = static_resolve, ops: Ops = INT_OPS
) -> list[Outcome]:
    """All rules that apply to `call` on `target`; broken ones of one equivalence group only once."""
    file = rulebook.file(call.instruction)
    env = environment(call, target, "", resolve)
    if call.problem is not None:
        return [_no_form(call, file, env, call.problem)]
    if file is not None and file.forms:
        form = match_form(file, call, env)
        if form is None:
            return [_no_form(call, file, env, "no overload takes these parameters")]
        if not form.exists_on(target):
            return [_no_form(call, file, env, f"{form.text(call.instruction)} does not exist on {target}")]
        for old, new in form.alias:
            env[new], env.types[new] = env[old], env.types[old]
        env["form"] = form.name
    outcomes = list(_apply(rulebook.rules_for(call.instruction, target), env, ops))
    outcomes += _operand_outcomes(call, env, rulebook, ops)
    return without_equals(outcomes)


def _operand_outcomes(call: Call, env: Env, rulebook: Rulebook, ops: Ops) -> Iterator[Outcome]:
    """The rules of every tile operand (`operand.toml`), once per operand with a valid region set at run time."""
    file = rulebook.file(EVERY_OPERAND)
    if file is None or call.instruction in file.excluded:
        return
    rules = rulebook.rules_for(EVERY_OPERAND, env.target)
    for operand in call.operands:
        facts = env[operand.name]
        if isinstance(facts, TileFacts) and DYNAMIC in (facts.static_valid_row, facts.static_valid_col):
            own = Env(env.target, env["form"])
            own.update(tile=facts, operand=operand.name)
            for outcome in _apply(rules, own, ops):
                outcome.operand = operand.name
                yield outcome


def match_form(file: RuleFile, call: Call, env: Env) -> Form | None:
    """The form of the file in which the call is written."""
    listed = {n for f in file.forms for n in f.template | f.optional}
    template = frozenset(n for n, v in call.template if isinstance(v, Const) or n in listed)
    for form in file.forms:
        if form.fits(call.params, template) and _holds(form, file, env):
            return form
    return None


def _holds(form: Form, file: RuleFile, env: Env) -> bool:
    if form.when is None:
        return True
    try:
        return file.predicate(form.when, f"form {form.name}").evaluate(env) is True
    except NotApplicable:
        return False


def _apply(rules: Sequence[Rule], env: Env, ops: Ops) -> Iterator[Outcome]:
    for rule in rules:
        try:
            outcome = apply_rule(rule, env, ops)
        except Exception as error:  # a rule that fails is a finding about the rule; the run goes on
            text = f"the rule {rule.id} cannot be evaluated: {error}"
            yield Outcome(None, False, env, "ptolint/rule-error", text=text)
            continue
        if outcome is not None:
            yield outcome


def apply_rule(rule: Rule, env: Env, ops: Ops = INT_OPS) -> Outcome | None:
    """What `rule` says in `env`; None where it does not apply."""
    assert rule.require is not None
    try:
        guard = True if rule.when is None else rule.when.evaluate(env, ops)
        if guard is False:
            return None
        verdict = rule.require.evaluate(env, ops)
    except NotApplicable:
        return None
    if guard is UNKNOWN and verdict is not True:
        verdict = UNKNOWN
    return Outcome(rule, verdict, env, rule.id, guard)


def without_equals(
    outcomes: Sequence[Outcome], broken: Callable[[Outcome], bool] = lambda o: o.verdict is False
) -> list[Outcome]:
    """The outcomes of one call, leaving out a broken rule where one that says nearly the same is broken too.

    Nearly the same are rules that `same_as` ties together, and a rule of every operand beside a rule of
    the instruction that reads the same attribute of that operand.
    """
    reported: set[str] = set()
    kept = []
    for outcome in outcomes:
        if outcome.rule is not None and broken(outcome):
            reads = _reads(outcome)
            group = {outcome.rule.id, *outcome.rule.same_as} if not outcome.operand else set()
            if group & reported or (outcome.operand and reads & reported):
                continue
            reported |= group | reads
        kept.append(outcome)
    return kept


def _reads(outcome: Outcome) -> set[str]:
    """`operand.attribute` of each run-time attribute that the rule's condition reads."""
    if outcome.rule is None or outcome.rule.require is None:
        return set()
    paths = outcome.rule.require.paths
    return {f"{outcome.operand or name}.{attribute}" for name, attribute in paths if attribute in RUN_TIME}


# ---------------------------------------------------------------- overloads that do not exist


def _no_form(call: Call, file: RuleFile | None, env: Env, problem: str) -> Outcome:
    rule_id = (file.no_form if file else None) or f"{call.instruction.lower()}/overload-family"
    rule = file.rule(rule_id) if file else None
    hint = _nearest_form(call, file) if file else ""
    if problem.startswith("no matching"):
        text = (
            f"no overload of {call.instruction} fits this call with ({', '.join(_kind(o.type) for o in call.operands)})"
        )
    else:
        text = f"{call.instruction}: {problem}"
    return Outcome(rule, False, env, rule_id, text=text, hint=hint)


def _kind(type_: Type) -> str:
    """What an operand is, for the list of them: `Vec tile`, `global tensor`, `uint64_t`, `Vec tile *`."""
    if isinstance(type_, TileType | ConvTileType):
        return f"{type_.loc} tile"
    if isinstance(type_, TensorType):
        return "global tensor"
    if isinstance(type_, PointerType):
        return f"{_kind(type_.pointee)} *"
    return type_text(type_)


_SCALAR_NAMES = frozenset(("pre_quant_scalar", "index_row", "index_col", "addr", "scalar"))


def _scalars(form: Form) -> int:
    return sum(name in _SCALAR_NAMES for name in form.operands)


def _scalar_operands(call: Call) -> int:
    return sum(isinstance(o.type, ScalarType) for o in call.operands)


def _nearest_form(call: Call, file: RuleFile) -> str:
    """The form with most in common with the call: number of operands, then names."""
    template = {n for n, _ in call.template}
    forms = [f for f in file.forms if f.operands]
    if not forms:
        return ""

    def distance(form: Form) -> tuple[int, int, int]:
        known = {*call.params} & {*form.operands}
        by_count = abs(len(form.operands) - len(call.operands))
        return (by_count, abs(_scalars(form) - _scalar_operands(call)), len(template ^ form.template) - len(known))

    return f"the nearest form is {min(forms, key=distance).text(call.instruction)}"


# ---------------------------------------------------------------- types


def check_type(type_: Type, target: str, rulebook: Rulebook) -> list[Outcome]:
    """The rules of `tile`, `conv_tile` or `tensor` on one type, by itself."""
    type_ = innermost(type_)
    name = _TYPE_RULES.get(type(type_))
    facts = type_facts(type_)
    if name is None or facts is None:
        return []
    env = Env(target)
    env[name] = facts
    env.types[name] = type_
    return without_equals(list(_apply(rulebook.rules_for(name, target), env, INT_OPS)))


EVERY_OPERAND = "operand"
RUN_TIME = frozenset(("valid_row", "valid_col", "addr", "shape", "stride"))
_TYPE_RULES: dict[type, str] = {TileType: "tile", ConvTileType: "conv_tile", TensorType: "tensor"}


# ---------------------------------------------------------------- findings


def call_finding(
    outcome: Outcome,
    call: Call,
    *,
    env: Env | None = None,
    level: str | None = None,
    core: str = "",
    instance: str = "",
    entry: str = "",
    path: tuple[Frame, ...] = (),
    witness: Witness | None = None,
    declared: Callable[[Operand], Var | None] | None = None,
) -> Finding:
    """The finding of a broken rule at a call.

    `env` (default the outcome's own) gives the values shown, so a solver passes one that holds its witness's values;
    `declared` tells which variable an operand is, by default the one its expression names.
    """
    rule, env = outcome.rule, env or outcome.env
    operands = _operands_of(rule, call, env) if outcome.text == "" else list(call.operands)
    return Finding(
        rule=outcome.rule_id,
        level=level or outcome.level,
        message=message(outcome, env),
        span=finding_span(call),
        targets=(env.target,),
        cores=(core,) if core else (),
        instances=(instance,) if instance else (),
        condition=broken_condition(outcome, env),
        hint=hint(outcome, env),
        source=rule.source if rule else "",
        entry=entry,
        path=path,
        related=tuple(r for o in operands if (r := _related(o, declared or root_variable)) is not None),
        witness=witness,
        properties={"call": call.span, "window": window(env), **_properties(rule)},
    )


def type_finding(outcome: Outcome, use: TypeUse, *, core: str = "", instance: str = "") -> Finding:
    """The finding of a type that is illegal by itself, where the user spells it."""
    rule, env = outcome.rule, outcome.env
    return Finding(
        rule=outcome.rule_id,
        level=outcome.level,
        message=message(outcome, env),
        span=use.span,
        targets=(env.target,),
        cores=(core,) if core else (),
        instances=(instance,) if instance else (),
        condition=broken_condition(outcome, env),
        hint=hint(outcome, env),
        source=rule.source if rule else "",
        related=(Related(f"the type is {type_text(use.type)}", use.span),),
        properties=_properties(rule),
    )


def fault_finding(fault: Fault, target: str, rulebook: Rulebook, *, core: str = "") -> Finding:
    """The finding of a constraint that the model headers found broken; its rule has a text and no expression."""
    rule = rulebook.rule(fault.rule)
    outcome = Outcome(rule, False, Env(target), fault.rule)
    return Finding(
        rule=fault.rule,
        level=outcome.level,
        message=message(outcome, outcome.env) or f"{fault.rule} is broken",
        span=fault.span,
        targets=(target,),
        cores=(core,) if core else (),
        hint=hint(outcome, outcome.env),
        source=rule.source if rule else "",
        properties=_properties(rule),
    )


def message(outcome: Outcome, env: Env) -> str:
    """The rule's message with the values of `env`; its bare text where it cannot be filled in."""
    if outcome.text or outcome.rule is None:
        return outcome.text
    return _filled(outcome.rule, outcome.rule.message, env)


def hint(outcome: Outcome, env: Env) -> str:
    """The rule's hint with the values of `env`, or the outcome's own."""
    if outcome.hint or outcome.rule is None or not outcome.rule.hint:
        return outcome.hint
    return _filled(outcome.rule, outcome.rule.hint, env)


def broken_condition(outcome: Outcome, env: Env) -> str:
    """The broken constraint with actual values; empty where the finding is not about a condition."""
    if outcome.text or outcome.rule is None or outcome.rule.require is None:
        return ""
    text = condition(outcome.rule.require, env)
    return text.replace("tile.", f"{outcome.operand}.") if outcome.operand else text


def _filled(rule: Rule, text: str, env: Env) -> str:
    try:
        return rule.template(text).render(env)
    except ValueError:  # an expression outside the language: the finding is still worth its plain text
        return text


def _properties(rule: Rule | None) -> dict[str, object]:
    if rule is None:
        return {}
    return {"enforced": rule.enforced, **({"note": rule.note} if rule.note else {})}


def _operands_of(rule: Rule | None, call: Call, env: Env) -> list[Operand]:
    """The operands that the rule's condition mentions, in the order of the call."""
    if rule is None or rule.require is None:
        return list(call.operands)
    names = rule.require.names | (rule.when.names if rule.when else frozenset())
    facts = [getattr(env[name], "operand", None) for name in names if name in env and isinstance(env[name], FACTS)]
    return [o for o in call.operands if o.name in names or any(f is o for f in facts)]


def _related(operand: Operand, declared: Callable[[Operand], Var | None]) -> Related | None:
    type_ = innermost(operand.type)
    variable = declared(operand)
    if not isinstance(type_, TileType | TensorType | ConvTileType) or variable is None:
        return None
    name = operand.name if operand.name == variable.name else f"{operand.name} is `{variable.name}`"
    return Related(f"{name}: {type_text(type_)}", variable.type_span or variable.span)


def root_variable(operand: Operand) -> Var | None:
    """The variable at the root of an operand's expression."""
    value: Expr = operand.value
    while True:
        if isinstance(value, Ref):
            return value.var
        if isinstance(value, Index | Field | Deref | AddressOf):
            value = value.base
        elif isinstance(value, Cast):
            value = value.operand
        else:
            return None


def finding_span(call: Call) -> Span:
    """The range of the call, from the line of the instruction's name on."""
    name, whole = call.name_span, call.span
    start = whole.col if whole.line == name.line and whole.file == name.file else name.col
    end = whole if whole.file == name.file else name
    return Span(name.file, name.line, start, end.end_line, end.end_col)
