"""Gathering, scattering, sorting and interleaving against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from ptolint.executor.errors import NoModelError

from .kernels import Kernel, tile_type

PATTERNS = {"P0101": (2, 0), "P1010": (2, 1), "P0001": (4, 0), "P0010": (4, 1), "P0100": (4, 2), "P1000": (4, 3)}


class Case:
    """A kernel of tiles that are loaded, one instruction, and tiles that are stored."""

    def __init__(self) -> None:
        self.k = Kernel()
        self.arrays: dict[str, np.ndarray] = {}
        self.tiles: dict[str, object] = {}
        self._next = 0

    def _tile(self, name, dtype, rows, cols, valid):
        type_ = tile_type("Vec", dtype, rows, cols, valid=valid)
        self.tiles[name] = self.k.tile(name, type_, self._next)
        self._next += 0x2000
        return self.tiles[name]

    def load(self, name, dtype, array, cols=None):
        rows, width = array.shape
        tile = self._tile(name, dtype, rows, cols or width, (rows, width))
        self.arrays[name] = array
        self.k.call("TLOAD", dst=tile, src=self.k.tensor("g_" + name, self.k.pointer(name, dtype), array.shape))

    def out(self, name, dtype, shape, np_type, cols=None):
        self._tile(name, dtype, shape[0], cols or shape[1], shape)
        self.arrays["o_" + name] = np.zeros(shape, np_type)
        self.k.pointer("o_" + name, dtype)

    def run(self, instruction, template=None, **operands):
        k = self.k
        k.call(instruction, template, **{n: self.tiles.get(n, v) for n, v in operands.items()})
        outs = [n for n in self.arrays if n.startswith("o_")]
        for name in outs:
            param = next(p for p in k.params if p.name == name)
            k.call("TSTORE", dst=k.tensor("g_" + name, param, self.arrays[name].shape), src=self.tiles[name[2:]])
        result = k.run(**self.arrays)
        return [result[n] for n in outs]


def sample(rows, cols, seed=4):
    return np.random.default_rng(seed).permutation(rows * cols).reshape(rows, cols).astype(np.float32)


@pytest.mark.parametrize(("pattern", "place"), PATTERNS.items())
def test_gather_by_mask(pattern, place):
    step, first = place
    x = sample(3, 32)
    c = Case()
    c.load("src", "float", x)
    c.out("dst", "float", (3, 32 // step), np.float32)
    (y,) = c.run("TGATHER", {"mask_pattern": pattern}, dst=None, src=None)
    for i in range(3):
        for j in range(32 // step):
            assert y[i, j] == x[i, step * j + first]


def test_gather_and_scatter_rows():
    x = sample(4, 8)
    c = Case()
    c.load("src", "float", x)
    c.out("dst", "float", (2, 8), np.float32)
    (y,) = c.run("TGATHER", {"mask_pattern": "P1010", "gather_type": "GATHER_COL"}, dst=None, src=None)
    assert y.tolist() == [x[1].tolist(), x[3].tolist()]
    c = Case()
    c.load("src", "float", x)
    c.out("dst", "float", (8, 8), np.float32)
    (y,) = c.run("TSCATTER", {"mask_pattern": "P1010", "scatter_type": "SCATTER_COL"}, dst=None, src=None)
    for i in range(8):
        assert y[i].tolist() == (x[i // 2].tolist() if i % 2 else [0.0] * 8)


def test_gather_by_mask_is_dense_across_rows():
    x = sample(4, 16)
    c = Case()
    c.load("src", "float", x)
    c.out("dst", "float", (2, 16), np.float32)
    (y,) = c.run("TGATHER", {"mask_pattern": "P0101"}, dst=None, src=None)
    assert y.ravel().tolist() == [x[i, j] for i in range(4) for j in range(0, 16, 2)]


def test_gather_blocks_of_bytes():
    x = sample(2, 32)
    offsets = np.array([[96, 0], [32, 128]], np.uint32)
    c = Case()
    c.load("src", "float", x)
    c.load("offset", "uint32_t", offsets, cols=8)
    c.out("dst", "float", (2, 16), np.float32)
    (y,) = c.run("TGATHERB", dst=None, src=None, offset=None)
    for i in range(2):
        for j in range(16):
            assert y[i, j] == x.ravel()[int(offsets[i, j // 8]) // 4 + j % 8]


def test_scatter_by_index():
    x = sample(2, 8)
    index = np.array([[5, 3, 1, 0, 9, 8, 7, 6], [12, 2, 4, 10, 11, 13, 14, 15]], np.uint32)
    c = Case()
    c.load("src", "float", x)
    c.load("indexes", "uint32_t", index)
    c.out("dst", "float", (3, 8), np.float32)
    (y,) = c.run("TSCATTER", dst=None, src=None, indexes=None)
    expected = [0.0] * 24
    for i in range(2):
        for j in range(8):
            expected[index[i, j]] = x[i, j]
    assert y.ravel().tolist() == expected


@pytest.mark.parametrize(("pattern", "place"), PATTERNS.items())
def test_scatter_by_mask(pattern, place):
    step, first = place
    x = sample(2, 8)
    c = Case()
    c.load("src", "float", x)
    c.out("dst", "float", (2, 8 * step), np.float32)
    (y,) = c.run("TSCATTER", {"mask_pattern": pattern}, dst=None, src=None)
    for i in range(2):
        for j in range(8 * step):
            assert y[i, j] == (x[i, j // step] if j % step == first else 0)


def test_indices_outside_stop_the_run():
    c = Case()
    c.load("src", "float", sample(1, 8))
    c.load("indexes", "uint32_t", np.full((1, 8), 99, np.uint32))
    c.out("dst", "float", (1, 8), np.float32)
    with pytest.raises(NoModelError, match="indices outside dst"):
        c.run("TSCATTER", dst=None, src=None, indexes=None)


@pytest.mark.parametrize(("dtype", "np_type", "wide"), [("float", np.float32, 2), ("half", np.float16, 4)])
@pytest.mark.parametrize("cols", [64, 48])
def test_sort_blocks_of_32(dtype, np_type, wide, cols):
    x = np.random.default_rng(8).integers(0, 20, (2, cols)).astype(np_type)
    index = np.arange(2 * cols, dtype=np.uint32).reshape(2, cols)
    c = Case()
    c.load("src", dtype, x)
    c.load("idx", "uint32_t", index)
    c.out("dst", dtype, (2, cols * wide), np_type)
    (y,) = c.run("TSORT32", dst=None, src=None, idx=None)
    for i in range(2):
        pairs = []
        for start in range(0, cols, 32):
            block = [(float(x[i, j]), int(index[i, j])) for j in range(start, min(start + 32, cols))]
            pairs += sorted(block, key=lambda p: (-p[0], p[1]))
        row = y[i].reshape(-1, wide)
        assert row[:, 0].astype(float).tolist() == [v for v, _ in pairs]
        assert row[:, wide // 2 :].copy().view(np.uint32)[:, 0].tolist() == [n for _, n in pairs]


def pairs_of(values, first):
    raw = np.zeros((len(values), 2), np.float32)
    raw[:, 0] = sorted(values, reverse=True)
    raw[:, 1] = np.arange(first, first + len(values), dtype=np.uint32).view(np.float32)
    return raw


def test_merge_four_blocks():
    rng = np.random.default_rng(5)
    blocks = [pairs_of(rng.integers(0, 50, 8), 8 * b) for b in range(8)]
    c = Case()
    c.load("src", "float", np.concatenate(blocks).reshape(1, -1))
    c.out("dst", "float", (1, 128), np.float32)
    (y,) = c.run("TMRGSORT", dst=None, src=None, block_len=16)
    expected = []
    for group in (blocks[:4], blocks[4:]):
        expected += sorted((p for b in group for p in b.tolist()), key=lambda p: -p[0])
    assert y.reshape(-1, 2).tolist() == expected


def test_merge_lists_into_the_first_few():
    lists = [pairs_of([9, 5, 5, 1], 0), pairs_of([7, 5, 2, 2], 4)]
    c = Case()
    for n, values in enumerate(lists):
        c.load(f"src{n}", "float", values.reshape(1, -1))
    c.out("dst", "float", (1, 8), np.float32)
    (y,) = c.run("TMRGSORT", {"exhausted": False}, dst=None, src0=None, src1=None)
    assert y.reshape(-1, 2)[:, 0].tolist() == [9, 7, 5, 5]
    assert y.reshape(-1, 2)[:, 1].copy().view(np.uint32).tolist() == [0, 4, 1, 2]


@pytest.mark.parametrize("cols", [16, 13])
def test_interleave(cols):
    a, b = sample(2, cols), sample(2, cols, seed=6)
    c = Case()
    c.load("src0", "float", a, cols=16)
    c.load("src1", "float", b, cols=16)
    c.out("dst0", "float", (2, cols), np.float32, cols=16)
    c.out("dst1", "float", (2, cols), np.float32, cols=16)
    low, high = c.run("TINTERLEAVE", dst1=None, dst0=None, src1=None, src0=None)
    for i in range(2):
        for j in range(cols):
            assert low[i, j] == (a, b)[j % 2][i, j // 2]
            assert high[i, j] == (a, b)[j % 2][i, cols // 2 + j // 2]


def test_deinterleave():
    a, b = sample(2, 16), sample(2, 16, seed=6)
    c = Case()
    c.load("src0", "float", a)
    c.load("src1", "float", b)
    c.out("dst0", "float", (2, 16), np.float32)
    c.out("dst1", "float", (2, 16), np.float32)
    even, odd = c.run("TDEINTERLEAVE", dst1=None, dst0=None, src1=None, src0=None)
    for i in range(2):
        row = [*a[i], *b[i]]
        assert even[i].tolist() == row[0::2]
        assert odd[i].tolist() == row[1::2]


def test_deinterleave_one_source():
    a = sample(2, 16)
    c = Case()
    c.load("src", "float", a)
    c.out("dst0", "float", (2, 8), np.float32)
    c.out("dst1", "float", (2, 8), np.float32)
    even, odd = c.run("TDEINTERLEAVE", dst1=None, dst0=None, src=None)
    assert even.tolist() == [row[0::2] for row in a.tolist()]
    assert odd.tolist() == [row[1::2] for row in a.tolist()]


@pytest.mark.parametrize("name", ["MAX", "MIN"])
def test_partial_arguments(name):
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 4, (3, 8)).astype(np.float32), rng.integers(0, 4, (2, 8)).astype(np.float32)
    ia, ib = np.arange(24, dtype=np.int32).reshape(3, 8), np.arange(100, 116, dtype=np.int32).reshape(2, 8)
    c = Case()
    c.load("src0", "float", a)
    c.load("src1", "float", b)
    c.load("src0_idx", "int32_t", ia)
    c.load("src1_idx", "int32_t", ib)
    c.out("dst", "float", (3, 8), np.float32)
    c.out("dst_idx", "int32_t", (3, 8), np.int32)
    names = ("dst", "src0", "src1", "dst_idx", "src0_idx", "src1_idx")
    y, index = c.run(f"TPARTARG{name}", **dict.fromkeys(names))
    for i in range(3):
        for j in range(8):
            second = i < 2 and (b[i, j] > a[i, j] if name == "MAX" else b[i, j] < a[i, j])
            assert (y[i, j], index[i, j]) == ((b[i, j], ib[i, j]) if second else (a[i, j], ia[i, j]))


@pytest.mark.parametrize(("dtype", "np_type"), [("float", np.float32), ("half", np.float16), ("int32_t", np.int32)])
def test_power(dtype, np_type):
    a = np.array([[1, 2, 3, 4, 5, 6, 7, 8]], np_type)
    b = np.array([[0, 1, 2, 3, 4, 5, 2, 1]], np_type)
    c = Case()
    c.load("base", dtype, a, cols=16)
    c.load("exp", dtype, b, cols=16)
    c.out("dst", dtype, (1, 8), np_type, cols=16)
    (y,) = c.run("TPOW", dst=None, base=None, exp=None)
    assert y[0].tolist() == [x**e for x, e in zip(a[0].tolist(), b[0].tolist(), strict=True)]


@pytest.mark.parametrize("cols", [16, 13])
def test_pair_sums(cols):
    a = sample(2, cols)
    c = Case()
    c.load("src0", "float", a, cols=16)
    c.out("dst", "float", (2, cols), np.float32, cols=16)
    (y,) = c.run("TPAIRREDUCESUM", dst=None, src0=None)
    for i in range(2):
        sums = [a[i, j] + a[i, j + 1] for j in range(0, cols - 1, 2)]
        assert y[i].tolist() == sums + [0.0] * (cols - len(sums))
