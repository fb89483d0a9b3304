"""What a target is: numbers that rules, solver and executor need, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Buffer:
    """One on-chip memory: size and address alignment in bytes; `size` 0 means the target lacks it."""

    name: str
    size: int
    align: int = 32


@dataclass(frozen=True, slots=True)
class Dtype:
    """One element type: width in bits, kind ("int", "uint", "float", "scale"), targets that have it."""

    name: str
    bits: int
    kind: str
    targets: frozenset[str]
    per_byte: int = 1  # 2 for the packed four-bit types, whose C++ object is one byte

    @property
    def size(self) -> int:
        """Bytes of the C++ object, as `sizeof` gives them (a packed pair of four-bit values takes one)."""
        return max(1, self.bits * self.per_byte // 8)


@dataclass(frozen=True, slots=True)
class Target:
    """One device family: predefined macros per core and the buffer behind each tile location."""

    name: str
    title: str
    arch: int  # __NPU_ARCH__
    macros: tuple[tuple[str, str], ...]
    core_macros: dict[str, tuple[tuple[str, str], ...]]
    buffers: dict[str, Buffer]  # by tile location: Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight

    def dtype_supported(self, dtype: Dtype) -> bool:
        """Whether tiles of this element type exist on the target."""
        return self.name in dtype.targets
