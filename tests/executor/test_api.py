"""`run_kernel`, traces and `.npz` files, from C++ sources."""

from __future__ import annotations

import io
import zipfile

import ml_dtypes
import numpy as np
import pytest

import ptolint
from ptolint.executor.errors import ExecutorError
from ptolint.executor.npz import load_arrays, save_arrays
from ptolint.executor.trace import Trace

SCALE = """
#include <pto/pto-inst.hpp>
using namespace pto;

template <typename T, int COLS>
AICORE inline void scale(__gm__ T *out, __gm__ T *in, int rows, T factor)
{
    using View = GlobalTensor<T, Shape<1, 1, 1, DYNAMIC, COLS>, Stride<COLS, COLS, COLS, COLS, 1>>;
    using Rows = Tile<TileType::Vec, T, 16, COLS, BLayout::RowMajor, DYNAMIC, COLS>;
    const int step = 16 * static_cast<int>(get_block_num());
    for (int row = 16 * static_cast<int>(get_block_idx()); row < rows; row += step) {
        const int here = rows - row < 16 ? rows - row : 16;
        Rows tile(here);
        TASSIGN(tile, 0x0);
        View src(in + row * COLS, Shape<1, 1, 1, DYNAMIC, COLS>(here));
        View dst(out + row * COLS, Shape<1, 1, 1, DYNAMIC, COLS>(here));
        TLOAD(tile, src);
        TMULS(tile, tile, factor);
        TSTORE(dst, tile);
    }
}

extern "C" __global__ AICORE void scale_rows(__gm__ float *out, __gm__ float *in, int rows, float factor)
{
    scale<float, 32>(out, in, rows, factor);
}

extern "C" __global__ AICORE void scale_bf16(__gm__ bfloat16_t *out, __gm__ bfloat16_t *in, int rows)
{
    scale<bfloat16_t, 32>(out, in, rows, static_cast<bfloat16_t>(2.0f));
}
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "scale.cpp"
    path.write_text(SCALE)
    return path


def arguments(rows=37, **more):
    x = np.arange(rows * 32, dtype=np.float32).reshape(rows, 32)
    return x, {"out": np.zeros_like(x), "in": x, "rows": rows, "factor": 0.5, **more}


@pytest.mark.parametrize("blocks", [1, 3])
def test_a_kernel_as_a_function(source, blocks):
    x, args = arguments()
    result = ptolint.run_kernel(source, "scale_rows", target="a2a3", args=args, blocks=blocks)
    assert set(result) == {"out", "in"}
    assert (result["out"] == x * 0.5).all() and result["out"].shape == x.shape
    assert (args["out"] == 0).all()  # arguments are not touched


def test_one_block_only(source):
    x, args = arguments()
    out = ptolint.run_kernel(source, "scale_rows", args=args, blocks=3, block=1)["out"]
    assert (out[16:32] == x[16:32] * 0.5).all() and (out[:16] == 0).all() and (out[32:] == 0).all()


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.uint16])
def test_types_that_numpy_lacks(source, dtype):
    values = np.ones((3, 32), ml_dtypes.bfloat16).view(dtype)
    out = ptolint.run_kernel(source, "scale_bf16", args={"out": values, "in": values, "rows": 3})["out"]
    assert out.dtype == dtype and (out.view(ml_dtypes.bfloat16) == 2).all()


def test_a_tensor_that_grows(source):
    x, args = arguments()
    del args["out"]
    with pytest.raises(ExecutorError, match="no array for the kernel's parameter out"):
        ptolint.run_kernel(source, "scale_rows", args=args)
    out = ptolint.run_kernel(source, "scale_rows", args=args, elastic=True)["out"]
    assert (out == (x * 0.5).reshape(-1)).all()


def test_faults_are_handed_over(source):
    _, args = arguments()
    args["in"] = args["in"][:36]
    violations: list = []
    ptolint.run_kernel(source, "scale_rows", args=args, violations=violations)
    assert [v.kind for v in violations] == ["outside-tensor"]
    assert "128 bytes read outside in" in str(violations[0]) and "TLOAD" in str(violations[0])


@pytest.mark.parametrize(
    ("entry", "change", "message"),
    [
        ("nothing", {}, "no kernel nothing; there are: scale_bf16, scale_rows"),
        ("scale_rows", {"roows": 1}, "no parameter roows"),
        ("scale_rows", {"rows": np.zeros(3)}, "rows takes one number"),
        ("scale_rows", {"in": np.zeros((37, 32))}, "float64"),
    ],
)
def test_mistakes_are_one_line(source, entry, change, message):
    with pytest.raises(ExecutorError, match=message) as caught:
        ptolint.run_kernel(source, entry, args={**arguments()[1], **change})
    assert "\n" not in str(caught.value)


def test_unknown_target_and_file(source, tmp_path):
    with pytest.raises(ExecutorError, match="unknown target"):
        ptolint.run_kernel(source, "scale_rows", target="a7", args={})
    with pytest.raises(ExecutorError, match="missing"):
        ptolint.run_kernel(tmp_path / "missing.cpp", "k", args={})


def test_trace_and_memory_map(source):
    trace = Trace()
    ptolint.run_kernel(source, "scale_rows", args=arguments(16)[1], trace=trace)
    assert [line.split(": ")[1].split("(")[0] for line in trace.lines] == ["TASSIGN", "TLOAD", "TMULS", "TSTORE"]
    assert (
        "tile:Vec float 16x32 valid 16x32 @0x0" in trace.lines[1] and "float[1x1x1x16x32] ND in+0x0" in trace.lines[1]
    )
    assert trace.memory_map == ["UB               0x000000..0x000800 tile (2048 of 2048 bytes defined)"]


def test_a_long_trace_is_cut():
    trace = Trace(limit=0)
    trace.before(None, None, {}, 0)
    assert trace.lines == [] and trace.dropped == 1


def test_npz_round_trip(tmp_path):
    tensors = {"a": np.arange(3, dtype=np.int8), "b": np.ones(2, ml_dtypes.bfloat16)}
    save_arrays(tmp_path / "x.npz", tensors)
    loaded = load_arrays(tmp_path / "x.npz")
    assert loaded["a"].tolist() == [0, 1, 2] and loaded["b"].tolist() == [0x3F80, 0x3F80]


def bomb() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.npy", "w") as file:
        zeros = b"\0" * (1 << 24)
        for _ in range(65):
            file.write(zeros)
    return data.getvalue()


def pickled() -> bytes:
    data = io.BytesIO()
    np.savez(data, a=np.array([{}], dtype=object))
    return data.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda: b"", "not a readable"),
        (lambda: b"garbage" * 100, "not a readable|Python objects"),
        (lambda: b"PK\3\4" + b"\0" * 100, "not a readable"),
        (pickled, "Python objects"),
        (bomb, "unpacks to 1040 MiB"),
    ],
)
def test_hostile_files_are_one_line(tmp_path, content, message):
    path = tmp_path / "x.npz"
    path.write_bytes(content())
    with pytest.raises(ExecutorError, match=message) as caught:
        load_arrays(path)
    assert "\n" not in str(caught.value)
