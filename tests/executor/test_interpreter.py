"""Control flow, objects and C arithmetic of the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

from ptolint.executor.errors import ExecutorError, LimitError
from ptolint.executor.interpreter import AssumptionError
from ptolint.executor.machine import Limits
from ptolint.executor.scalars import binary, convert
from ptolint.ir.model import (
    AddressOf,
    ArrayType,
    Assume,
    Binary,
    Block,
    Break,
    Builtin,
    Cast,
    Construct,
    Continue,
    Deref,
    Evaluate,
    Expr,
    Field,
    Function,
    If,
    Index,
    Invoke,
    Let,
    Loop,
    Opaque,
    PointerType,
    Ref,
    Return,
    Select,
    Store,
    StructType,
    Switch,
    Unknown,
)

from .kernels import FLOAT, INT, SPAN, VOID, Kernel, number, scalar, tile_type


def op(symbol: str, left: Expr, right: Expr, type_=INT) -> Binary:
    return Binary(symbol, left, right, type_)


def less(var, limit) -> Binary:
    return op("<", Ref(var), limit, scalar("bool"))


def add(var, amount=1) -> Store:
    return Store(Ref(var), op("+", Ref(var), number(amount)), SPAN)


class Sums(Kernel):
    """A kernel whose only output is `out[0] = result` for a variable `result`."""

    def __init__(self) -> None:
        super().__init__()
        self.out = self.pointer("out", "int32_t")
        self.result = self.let("result", INT, number(0))

    def value(self, **args) -> int:
        target = Index(Ref(self.out), number(0), INT)
        self.body.append(Store(target, Ref(self.result), SPAN))
        return int(self.run(out=np.zeros(1, np.int32), **args)["out"][0])


def counted(k: Kernel, body, limit=10, post_test=False) -> tuple:
    i = k.let("i", INT, number(0))
    return i, Loop((), less(i, number(limit)), tuple(body(i)), (add(i),), SPAN, post_test)


def test_a_loop_with_continue_and_break():
    k = Sums()

    def body(i):
        yield If(op("==", Ref(i), number(3)), (Continue(SPAN),), (), SPAN)
        yield If(op("==", Ref(i), number(6)), (Break(SPAN),), (), SPAN)
        yield Store(Ref(k.result), op("+", Ref(k.result), Ref(i)), SPAN)

    k.body.append(counted(k, body)[1])
    assert k.value() == 0 + 1 + 2 + 4 + 5


def test_a_do_while_runs_once():
    k = Sums()
    k.body.append(counted(k, lambda _: [add(k.result)], limit=0, post_test=True)[1])
    assert k.value() == 1


@pytest.mark.parametrize(("choice", "expected"), [(1, 11), (2, 10), (7, 100)])
def test_a_switch_falls_through(choice, expected):
    k = Sums()
    n = k.number("n")
    cases = (
        ((1,), (add(k.result, 1),)),
        ((2, 3), (add(k.result, 10), Break(SPAN))),
        (None, (add(k.result, 100),)),
    )
    k.body.append(Switch(Ref(n), cases, SPAN))
    assert k.value(n=choice) == expected


def test_references_and_copies():
    k = Sums()
    ref, copy = k.var("r", INT, by_ref=True), k.var("c", INT)
    body = (add(ref, 5), add(copy, 100), Return(Ref(copy), SPAN))
    k.functions["f"] = Function("f", "f", "f", (ref, copy), body, SPAN, False, True, False, INT)
    call = Invoke("f", (Ref(k.result), Ref(k.result)), INT, SPAN)
    x = k.let("x", INT, call)
    k.body.append(Store(Ref(k.result), op("+", Ref(k.result), Ref(x)), SPAN))
    assert k.value() == 5 + 100


def test_recursion_keeps_the_callers_variables():
    k = Sums()
    n = k.var("n", INT)
    rest = Invoke("f", (op("-", Ref(n), number(1)),), INT, SPAN)
    got = k.var("got", INT)
    body = (
        If(op("==", Ref(n), number(0)), (Return(number(0), SPAN),), (), SPAN),
        Let(got, rest, SPAN),
        Return(op("+", Ref(n), Ref(got)), SPAN),
    )
    k.functions["f"] = Function("f", "f", "f", (n,), body, SPAN, False, True, False, INT)
    k.body.append(Store(Ref(k.result), Invoke("f", (number(4),), INT, SPAN), SPAN))
    assert k.value() == 10


def test_endless_recursion_is_stopped():
    k = Kernel()
    k.functions["f"] = Function(
        "f", "f", "f", (), (Evaluate(Invoke("f", (), VOID, SPAN), SPAN),), SPAN, False, True, False, VOID
    )
    k.body.append(Evaluate(Invoke("f", (), VOID, SPAN), SPAN))
    with pytest.raises(LimitError, match="nest deeper"):
        k.run()


def test_an_endless_loop_is_stopped():
    k = Kernel()
    k.body.append(Loop((), number(1), (), (), SPAN))
    with pytest.raises(LimitError, match="1000 steps"):
        k.run(limits=Limits(steps=1000))


def test_time_is_bounded():
    k = Kernel()
    k.body.append(Loop((), number(1), (), (), SPAN))
    with pytest.raises(LimitError, match=r" s$"):
        k.run(limits=Limits(seconds=0.0))


def test_arrays_structs_and_pointers_to_them():
    k = Sums()
    array = ArrayType(INT, 3)
    a = k.let("a", array, Construct(array, (number(1), number(2))))
    p = k.let("p", PointerType(INT), AddressOf(Index(Ref(a), number(1), INT), PointerType(INT)))
    k.body.append(Store(Deref(Ref(p), INT), number(40), SPAN))
    after = Deref(op("+", Ref(p), number(1), PointerType(INT)), INT)
    k.body.append(Store(after, number(300), SPAN))
    pair = StructType("pair", (("x", INT), ("y", array)))
    s = k.let("s", pair, Construct(pair, (number(5), Ref(a))))
    k.body.append(Store(Index(Ref(a), number(0), INT), number(7000), SPAN))  # the struct has its own copy
    total = op("+", Field(Ref(s), "x", INT), Index(Field(Ref(s), "y", array), number(0), INT))
    for i in (1, 2):
        total = op("+", total, Index(Field(Ref(s), "y", array), number(i), INT))
    k.body.append(Store(Ref(k.result), total, SPAN))
    assert k.value() == 5 + 1 + 40 + 300


def test_an_index_outside_an_array():
    k = Kernel()
    array = ArrayType(INT, 2)
    a = k.let("a", array, Construct(array, ()))
    k.body.append(Store(Index(Ref(a), number(2), INT), number(0), SPAN))
    with pytest.raises(ExecutorError, match="index 2 outside an array of 2"):
        k.run()


def test_pointers_into_global_memory():
    k = Kernel()
    x, y = k.pointer("x", "float"), k.pointer("y", "float")
    moved = op("+", Ref(x), number(3), x.type)
    k.body.append(Store(Deref(Ref(y), FLOAT), Deref(moved, FLOAT), SPAN))
    distance = op("-", moved, Ref(x), INT)
    k.body.append(Store(Index(Ref(y), number(1), FLOAT), Cast(distance, FLOAT), SPAN))
    out = k.run(x=np.arange(8, dtype=np.float32) * 1.5, y=np.zeros(2, np.float32))["y"]
    assert out.tolist() == [4.5, 3.0]


def test_the_bits_of_a_float():
    k = Sums()
    f = k.let("f", FLOAT, number(1.5, FLOAT))
    punned = Deref(Cast(AddressOf(Ref(f), PointerType(FLOAT)), PointerType(INT), True), INT)
    k.body.append(Store(Ref(k.result), punned, SPAN))
    assert k.value() == 0x3FC00000


def test_tiles_in_arrays_keep_their_own_valid_region():
    k = Kernel()
    tile = tile_type("Vec", "float", 4, 8, valid=(-1, 8))
    pair = ArrayType(tile, 2)
    tiles = k.let("t", pair, Construct(pair, (Construct(tile, (number(4),)), Construct(tile, (number(4),)))))
    for i in range(2):
        item = Index(Ref(tiles), number(i), tile)
        k.call("TASSIGN", obj=item, addr=i * 0x100)
    k.body.append(Store(Field(Index(Ref(tiles), number(1), tile), "valid_row", INT), number(2), SPAN))
    y = k.pointer("y", "float")
    for i in range(2):
        k.call("TEXPANDS", dst=Index(Ref(tiles), number(i), tile), scalar=float(i + 1))
    both = k.tile("both", tile_type("Vec", "float", 16, 8), 0)
    k.call("TSTORE", dst=k.tensor("g", y, (16, 8)), src=both)
    out = k.run(y=np.zeros((16, 8), np.float32))["y"]
    assert (out[:4] == 1).all() and (out[8:10] == 2).all() and (out[10:] == 0).all()


def test_blocks_run_in_turn():
    k = Kernel()
    y = k.pointer("y", "int32_t")
    block = Builtin("get_block_idx", (), INT)
    value = op("+", op("*", Builtin("get_block_num", (), INT), number(10)), block)
    k.body.append(Store(Index(Ref(y), block, INT), value, SPAN))
    assert k.run(blocks=3, y=np.zeros(3, np.int32))["y"].tolist() == [30, 31, 32]


def test_a_condition_that_was_vouched_for():
    k = Kernel()
    n = k.number("n")
    k.body.append(Assume(less(n, number(10)), "assert", SPAN))
    k.run(n=3)
    with pytest.raises(AssumptionError, match="condition of assert"):
        k.run(n=10)


def test_what_was_not_understood_stops_the_run_where_it_matters():
    k = Sums()
    k.body.append(Opaque("inline assembly", (Ref(k.result),), SPAN))
    with pytest.raises(ExecutorError, match="inline assembly"):
        k.value()
    k = Sums()
    k.let("unused", INT, Unknown("an intrinsic", INT))
    assert k.value() == 0
    k = Kernel()
    k.body.append(Opaque("inline assembly", (), SPAN))
    with pytest.raises(ExecutorError, match="line 1 was not understood"):
        k.run()


def test_nested_blocks_and_selection():
    k = Sums()
    pick = Select(less(k.result, number(1)), number(8), number(9), INT)
    k.body.append(Block((Block((Store(Ref(k.result), pick, SPAN),), SPAN),), SPAN))
    assert k.value() == 8


@pytest.mark.parametrize(
    ("symbol", "left", "right", "name", "expected"),
    [
        ("/", -7, 2, "int32_t", -3),
        ("%", -7, 2, "int32_t", -1),
        ("%", 7, -2, "int32_t", 1),
        ("+", 2**31 - 1, 1, "int32_t", -(2**31)),
        ("-", 3, 5, "uint32_t", 2**32 - 2),
        ("*", 2**40, 2**30, "uint64_t", 2**70 % 2**64),
        ("<<", 1, 31, "int32_t", -(2**31)),
        (">>", -8, 1, "int32_t", -4),
        ("&", 0xF0, 0x3C, "uint8_t", 0x30),
        ("/", 1.0, 3.0, "float", float(np.float32(1) / np.float32(3))),
        ("==", 1, 1, "bool", True),
    ],
)
def test_c_arithmetic(symbol, left, right, name, expected):
    assert binary(symbol, left, right, scalar(name)) == expected


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [
        (70000, "uint16_t", 4464),
        (-1, "uint32_t", 2**32 - 1),
        (200, "int8_t", -56),
        (2.9, "int32_t", 2),
        (-2.9, "int32_t", -2),
        (2049, "half", 2048.0),
    ],
)
def test_conversions(value, name, expected):
    assert convert(value, scalar(name)) == expected


def test_division_by_zero_is_one_line():
    with pytest.raises(ExecutorError, match="division by zero"):
        binary("/", 1, 0, INT)
