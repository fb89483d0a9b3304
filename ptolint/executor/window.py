"""A rectangular piece of a memory: reads and writes of r x c elements through separable offsets.

Bytes outside the memory read as undefined zeros and swallow writes; both are logged with their
addresses.  Equally spaced rows and columns go through a strided view, the rest through one gather.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from ptolint.executor.dtypes import Array, Element
from ptolint.executor.layout import Index
from ptolint.executor.memory import MAX_ELASTIC, Log, Memory

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Window:
    """Elements at `base` bytes + (rows[i] + cols[j]) elements of `memory`; `name` is the operand's for reports."""

    memory: Memory
    base: int
    rows: Index
    cols: Index
    element: Element
    name: str
    owner: int = 0

    def read(self, log: Log) -> Array:
        """Raw elements, shape (rows, cols); undefined ones are counted in the log."""
        if not self._fits(log, "read"):
            return self._read_clipped(log)
        if self.memory.defined is not None:
            self._report_undefined(self._gather(self.memory.defined, fill=True), log)
        if self.memory.owner is not None:
            self._report_clobbered(log)
        return self._gather(self.memory.data)

    def write(self, raw: Array, log: Log) -> None:
        """Stores raw elements of shape (rows, cols) and marks their bytes defined."""
        if not self._fits(log, "written"):
            self._write_clipped(raw)
            return
        self._scatter(self.memory.data, raw)
        self._mark(255)

    def forget(self, log: Log) -> None:
        """Marks the bytes undefined, without touching their contents."""
        if self.memory.defined is not None and self._fits(log, "written"):
            self._mark(0)

    def peek(self, log: Log) -> Array:
        """Raw elements without a report of undefined ones."""
        return self._gather(self.memory.data) if self._fits(log, "read") else self._read_clipped(log)

    def flags(self, log: Log) -> Mask | None:
        """Which elements are defined; None where all are, or the window leaves its memory."""
        low, high = self.span()
        if self.memory.defined is None or low < 0 or high > self.memory.size:
            return None
        return self._defined(self._gather(self.memory.defined, fill=True))

    def set_flags(self, flags: Mask) -> None:
        """Marks elements defined or undefined, one by one; the window has to lie inside its memory."""
        low, high = self.span()
        if self.memory.defined is None or low < 0 or high > self.memory.size:
            return
        if self.element.packed:
            self.memory.defined[self._nibbles() >> 1] = np.where(flags, 255, 0)
        else:
            full = np.iinfo(self.element.raw).max
            self._scatter(self.memory.defined, np.where(flags, full, 0).astype(self.element.raw))

    def _defined(self, flags: Array) -> Mask:
        return np.asarray(flags != 0 if self.element.packed else flags == np.iinfo(flags.dtype).max)

    # ------------------------------------------------------------ bounds

    def span(self) -> tuple[int, int]:
        """First byte and one past the last byte that the elements take."""
        if not len(self.rows) or not len(self.cols):
            return self.base, self.base
        low = int(self.rows.min() + self.cols.min())
        high = int(self.rows.max() + self.cols.max()) + 1
        return self.base + low * self.element.bits // 8, self.base - (-high * self.element.bits // 8)

    def _fits(self, log: Log, verb: str) -> bool:
        low, high = self.span()
        if low >= 0 and self.memory.elastic:
            if self.memory.lenient and high > MAX_ELASTIC:
                return False
            self.memory.ensure(high)
        if low >= 0 and high <= self.memory.size:
            return True
        outside = self._outside()
        count = int(outside.sum()) * self.element.bits // 8
        kind = "outside-tensor" if self.memory.space == "gm" else "outside-buffer"
        first = self._addresses()[outside].min() if count else low
        text = (
            f"{count} bytes {verb} outside {self.memory.name} ({self.memory.size} bytes) through {self.name}, "
            f"first at {first:#x}"
        )
        log.add(kind, text, bytes=count, first=int(first), size=self.memory.size, memory=self.memory.name, verb=verb)
        return False

    def _addresses(self) -> Index:
        offsets = self.rows[:, None] + self.cols[None, :]
        return self.base + offsets * self.element.bits // 8

    def _outside(self) -> Mask:
        addresses = self._addresses()
        size = max(1, self.element.bits // 8)
        return np.asarray((addresses < 0) | (addresses + size > self.memory.size))

    def _read_clipped(self, log: Log) -> Array:
        inside = ~self._outside()
        raw = np.zeros(inside.shape, self.element.raw)
        raw[inside] = self._pick(inside)
        return raw

    def _pick(self, inside: Mask) -> Array:
        if self.element.packed:
            nibbles = (self.rows[:, None] + self.cols[None, :] + 2 * self.base)[inside]
            halves: Array = (self.memory.data[nibbles >> 1] >> (4 * (nibbles & 1)).astype(np.uint8)) & 15
            return halves
        typed, shift = self._typed(self.memory.data)
        offsets = (self.rows[:, None] + self.cols[None, :])[inside]
        result: Array = typed[offsets + shift]
        return result

    def _write_clipped(self, raw: Array) -> None:
        inside = ~self._outside()
        if self.element.packed:
            self._scatter_nibbles(self.memory.data, raw[inside], self._nibbles()[inside])
            return
        typed, shift = self._typed(self.memory.data)
        typed[(self.rows[:, None] + self.cols[None, :])[inside] + shift] = np.broadcast_to(raw, inside.shape)[inside]

    # ------------------------------------------------------------ data

    def _typed(self, data: NDArray[np.uint8]) -> tuple[Array, int]:
        """The memory as elements of this width in phase with `base`, and the index of `base` in it."""
        size = self.element.bits // 8
        phase = self.base % size
        count = (len(data) - phase) // size
        return data[phase : phase + count * size].view(self.element.raw), (self.base - phase) // size

    def _nibbles(self) -> Index:
        return self.rows[:, None] + self.cols[None, :] + 2 * self.base

    def _gather(self, data: NDArray[np.uint8], fill: bool = False) -> Array:
        if self.element.packed:
            return self._gather_nibbles(data, fill)
        typed, shift = self._typed(data)
        steps = _steps(self.rows, self.cols)
        if steps is None:
            result: Array = typed[self.rows[:, None] + (self.cols + shift)[None, :]]
            return result
        return np.ascontiguousarray(_strided(typed, shift, steps, self.shape))

    def _scatter(self, data: NDArray[np.uint8], raw: Array) -> None:
        if self.element.packed:
            self._scatter_nibbles(data, raw, self._nibbles())
            return
        typed, shift = self._typed(data)
        steps = _steps(self.rows, self.cols)
        if steps is None:
            typed[self.rows[:, None] + (self.cols + shift)[None, :]] = raw
        else:
            _strided(typed, shift, steps, self.shape)[...] = raw

    def _gather_nibbles(self, data: NDArray[np.uint8], fill: bool) -> Array:
        nibbles = self._nibbles()
        picked: Array = data[nibbles >> 1]
        return picked if fill else (picked >> (4 * (nibbles & 1)).astype(np.uint8)) & 15

    @staticmethod
    def _scatter_nibbles(data: NDArray[np.uint8], raw: Array, nibbles: Index) -> None:
        raw = np.broadcast_to(raw, nibbles.shape)
        for half in (0, 1):  # the two halves of a byte are stored one after the other
            chosen = (nibbles & 1) == half
            where, values = nibbles[chosen] >> 1, raw[chosen].astype(np.uint8)
            kept = data[where] & (0xF0 if half == 0 else 0x0F)
            data[where] = kept | (values << (4 * half))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the window."""
        return len(self.rows), len(self.cols)

    # ------------------------------------------------------------ book-keeping

    def _mark(self, flag: int) -> None:
        memory = self.memory
        if memory.defined is not None:
            if self.element.packed:
                memory.defined[self._nibbles() >> 1] = flag
            else:
                full = np.iinfo(self.element.raw).max if flag else 0
                self._scatter(memory.defined, np.array(full, self.element.raw))
        if flag and memory.owner is not None and memory.displaced is not None:
            bytes_ = self._byte_addresses()
            before = memory.owner[bytes_]
            memory.displaced[bytes_] = np.where(before == self.owner, memory.displaced[bytes_], before)
            memory.owner[bytes_] = self.owner

    def _byte_addresses(self) -> Index:
        size = max(1, self.element.bits // 8)
        starts = self._addresses().reshape(-1)
        if size == 1:
            return starts
        return (starts[:, None] + np.arange(size)).reshape(-1)

    def _report_undefined(self, flags: Array, log: Log) -> None:
        undefined = ~self._defined(flags)
        count = int(undefined.sum())
        if count:
            row, col = (int(v) for v in np.unravel_index(int(undefined.argmax()), undefined.shape))
            text = f"{count} of {undefined.size} elements of {self.name} are undefined when read, first [{row}, {col}]"
            log.add("undefined-read", text, count=count, of=undefined.size, first=(row, col), operand=self.name)

    def _report_clobbered(self, log: Log) -> None:
        memory = self.memory
        assert memory.owner is not None and memory.displaced is not None
        bytes_ = self._byte_addresses()
        lost = (memory.owner[bytes_] != self.owner) & (memory.displaced[bytes_] == self.owner)
        count = int(lost.sum())
        if count and self.owner:
            first = int(bytes_[lost][0])
            text = f"{count} bytes of {self.name} were overwritten by another tile before this read, from {first:#x}"
            log.add("clobbered", text, bytes=count, first=first, memory=memory.name, operand=self.name)


def _step(index: Index) -> int | None:
    """The common difference of an index vector, or None; 1 for a single index."""
    if len(index) < 2:
        return 1
    step = int(index[1] - index[0])
    return (
        step if int(index[-1] - index[0]) == step * (len(index) - 1) and bool((np.diff(index) == step).all()) else None
    )


def _steps(rows: Index, cols: Index) -> tuple[int, int, int] | None:
    """First offset and the two steps where rows and columns are equally spaced."""
    if not len(rows) or not len(cols):
        return (0, 1, 1)
    row_step, col_step = _step(rows), _step(cols)
    if row_step is None or col_step is None:
        return None
    return int(rows[0] + cols[0]), row_step, col_step


def _strided(typed: Array, shift: int, steps: tuple[int, int, int], shape: tuple[int, int]) -> Any:
    first, row_step, col_step = steps
    size = typed.dtype.itemsize
    return as_strided(typed[shift + first :], shape, (row_step * size, col_step * size))


def copy_bits(target: Window, source: Window, log: Log, convert: Any = None) -> None:
    """Moves elements with their defined bits: an undefined source element makes an undefined target element.

    `convert` maps raw elements of the source type to raw elements of the target type.
    """
    flags = source.flags(log)
    raw = source.peek(log)
    target.write(convert(raw) if convert else raw, log)
    if flags is not None and not flags.all():
        target.set_flags(flags)
