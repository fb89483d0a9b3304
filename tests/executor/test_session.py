"""Cores side by side, flags, and what a run notes about overlapping tiles."""

from __future__ import annotations

import numpy as np
import pytest

from ptolint.executor.scheduler import Deadlock
from ptolint.executor.session import Launch, Session
from ptolint.targets import get_target

from .kernels import Kernel, number, tile_type


def side_by_side(cube: Kernel, vec: Kernel, **arrays) -> Session:
    programs = {"cube": cube.program(), "vec": vec.program()}
    session = Session(programs, get_target("a5"), Launch(arrays))
    session.run({core: p.functions["k"] for core, p in programs.items()})
    return session


def cube_kernel(order: bool = True) -> Kernel:
    """Fills L1 and hands it to vector core 0 by flag 3, once that core has given the word by flag 5."""
    k = Kernel(core="cube")
    k.pointer("y", "float")
    if order:
        k.call("wait_intra_block", pipe="PIPE_MTE2", flag=5)
    m = k.tile("m", tile_type("Mat", "float", 16, 8, "NZ"), 0)
    k.call("TEXPANDS", dst=m, scalar=7.0)
    k.call("set_intra_block", pipe="PIPE_MTE2", flag=3)
    k.call("set_intra_block", pipe="PIPE_MTE2", flag=3 + 16)
    return k


def test_flags_order_the_cores():
    vec = Kernel()
    y = vec.pointer("y", "float")
    vec.call("set_intra_block", pipe="PIPE_MTE3", flag=5)
    vec.call("wait_intra_block", pipe="PIPE_MTE3", flag=3)
    m = vec.tile("m", tile_type("Mat", "float", 16, 8, "NZ"), 0)
    vec.call("TSTORE", dst=vec.tensor("g", y, (16, 8)), src=m)
    session = side_by_side(cube_kernel(), vec, y=np.zeros((16, 8), np.float32))
    assert (session.memories["y"].data.view(np.float32) == 7).all()
    assert session.log.entries == []


def test_cores_that_wait_for_each_other():
    vec = Kernel()
    vec.pointer("y", "float")
    vec.call("wait_intra_block", pipe="PIPE_MTE3", flag=3)
    t = vec.tile("t", tile_type("Vec", "float", 8, 8), 0)
    vec.call("TEXPANDS", dst=t, scalar=1.0)
    with pytest.raises(Deadlock, match="flag 5"):
        side_by_side(cube_kernel(), vec, y=np.zeros((16, 8), np.float32))


def test_an_error_of_one_core_ends_the_run():
    vec = Kernel()
    vec.pointer("y", "float")
    t = vec.tile("t", tile_type("Vec", "float", 8, 8), 0)
    vec.call("THISTOGRAM", dst=t)
    with pytest.raises(Exception, match="THISTOGRAM has no model"):
        side_by_side(cube_kernel(), vec, y=np.zeros((16, 8), np.float32))


def test_a_wait_that_nothing_set():
    k = Kernel()
    k.call("set_flag", src_pipe="PIPE_V", dst_pipe="PIPE_MTE3", event="EVENT_ID0")
    k.call("wait_flag", src_pipe="PIPE_V", dst_pipe="PIPE_MTE3", event="EVENT_ID0")
    k.run()
    assert k.log == []
    k.call("wait_flag", src_pipe="PIPE_V", dst_pipe="PIPE_MTE3", event="EVENT_ID0")
    k.run()
    assert k.kinds() == ["wait-without-set"] and k.log[0].is_fault


def overlapping(second_address: int, first_again: bool = True) -> Kernel:
    k = Kernel()
    a = k.tile("a", tile_type("Vec", "float", 4, 8), 0)
    b = k.tile("b", tile_type("Vec", "float", 4, 8), second_address)
    c = k.tile("c", tile_type("Vec", "float", 4, 8), 0x1000)
    k.call("TEXPANDS", dst=a, scalar=1.0)
    k.call("TEXPANDS", dst=b, scalar=2.0)
    k.call("TADD", dst=c, src0=a if first_again else b, src1=b)
    return k


def test_clobbered_bytes_are_counted():
    k = overlapping(0x60)
    k.run(track=True)
    assert k.kinds() == ["clobbered"]
    assert dict(k.log[0].facts)["bytes"] == 0x20 and dict(k.log[0].facts)["first"] == 0x60


@pytest.mark.parametrize(("address", "again"), [(0x80, True), (0x60, False)])
def test_reuse_without_reading_is_fine(address, again):
    k = overlapping(address, again)
    k.run(track=True)
    assert k.log == []


def test_bits_of_any_type_and_bytes_for_plain_addresses():
    k = Kernel()
    x, y = k.pointer("x", "bfloat16_t"), k.pointer("y", "uint8_t")
    t = k.tile("t", tile_type("Vec", "bfloat16_t", 1, 16), 0)
    raw = k.tile("raw", tile_type("Vec", "uint8_t", 1, 32), 0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", x, (1, 16)))
    k.call("TSTORE", dst=k.tensor("gy", y, (1, 32)), src=raw)
    bits = np.arange(16, dtype=np.uint16)
    out = k.run(x=bits, y=np.zeros(16, np.float16))["y"]
    assert out.dtype == np.float16 and (out.view(np.uint16) == bits).all()


def test_numbers_as_arrays_of_one():
    k = Kernel()
    n, y = k.number("n"), k.pointer("y", "int32_t")
    t = k.tile("t", tile_type("Vec", "int32_t", 1, 8), 0)
    from ptolint.ir.model import Ref

    k.call("TEXPANDS", dst=t, scalar=Ref(n))
    k.call("TSTORE", dst=k.tensor("gy", y, (1, 8)), src=t)
    assert (k.run(n=np.array([9]), y=np.zeros(8, np.int32))["y"] == 9).all()
    assert number(1).value == 1
