"""Kernels with one property each."""

from tests.kernels import BAD

CONTRACT = """#include <pto/pto-inst.hpp>
using namespace pto;

extern "C" __global__ AICORE void copy(__gm__ float* out, __gm__ float* in, int n)
{
    using View = GlobalTensor<float, Shape<1, 1, 1, -1, 64>, Stride<1024, 1024, 1024, 64, 1>>;
    Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, 64> a(n);
    TASSIGN(a, 0x0);
    View src(in, Shape<1, 1, 1, -1, 64>(n)), dst(out, Shape<1, 1, 1, -1, 64>(n));
    TLOAD(a, src);
    TSTORE(dst, a);
}
"""
HELPER = """#pragma once
#include <pto/pto-inst.hpp>

template <typename A, typename B>
AICORE inline void multiply(A& a, B& b)
{
    pto::TMUL(a, a, b);
}
"""
USES_HELPER = """#include "helper.hpp"
using namespace pto;

extern "C" __global__ AICORE void k()
{
    Tile<TileType::Vec, float, 16, 64> a;
    Tile<TileType::Vec, half, 16, 64> b;
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x1000);
    multiply(a, b);
}
"""
WIDE = BAD.replace("    TMUL(a, a, b);", "    /* 𝕏é */ TMUL(a, a, b); // 𝕏")
"""The finding stands behind a character of two UTF-16 units (four bytes) and one of a single unit (two bytes)."""


def line_of(text: str, part: str) -> int:
    """The line of the first `part`, from 0."""
    return text[: text.index(part)].count("\n")


def apply(text: str, edits: list[dict]) -> str:  # type: ignore[type-arg]
    """The text with edits made, for texts without characters above U+FFFF."""
    lines = text.split("\n")

    def offset(position: dict[str, int]) -> int:
        return sum(len(line) + 1 for line in lines[: position["line"]]) + position["character"]

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text
