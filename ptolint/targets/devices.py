"""The devices: architecture macros and buffer capacities (PTO machine documentation, buffer limits)."""

from __future__ import annotations

from ptolint.targets.model import Buffer, Target

KIB = 1024


def _buffers(ub: int, l1: int, l0a: int, l0b: int, l0c: int, bias: int, fixpipe: int, scale: int) -> dict[str, Buffer]:
    """Buffers by tile location, sizes in KiB."""
    return {
        "Vec": Buffer("UB", ub * KIB),
        "Mat": Buffer("L1", l1 * KIB),
        "Left": Buffer("L0A", l0a * KIB),
        "Right": Buffer("L0B", l0b * KIB),
        "Acc": Buffer("L0C", l0c * KIB),
        "Bias": Buffer("bias table", bias * KIB),
        "Scaling": Buffer("fixpipe buffer", fixpipe * KIB),
        "ScaleLeft": Buffer("L0A scale buffer", scale * KIB),
        "ScaleRight": Buffer("L0B scale buffer", scale * KIB),
    }


def _cores(vec: str, cube: str) -> dict[str, tuple[tuple[str, str], ...]]:
    return {
        "vec": (("__DAV_VEC__", "1"), (vec, "1")),
        "cube": (("__DAV_CUBE__", "1"), (cube, "1")),
    }


_A2A3 = Target(
    "a2a3",
    "Atlas A2/A3",
    2201,
    (("__NPU_ARCH__", "2201"), ("PTO_NPU_ARCH_A2A3", "1"), ("MEMORY_BASE", "1")),
    _cores("__DAV_C220_VEC__", "__DAV_C220_CUBE__"),
    _buffers(192, 512, 64, 64, 128, 1, 2, 0),
)
_A5 = Target(
    "a5",
    "Ascend 950PR/950DT",
    3510,
    (("__NPU_ARCH__", "3510"), ("PTO_NPU_ARCH_A5", "1"), ("REGISTER_BASE", "1")),
    _cores("__DAV_C310_VEC__", "__DAV_C310_CUBE__"),
    _buffers(256, 512, 64, 64, 256, 4, 4, 4),
)
_KIRIN9030 = Target(
    "kirin9030",
    "Kirin 9030",
    3113,
    (("__NPU_ARCH__", "3113"), ("PTO_NPU_ARCH_KIRIN9030", "1"), ("REGISTER_BASE", "1")),
    _cores("__DAV_L300_VEC__", "__DAV_L300_CUBE__"),
    _buffers(128, 512, 32, 32, 64, 1, 7, 0),
)
_KIRINX90 = Target(
    "kirinx90",
    "Kirin X90",
    3003,
    (("__NPU_ARCH__", "3003"), ("PTO_NPU_ARCH_KIRINX90", "1"), ("REGISTER_BASE", "1")),
    _cores("__DAV_L311_VEC__", "__DAV_L311_CUBE__"),
    _buffers(128, 1024, 64, 64, 128, 1, 6, 0),
)

TARGETS: dict[str, Target] = {t.name: t for t in (_A2A3, _A5, _KIRIN9030, _KIRINX90)}
