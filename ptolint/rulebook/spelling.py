"""Types as a kernel author writes them."""

from __future__ import annotations

from ptolint.ir.model import DYNAMIC, ConvTileType, ScalarType, TensorType, TileType, Type


def _extent(value: int) -> str:
    return "DYNAMIC" if value == DYNAMIC else str(value)


def _extents(values: tuple[int, ...]) -> str:
    return ", ".join(_extent(v) for v in values)


def tile_text(tile: TileType) -> str:
    """`Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, DYNAMIC, 64>`; what follows the defaults is left out."""
    head = [f"TileType::{tile.loc}", tile.dtype, str(tile.rows), str(tile.cols)]
    tail = [
        (f"BLayout::{tile.blayout}", "BLayout::RowMajor"),
        (_extent(tile.valid_row), str(tile.rows)),
        (_extent(tile.valid_col), str(tile.cols)),
        (f"SLayout::{tile.slayout}", "SLayout::NoneBox"),
        (str(tile.fractal_size), "512"),
        (f"PadValue::{tile.pad}", "PadValue::Null"),
        (f"CompactMode::{tile.compact}", "CompactMode::Null"),
    ]
    while tail and tail[-1][0] == tail[-1][1]:
        tail.pop()
    return f"Tile<{', '.join([*head, *(text for text, _ in tail)])}>"


def type_text(type_: Type) -> str:
    """A tile or tensor type in C++, anything else by its name."""
    if isinstance(type_, TileType):
        return tile_text(type_)
    if isinstance(type_, TensorType):
        return (
            f"GlobalTensor<{type_.dtype}, Shape<{_extents(type_.shape)}>, "
            f"Stride<{_extents(type_.stride)}>, Layout::{type_.layout}>"
        )
    if isinstance(type_, ConvTileType):
        return (
            f"ConvTile<TileType::{type_.loc}, {type_.dtype}, {type_.buffer_bytes}, "
            f"Layout::{type_.layout}, ConvTileShape<{_extents(type_.shape)}>>"
        )
    return type_.name if isinstance(type_, ScalarType) else str(getattr(type_, "spelling", type_))
