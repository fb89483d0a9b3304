"""Evaluates IR expressions on a state: plain values where everything is known, terms elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ptolint.ir.model import (
    AddressOf,
    Binary,
    Builtin,
    Cast,
    Const,
    Construct,
    Deref,
    Expr,
    Field,
    Index,
    Invoke,
    PointerType,
    Ref,
    ScalarType,
    Select,
    Type,
    Unary,
)
from ptolint.ir.model import Unknown as UnknownExpr
from ptolint.solver import bits
from ptolint.solver import terms as t
from ptolint.solver.division import floordiv, floormod, tdiv, tmod
from ptolint.solver.objects import construct
from ptolint.solver.state import State
from ptolint.solver.terms import Num, Term, Truth
from ptolint.solver.values import (
    OPAQUE,
    Array,
    Place,
    Pointer,
    Record,
    Symbols,
    Value,
    either,
    get,
    is_number,
    merge,
    shifted,
    type_range,
)

BLOCK_LIMIT = 1 << 16  # more blocks than any device can be launched with


class Evaluator:
    """Expression half of the walk; the walker adds statements and `invoke`."""

    def __init__(self) -> None:
        self.symbols = Symbols()
        self.under: list[Truth] = []  # conditions under which the expression at hand is evaluated at all
        self.inputs: dict[str, Value] = {}  # values given to block index and count instead of symbols
        self.written: set[str] = set()  # memory that was stored to
        self.mentioned: set[Term] = set()  # symbols that the code compared so far
        self.muted = 0  # inside a trial of a loop: nothing is reported

    def invoke(self, call: Invoke, state: State) -> Value:
        """The value of a user's function; the walker inlines it."""
        raise NotImplementedError

    def value(self, e: Expr, state: State) -> Value:
        """The value of `e`, read through references and places."""
        return _VALUE[type(e)](self, e, state)

    def number(self, e: Expr, state: State) -> Num:
        """The value of an integer expression; a fresh symbol where it is not known."""
        value = self.value(e, state)
        if is_number(value):
            return t.as_int(value)
        return t.as_int(self._known(self.symbols.unknown(e.type, "?")))

    def truth(self, e: Expr, state: State) -> Truth:
        """The value of a condition; a fresh truth value where it is not known."""
        value = self.value(e, state)
        if isinstance(value, float):
            return value != 0.0
        return t.as_truth(value) if is_number(value) else self.some_truth()

    def note(self, value: Value) -> None:
        """Remember that the code chose by `value`."""
        if isinstance(value, Term) and not self.muted:
            self.mentioned |= value.symbols

    def some_truth(self) -> Term:
        """A condition about which nothing is known."""
        self.symbols.count += 1
        return t.symbol(f"?#{self.symbols.count}", None, None, "opaque", True)

    def _known(self, value: Value) -> Num:
        return value if is_number(value) else self.symbols.fresh("?", None, None, "opaque")

    # ------------------------------------------------------------ places

    def place(self, e: Expr, state: State) -> Place | None:
        """Where `e` is stored; None for what is not a local object."""
        if isinstance(e, Ref):
            return state.resolve(Place(e.var.id))
        if isinstance(e, Field):
            base = self.place(e.base, state)
            return base.down(e.name) if base else None
        if isinstance(e, Index):
            return self._element(e, state)
        if isinstance(e, Deref):
            pointer = self.value(e.base, state)
            return self._target(pointer, state)
        if isinstance(e, Cast):
            return self.place(e.operand, state)
        if isinstance(e, Select):
            return self._chosen(e, state)
        return None

    def _chosen(self, e: Select, state: State) -> Place | None:
        """The place that `c ? a : b` denotes."""
        cond = state.truth(self.truth(e.cond, state))
        if not isinstance(cond, Term):
            return self.place(e.then if cond else e.other, state)
        then, other = self.place(e.then, state), self.place(e.other, state)
        return None if then is None or other is None else either(cond, then, other)

    def _element(self, e: Index, state: State) -> Place | None:
        index = self.number(e.index, state)
        if isinstance(e.base.type, PointerType):
            pointer = self.value(e.base, state)
            if isinstance(pointer, Pointer) and pointer.place is not None:
                shifted = Pointer(pointer.place, pointer.name, t.add(pointer.offset, index), pointer.type)
                return self._target(shifted, state)
            if not isinstance(pointer, Array):
                return None
        base = self.place(e.base, state)
        return base.down(self._settled(index, state)) if base else None

    def _settled(self, index: Num, state: State) -> Num:
        lo, hi = state.facts.interval(index)
        return lo if lo is not None and lo == hi else index

    def _target(self, pointer: Value, state: State) -> Place | None:
        """The object behind a pointer; the last step moves by the pointer's offset."""
        if not isinstance(pointer, Pointer) or pointer.place is None:
            return None
        return shifted(state.resolve(pointer.place), pointer.offset)

    # ------------------------------------------------------------ reading

    def _const(self, e: Const, _state: State) -> Value:
        return 0 if e.value is None else e.value  # a null pointer is the address 0

    def _ref(self, e: Ref, state: State) -> Value:
        value = state.read(Place(e.var.id))
        if value is None:
            value = self.symbols.unknown(e.var.type, e.var.name)
            if not e.var.by_ref:
                state.env[e.var.id] = value
        return value

    def _read(self, e: Field | Index | Deref, state: State) -> Value:
        place = self.place(e, state)
        if place is not None:
            value = state.read(place)
            return self.symbols.unknown(e.type, "?") if value is None or value is OPAQUE else value
        memory = self._memory(e, state)
        if memory is not None:
            return memory
        if isinstance(e, Field | Index):
            step = e.name if isinstance(e, Field) else self._settled(self.number(e.index, state), state)
            base = self.value(e.base, state)
            value = get(base, (step,)) if isinstance(base, Record | Array) else OPAQUE
            if value is not OPAQUE:
                return value
        return self.symbols.unknown(e.type, "?")

    def _memory(self, e: Expr, state: State) -> Value | None:
        """Data behind a pointer parameter: the same symbol at each reading, unless something was stored there."""
        name = self._memory_name(e, state)
        if name is None or name.split("[")[0].split("->")[0].split(".")[0] in self.written:
            return None
        if name in self.inputs:
            return self.inputs[name]
        if isinstance(e.type, ScalarType) and e.type.kind in ("int", "enum"):
            return t.symbol(name, *type_range(e.type), "memory")
        if isinstance(e.type, ScalarType) and e.type.kind == "bool":
            return t.symbol(name, None, None, "memory", True)
        return None

    def _memory_name(self, e: Expr, state: State) -> str | None:
        if isinstance(e, Field):
            base = self._memory_name(e.base, state)
            if base is not None and base.startswith("*"):
                return f"{base[1:]}->{e.name}"
            return None if base is None else f"{base}.{e.name}"
        if isinstance(e, Deref):
            pointer = self.value(e.base, state)
            return f"*{pointer.name}" if isinstance(pointer, Pointer) and self._at(pointer, 0) else None
        if isinstance(e, Index) and isinstance(e.base.type, PointerType):
            pointer = self.value(e.base, state)
            index = self._settled(self.number(e.index, state), state)
            if isinstance(pointer, Pointer) and pointer.place is None and pointer.name:
                where = t.add(pointer.offset, index)
                return f"{pointer.name}[{where}]" if isinstance(where, int) else None
        if isinstance(e, Cast):
            return self._memory_name(e.operand, state)
        return None

    @staticmethod
    def _at(pointer: Pointer, offset: int) -> bool:
        return pointer.place is None and bool(pointer.name) and pointer.offset == offset

    def _address_of(self, e: AddressOf, state: State) -> Value:
        place = self.place(e.base, state)
        if place is not None:
            return Pointer(place, "", 0, e.type)
        if isinstance(e.base, Index):
            return self._moved(e.base.base, e.base.index, state)
        return OPAQUE

    def _moved(self, base: Expr, index: Expr, state: State) -> Value:
        pointer = self.value(base, state)
        if isinstance(pointer, Pointer):
            return Pointer(pointer.place, pointer.name, t.add(pointer.offset, self.number(index, state)), pointer.type)
        return OPAQUE

    # ------------------------------------------------------------ operators

    def _unary(self, e: Unary, state: State) -> Value:
        value = self.value(e.operand, state)
        if e.op == "!":
            return t.not_(self.truth(e.operand, state)) if not is_number(value) else t.not_(t.as_truth(value))
        if isinstance(value, float) and e.op in "+-":
            return -value if e.op == "-" else value
        if not is_number(value):
            return self.symbols.unknown(e.type, "?")
        number = t.as_int(value)
        if e.op == "+":
            return number
        return self.fitted(t.neg(number) if e.op == "-" else t.sub(-1, number), e.type, state)

    def fitted(self, x: Num, type_: Type, state: State) -> Num:
        """The result of arithmetic in a C type: unsigned wraps, signed is assumed not to overflow."""
        if not isinstance(type_, ScalarType) or type_.kind not in ("int", "enum"):
            return x
        low, high = type_range(type_)
        lo, hi = state.facts.interval(x)
        if lo is not None and hi is not None and low <= lo and hi <= high:
            return x
        if not type_.signed:
            return self.wrapped(x, type_, state)
        if isinstance(x, Term):
            inside = t.and_(t.le(low, x), t.le(x, high))
            state.assume(t.or_(*map(t.not_, self.under), inside), "overflow")
        return x

    def wrapped(self, x: Num, type_: ScalarType, state: State) -> Num:
        """`x` converted to an integer type."""
        if isinstance(x, Term):
            low, high = type_range(type_)
            lo, hi = state.facts.interval(x)
            if lo is not None and hi is not None:
                if low <= lo and hi <= high:
                    return x
                size = high - low + 1
                if low - size <= lo and hi <= high:
                    return t.choose(t.lt(x, low), t.add(x, size), x)
                if low <= lo and hi <= high + size:
                    return t.choose(t.lt(high, x), t.sub(x, size), x)
        return bits.wrap(x, type_.bits or 32, type_.signed)

    def _binary(self, e: Binary, state: State) -> Value:
        if e.op in ("&&", "||"):
            return self._short_circuit(e, state)
        left, right = self.value(e.left, state), self.value(e.right, state)
        if isinstance(e.type, PointerType) and is_number(left) and is_number(right):
            return self._address_operation(e, left, right)
        if isinstance(left, Pointer) or isinstance(right, Pointer):
            return self._pointer_operation(e, left, right, state)
        if isinstance(left, float | str) or isinstance(right, float | str):
            return self._plain_operation(e, left, right)
        if not is_number(left) or not is_number(right):
            return self.symbols.unknown(e.type, "?")
        if e.op in _COMPARE:
            return _COMPARE[e.op](t.as_int(left), t.as_int(right))
        left, right = t.as_int(left), t.as_int(right)
        if e.op in ("/", "%"):
            if isinstance(right, int) and right == 0:
                return self.symbols.unknown(e.type, "?")
            state.assume(t.or_(*map(t.not_, self.under), t.ne(right, 0)), "fact")
            return self._divide(e.op, left, right, state)
        result = _ARITH[e.op](left, right) if e.op in _ARITH else None
        return self.symbols.unknown(e.type, "?") if result is None else self.fitted(result, e.type, state)

    def _divide(self, op: str, a: Num, b: Num, state: State) -> Num:
        """C's division; where the path says that nothing is negative, the plain one."""
        (lo, _), (low, _) = state.facts.interval(a), state.facts.interval(b)
        if lo is not None and lo >= 0 and low is not None and low > 0 and (isinstance(b, int) or op == "/"):
            return floordiv(a, b) if op == "/" else floormod(a, b)
        return tdiv(a, b) if op == "/" else tmod(a, b)

    def _short_circuit(self, e: Binary, state: State) -> Value:
        left = state.truth(self.truth(e.left, state))
        if not isinstance(left, Term) and left is (e.op == "||"):
            return left
        self.under.append(left if e.op == "&&" else t.not_(left))
        right = self.truth(e.right, state)
        self.under.pop()
        return t.and_(left, right) if e.op == "&&" else t.or_(left, right)

    def _pointer_operation(self, e: Binary, left: Value, right: Value, state: State) -> Value:
        if isinstance(right, Pointer) and e.op == "+":
            left, right = right, left
        if isinstance(left, Pointer) and is_number(right) and e.op in "+-":
            step = t.as_int(right)
            return Pointer(left.place, left.name, t.add(left.offset, step if e.op == "+" else t.neg(step)), left.type)
        if (
            e.op in ("==", "!=")
            and 0 in (left, right)
            and any(isinstance(p, Pointer) and p.place for p in (left, right))
        ):
            return e.op == "!="
        if isinstance(left, Pointer) and isinstance(right, Pointer) and left.same_base(right):
            if e.op == "-":
                return t.sub(left.offset, right.offset)
            if e.op in _COMPARE:
                return _COMPARE[e.op](left.offset, right.offset)
        return self.symbols.unknown(e.type, "?")

    def _address_operation(self, e: Binary, left: Value, right: Value) -> Value:
        """Arithmetic of a pointer that is a known address in bytes."""
        size = element_bytes(e.type)
        if size is None or e.op not in "+-":
            return self.symbols.unknown(e.type, "?")
        pointer_first = isinstance(e.left.type, PointerType)
        base, step = (left, right) if pointer_first else (right, left)
        step = t.mul(t.as_int(step), size if e.op == "+" else -size)
        return t.add(t.as_int(base), step)

    def _plain_operation(self, e: Binary, left: Value, right: Value) -> Value:
        plain = (int, float, str)
        if isinstance(left, plain) and isinstance(right, plain) and isinstance(left, str) == isinstance(right, str):
            if e.op in ("==", "!="):
                return (left == right) is (e.op == "==")
            if not isinstance(left, str) and not isinstance(right, str) and e.op in _FLOAT:
                return _FLOAT[e.op](left, right)
        return self.symbols.unknown(e.type, "?")

    def _cast(self, e: Cast, state: State) -> Value:
        value = self.value(e.operand, state)
        type_ = e.type
        if not isinstance(type_, ScalarType):
            return value
        if type_.kind == "float":
            return float(value) if isinstance(value, int | float) else OPAQUE
        if isinstance(value, float):
            return int(value) if type_.kind != "bool" else value != 0.0
        if isinstance(value, str):
            return value
        if not is_number(value):
            return self.symbols.unknown(type_, "?")
        if type_.kind == "bool":
            return t.as_truth(value)
        return self.wrapped(t.as_int(value), type_, state)

    def _select(self, e: Select, state: State) -> Value:
        cond = state.truth(self.truth(e.cond, state))
        if not isinstance(cond, Term):
            return self.value(e.then if cond else e.other, state)
        self.note(cond)
        self.under.append(cond)
        then = self.value(e.then, state)
        self.under[-1] = t.not_(cond)
        other = self.value(e.other, state)
        self.under.pop()
        value = merge(cond, then, other)
        return self.symbols.unknown(e.type, "?") if value is OPAQUE else value

    def _builtin(self, e: Builtin, state: State) -> Value:
        if e.name in _BLOCK:
            return self.block_value(e.name, state)
        args = [self.value(a, state) for a in e.args]
        if e.name in ("min", "max", "abs") and all(is_number(a) for a in args):
            numbers = [t.as_int(a) for a in args]
            result = numbers[0] if e.name != "abs" else t.abs_(numbers[0])
            for other in numbers[1:]:
                result = t.min_(result, other) if e.name == "min" else t.max_(result, other)
            if isinstance(result, Term) and result.op in ("min", "max"):
                self.note(result)
            return result
        return self.symbols.unknown(e.type, e.name)

    def block_value(self, name: str, state: State) -> Value:
        """Block and sub-block index and count, with what the hardware promises about them."""
        short, lo, hi = _BLOCK[name]
        if short in self.inputs:
            return self.inputs[short]
        found = t.symbol(short, lo, hi, "block")
        if short == "block_idx":
            state.assume(t.lt(found, t.symbol("block_num", 1, BLOCK_LIMIT, "block")), "fact")
        return found

    def _invoke(self, e: Invoke, state: State) -> Value:
        return self.invoke(e, state)

    def _construct(self, e: Construct, state: State) -> Value:
        if isinstance(e.type, ScalarType) and len(e.args) == 1:
            return self._cast(Cast(e.args[0], e.type), state)
        return construct(self.symbols, e.type, [self.value(a, state) for a in e.args])

    def _unknown(self, e: UnknownExpr, _state: State) -> Value:
        return self.symbols.unknown(e.type, "?")


def element_bytes(type_: Type) -> int | None:
    """The size of what a pointer points to; None where it is not known."""
    pointee = type_.pointee if isinstance(type_, PointerType) else None
    return max(1, pointee.bits // 8) if isinstance(pointee, ScalarType) and pointee.bits else None


_BLOCK: dict[str, tuple[str, int, int]] = {
    "get_block_idx": ("block_idx", 0, BLOCK_LIMIT - 1),
    "get_block_num": ("block_num", 1, BLOCK_LIMIT),
    "get_subblockid": ("subblockid", 0, 1),
    "get_subblockdim": ("subblockdim", 1, 2),
}
_COMPARE: dict[str, Callable[[Num, Num], Truth]] = {
    "==": t.eq,
    "!=": t.ne,
    "<": t.lt,
    "<=": t.le,
    ">": lambda a, b: t.lt(b, a),
    ">=": lambda a, b: t.le(b, a),
}
_ARITH: dict[str, Callable[[Num, Num], Num | None]] = {
    "+": t.add,
    "-": t.sub,
    "*": t.mul,
    "<<": bits.shift_left,
    ">>": bits.shift_right,
    "&": bits.bit_and,
    "|": bits.bit_or,
    "^": bits.bit_xor,
}
_FLOAT: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else OPAQUE,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_VALUE: dict[type, Callable[..., Value]] = {
    Const: Evaluator._const,
    Ref: Evaluator._ref,
    Index: Evaluator._read,
    Field: Evaluator._read,
    Deref: Evaluator._read,
    AddressOf: Evaluator._address_of,
    Unary: Evaluator._unary,
    Binary: Evaluator._binary,
    Cast: Evaluator._cast,
    Select: Evaluator._select,
    Builtin: Evaluator._builtin,
    Construct: Evaluator._construct,
    Invoke: Evaluator._invoke,
    UnknownExpr: Evaluator._unknown,
}
