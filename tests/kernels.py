"""Kernels that several tests use: one that is legal, one with a broken constraint on every target."""

GOOD = """#include <pto/pto-inst.hpp>
using namespace pto;

extern "C" __global__ AICORE void scale(__gm__ float* out, __gm__ float* in)
{
    using View = GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1024, 1024, 1024, 64, 1>>;
    using Block = Tile<TileType::Vec, float, 16, 64>;
    Block a, b;
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x1000);
    View src(in), dst(out);
    TLOAD(a, src);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TMUL(b, a, a);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(dst, b);
}
"""
BAD = (
    GOOD.replace("Block a, b;", "Block a;\n    Tile<TileType::Vec, half, 16, 64> b;")
    .replace("TMUL(b, a, a);", "TMUL(a, a, b);")
    .replace("TSTORE(dst, b);", "TSTORE(dst, a);")
)
BAD_LINE = BAD[: BAD.index("TMUL(")].count("\n") + 1
