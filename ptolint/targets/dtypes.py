"""Element types: width, packing and the targets that have them. The only place for such facts."""

from __future__ import annotations

from ptolint.targets.model import Dtype

_ALL = frozenset({"a2a3", "a5", "kirin9030", "kirinx90"})
_A5 = frozenset({"a5"})

_ROWS: tuple[tuple[str, int, str, frozenset[str], int], ...] = (
    ("bool", 8, "uint", _ALL, 1),
    ("int8_t", 8, "int", _ALL, 1),
    ("uint8_t", 8, "uint", _ALL, 1),
    ("int16_t", 16, "int", _ALL, 1),
    ("uint16_t", 16, "uint", _ALL, 1),
    ("int32_t", 32, "int", _ALL, 1),
    ("uint32_t", 32, "uint", _ALL, 1),
    ("int64_t", 64, "int", _ALL, 1),
    ("uint64_t", 64, "uint", _ALL, 1),
    ("half", 16, "float", _ALL, 1),
    ("bfloat16_t", 16, "float", _ALL, 1),
    ("float", 32, "float", _ALL, 1),
    ("double", 64, "float", _ALL, 1),
    ("int4b_t", 4, "int", frozenset({"a2a3"}), 2),
    ("float8_e4m3_t", 8, "float", _A5, 1),
    ("float8_e5m2_t", 8, "float", _A5, 1),
    ("float8_e8m0_t", 8, "scale", _A5, 1),
    ("hifloat8_t", 8, "float", _A5, 1),
    ("hifloat4x2_t", 4, "float", _A5, 2),
    ("float4_e2m1x2_t", 4, "float", _A5, 2),
    ("float4_e1m2x2_t", 4, "float", _A5, 2),
)

DTYPES: dict[str, Dtype] = {
    name: Dtype(name, bits, kind, targets, per_byte) for name, bits, kind, targets, per_byte in _ROWS
}


def dtype(name: str) -> Dtype | None:
    """The element type called `name` in C++, or None where it is unknown."""
    return DTYPES.get(name)
