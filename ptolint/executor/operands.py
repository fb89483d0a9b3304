"""Operands as an instruction model sees them: tiles and tensors that read and write values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ptolint.executor.dtypes import Array, Element, element
from ptolint.executor.errors import ExecutorError, LimitError, NoModelError
from ptolint.executor.expressions import known
from ptolint.executor.layout import (
    Extent,
    conv_axes,
    conv_extent,
    inner_shape,
    tensor_axes,
    tensor_extent,
    tile_axes,
    tile_bytes,
)
from ptolint.executor.machine import Machine
from ptolint.executor.memory import Memory, Pointer
from ptolint.executor.values import Tensor, Tile
from ptolint.executor.window import Window
from ptolint.ir.model import ConvTileType, TileType

MAX_ELEMENTS = 1 << 22  # of one access, more than any buffer holds


class TileOperand:
    """A tile: reads and writes are by element coordinates, whatever the layout.

    Coordinates outside the tile's static shape are carried out where the layout puts them (that is
    what the hardware does) and logged as "outside-tile".
    """

    def __init__(self, machine: Machine, tile: Tile, name: str) -> None:
        if isinstance(tile.type, ConvTileType):
            raise NoModelError(f"operand {name} is a convolution tile: no model for it here")
        self.machine, self.tile, self.name = machine, tile, name
        self.type: TileType = tile.type
        self.element: Element = element(self.type.dtype)

    # ------------------------------------------------------------ facts

    @property
    def loc(self) -> str:
        """The tile's location, such as `Vec`."""
        return self.type.loc

    @property
    def rows(self) -> int:
        """Static rows."""
        return self.type.rows

    @property
    def cols(self) -> int:
        """Static columns."""
        return self.type.cols

    @property
    def valid_row(self) -> int:
        """Valid rows; huge when a negative number was given."""
        return int(known(self.tile.fields["valid_row"]))

    @property
    def valid_col(self) -> int:
        """Valid columns."""
        return int(known(self.tile.fields["valid_col"]))

    @property
    def row_major(self) -> bool:
        """Whether the block layout is row-major."""
        return self.type.blayout == "RowMajor"

    @property
    def boxed(self) -> bool:
        """Whether the tile consists of fractals."""
        return self.type.slayout != "NoneBox"

    @property
    def layout(self) -> str:
        """ND, DN, NZ, ZN, ZZ or NN."""
        if not self.boxed:
            return "ND" if self.row_major else "DN"
        return ("Z" if self.row_major else "N") + ("Z" if self.type.slayout == "RowMajor" else "N")

    @property
    def inner(self) -> tuple[int, int]:
        """Rows and columns of one fractal."""
        return inner_shape(self.type)

    def extent(self) -> tuple[int, int]:
        """The valid region; what is outside the tile is logged.

        A region too large for any memory (an extent that went negative is a huge unsigned number) is cut to
        the tile's own shape once that is logged.
        """
        rows, cols = self.valid_row, self.valid_col
        if self.rows * self.cols > MAX_ELEMENTS:
            raise LimitError(f"{self.name} has {self.rows} x {self.cols} elements, more than any buffer holds")
        if 0 < rows <= self.rows and 0 < cols <= self.cols:
            return rows, cols
        endless = rows * cols > MAX_ELEMENTS
        self._report_extent(rows, cols, endless)
        return (min(rows, self.rows), min(cols, self.cols)) if endless else (rows, cols)

    def _report_extent(self, rows: int, cols: int, endless: bool) -> None:
        shown = f"{signed_extent(rows)} x {signed_extent(cols)}"
        text = f"the valid region of {self.name} is {shown}, its tile holds {self.rows} x {self.cols}"
        if endless:
            text += f": taken as unsigned, {rows} x {cols} elements, it runs past the end of every memory"
        facts = {
            "valid_row": signed_extent(rows),
            "valid_col": signed_extent(cols),
            "rows": self.rows,
            "cols": self.cols,
        }
        self.machine.log.add("bad-extent", text, operand=self.name, **facts)

    # ------------------------------------------------------------ storage

    def place(self, subblock: int | None = None) -> tuple[Memory, int]:
        """Memory and byte address of the tile; a tile that nothing placed has a memory of its own."""
        address = known(self.tile.fields.get("addr"))
        if isinstance(address, Pointer):
            return address.memory, address.offset
        if address is None:
            if self.tile.home is None:
                size = tile_bytes(self.type)
                self.tile.home = Memory(f"tile {self.tile.name}", self.loc, size)
            return self.tile.home, 0
        return self.machine.memory(self.loc, subblock), int(address)

    def window(self, rows: int, cols: int, row: int = 0, col: int = 0, *, subblock: int | None = None) -> Window:
        """Elements [row, row+rows) x [col, col+cols)."""
        self._check_inside(rows, cols, row, col)
        row_axis, col_axis = tile_axes(self.type, row + rows, col + cols)
        memory, base = self.place(subblock)
        self.machine.work.move(rows * cols * self.element.bits // 8)
        return Window(memory, base, row_axis[row:], col_axis[col:], self.element, self.name, self.tile.number)

    def _check_inside(self, rows: int, cols: int, row: int, col: int) -> None:
        if (row + rows <= self.rows and col + cols <= self.cols) or not rows or not cols:
            return
        inside = max(0, min(self.rows, row + rows) - row) * max(0, min(self.cols, col + cols) - col)
        outside = rows * cols - inside
        reach = f"rows {row}..{row + rows - 1}, columns {col}..{col + cols - 1}"
        text = f"{outside} elements outside {self.name} ({self.rows} x {self.cols}): {reach}"
        self.machine.log.add(
            "outside-tile", text, elements=outside, bytes=outside * self.element.bits // 8, operand=self.name
        )

    # ------------------------------------------------------------ data

    def raw(self, rows: int, cols: int, row: int = 0, col: int = 0) -> Array:
        """Raw elements of a region."""
        return self.window(rows, cols, row, col).read(self.machine.log)

    def read(self, rows: int, cols: int, row: int = 0, col: int = 0) -> Array:
        """Values of a region."""
        return self.element.decode(self.raw(rows, cols, row, col))

    def read32(self, rows: int, cols: int, row: int = 0, col: int = 0) -> Array:
        """Values of a region as float32 (integers wider than that as float64)."""
        values = self.read(rows, cols, row, col)
        result: Array = values.astype(np.float64 if values.dtype.itemsize > 4 else np.float32)
        return result

    def write_raw(self, raw: Array, row: int = 0, col: int = 0, *, subblock: int | None = None) -> None:
        """Stores raw elements."""
        window = self.window(raw.shape[0], raw.shape[1], row, col, subblock=subblock)
        window.write(raw, self.machine.log)

    def write(self, values: Array, row: int = 0, col: int = 0, *, subblock: int | None = None) -> None:
        """Stores values, rounded to nearest even or wrapped to the tile's element type."""
        self.write_raw(self.element.encode(values), row, col, subblock=subblock)

    def forget(self) -> None:
        """Marks the whole tile undefined."""
        memory, base = self.place()
        size = tile_bytes(self.type)
        if memory.defined is not None and base >= 0:
            memory.defined[base : base + size] = 0


class TensorOperand:
    """A GlobalTensor view: rows and columns of a tile mapped through its layout."""

    def __init__(self, machine: Machine, tensor: Tensor, name: str) -> None:
        self.machine, self.tensor, self.name = machine, tensor, name
        self.type = tensor.type
        self.element: Element = element(self.type.dtype)
        self.layout = self.type.layout
        self.shape = tuple(int(known(v)) for v in tensor.fields["shape"])
        self.stride = tuple(int(known(v)) for v in tensor.fields["stride"])

    def pointer(self) -> Pointer:
        """Where the view starts; raises `ExecutorError` for a tensor without storage."""
        pointer = known(self.tensor.fields["ptr"])
        if not isinstance(pointer, Pointer):
            raise ExecutorError(f"tensor {self.name} points to no known memory")
        return pointer

    def extent(self) -> Extent:
        """Rows and columns that the view holds."""
        return tensor_extent(self.layout, self.shape, self.element.bits)

    def window(self, rows: int, cols: int) -> Window:
        """The first rows x cols elements; what the view does not hold is logged as "outside-view"."""
        extent = self.extent()
        if rows > extent.rows or cols > extent.cols or min(self.shape) < 1:
            text = f"{rows} x {cols} elements moved through {self.name}, whose view holds {extent.rows} x {extent.cols}"
            self.machine.log.add(
                "outside-view", text, rows=rows, cols=cols, view_rows=extent.rows, view_cols=extent.cols
            )
        elif rows < extent.rows or cols < extent.cols:
            lost = extent.rows * extent.cols - rows * cols
            text = f"{rows} x {cols} leaves out {lost} elements of the view {self.name} ({extent.rows} x {extent.cols})"
            self.machine.log.add("view-not-covered", text, elements=lost, view_rows=extent.rows, view_cols=extent.cols)
        row_axis, col_axis = tensor_axes(self.layout, self.shape, self.stride, self.element.bits, rows, cols)
        return self.window_at(row_axis, col_axis)

    def window_at(self, row_axis: Any, col_axis: Any) -> Window:
        """A window through explicit offsets, in elements."""
        pointer = self.pointer()
        self.machine.work.move(len(row_axis) * len(col_axis) * self.element.bits // 8)
        return Window(pointer.memory, pointer.offset, row_axis, col_axis, self.element, self.name)


class ConvOperand:
    """A convolution tile: dense storage in the order of its shape."""

    def __init__(self, machine: Machine, tile: Tile, name: str) -> None:
        if not isinstance(tile.type, ConvTileType):
            raise NoModelError(f"operand {name} is no convolution tile")
        self.machine, self.tile, self.name = machine, tile, name
        self.type: ConvTileType = tile.type
        self.element: Element = element(self.type.dtype)
        self.shape = tuple(int(known(v)) for v in tile.fields["shape"])

    def place(self) -> tuple[Memory, int]:
        """Memory and byte address of the storage."""
        address = known(self.tile.fields.get("addr"))
        if isinstance(address, Pointer):
            return address.memory, address.offset
        if address is None:
            if self.tile.home is None:
                self.tile.home = Memory(f"tile {self.tile.name}", self.type.loc, self.type.buffer_bytes)
            return self.tile.home, 0
        return self.machine.memory(self.type.loc), int(address)

    def window_at(self, row_axis: Any, col_axis: Any) -> Window:
        """A window through explicit offsets, in elements."""
        memory, base = self.place()
        self.machine.work.move(len(row_axis) * len(col_axis) * self.element.bits // 8)
        return Window(memory, base, row_axis, col_axis, self.element, self.name, self.tile.number)

    def matrix(self) -> Window:
        """The tile as rows x columns (positions by channels, or filter taps by filters)."""
        extent = conv_extent(self.type, self.shape)
        return self.window_at(*conv_axes(self.type, self.shape, extent.rows, extent.cols))


def signed_extent(value: int) -> int:
    """A valid extent as the kernel's author computed it: a huge unsigned one was negative."""
    return value - (1 << 32) if 1 << 31 <= value < 1 << 32 else value
