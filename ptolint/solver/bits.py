"""C's fixed-width side of arithmetic on terms: wrapping, shifts, bitwise operators."""

from __future__ import annotations

from ptolint.solver.division import floordiv, floormod
from ptolint.solver.terms import Num, Term, add, choose, interval, lt, make, mul, sub


def wrap(x: Num, bits: int, signed: bool) -> Num:
    """`x` reduced to the values of a C integer of `bits` bits."""
    size = 1 << bits
    low = -(size >> 1) if signed else 0
    high = low + size - 1
    if isinstance(x, int):
        return (x - low) % size + low
    lo, hi = interval(x)
    if lo is not None and hi is not None:
        if low <= lo and hi <= high:
            return x
        if x.op == "ite":
            return choose(x.args[0], wrap(x.args[1], bits, signed), wrap(x.args[2], bits, signed))
        if low - size <= lo and hi <= high:
            return choose(lt(x, low), add(x, size), x)
        if low <= lo and hi <= high + size:
            return choose(lt(high, x), sub(x, size), x)
    return add(floormod(sub(x, low), size), low)


def shift_left(a: Num, b: Num) -> Num | None:
    """a << b; None where that cannot be expressed."""
    if isinstance(b, int) and 0 <= b < 64:
        return mul(a, 1 << b)
    return None


def shift_right(a: Num, b: Num) -> Num | None:
    """a >> b, arithmetic; None where that cannot be expressed."""
    if isinstance(b, int) and 0 <= b < 64:
        return floordiv(a, 1 << b)
    return None


def bit_and(a: Num, b: Num) -> Num | None:
    """a & b; None where that cannot be expressed. Masks of low or of high bits become remainders."""
    if isinstance(a, int) and isinstance(b, int):
        return a & b
    if isinstance(a, int):
        a, b = b, a
    if isinstance(b, int):
        low = b & -b
        if b >= 0 and (b & (b + 1)) == 0:
            return floormod(a, b + 1)
        if b < 0 and -b == low:
            return sub(a, floormod(a, low))
        if b > 0 and ((b + low) & b) == 0:  # one run of bits
            return sub(floormod(a, b + low), floormod(a, low))
        return _bitwise("and", a, b)
    return _bitwise("and", a, b)


def bit_or(a: Num, b: Num) -> Num | None:
    """a | b; None where that cannot be expressed."""
    if isinstance(a, int) and isinstance(b, int):
        return a | b
    both = bit_and(a, b)
    return None if both is None else sub(add(a, b), both)


def bit_xor(a: Num, b: Num) -> Num | None:
    """a ^ b; None where that cannot be expressed."""
    if isinstance(a, int) and isinstance(b, int):
        return a ^ b
    both = bit_and(a, b)
    return None if both is None else sub(add(a, b), mul(2, both))


def _bitwise(op: str, a: Num, b: Num) -> Num | None:
    (al, ah), (bl, bh) = interval(a), interval(b)
    if al is None or ah is None or bl is None or bh is None or min(al, bl) < 0 or max(ah, bh) >= 1 << 62:
        return None
    return make("bit" + op, (a, b), False, 0, min(ah, bh))


def evaluate_bitwise(op: str, a: int, b: int) -> int:
    """The value of a bitwise term for plain numbers."""
    assert op == "bitand"
    return a & b


__all__ = ["Num", "Term", "bit_and", "bit_or", "bit_xor", "evaluate_bitwise", "shift_left", "shift_right", "wrap"]
