"""The part of a tile that a broken call touches, where it leaves the tile: what the HTML report draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptolint.rulebook.facts import Env, TileFacts

Window = dict[str, Any]


def window(env: Env) -> Window | None:
    """The first window that leaves its tile: `{"tile", "rows", "cols", "row", "col", "height", "width"}`, in elements.

    An insertion or extraction is placed by `index_row` and `index_col`, a valid region starts at 0. A count that
    stands for a negative one as unsigned is given as the negative number. None where nothing leaves a tile, or where
    a number is not known.
    """
    for name, tile, row, col, height, width in _candidates(env):
        numbers = [_signed(v) for v in (row, col, height, width)]
        if any(n is None for n in numbers):
            continue
        top, left, h, w = (n or 0 for n in numbers)
        if min(top, left, h, w) < 0 or top + h > tile.rows or left + w > tile.cols:
            size = {"rows": tile.rows, "cols": tile.cols}
            return {"tile": name, **size, "row": top, "col": left, "height": h, "width": w}
    return None


def _candidates(env: Env) -> Iterator[tuple[str, TileFacts, Any, Any, Any, Any]]:
    """(name, tile, row, col, height, width) of everything the call touches."""
    tiles = {name: v for name, v in env.items() if isinstance(v, TileFacts)}
    if "index_row" in env and "index_col" in env and {"dst", "src"} <= set(tiles):
        outer, inner = ("dst", "src") if tiles["dst"].rows >= tiles["src"].rows else ("src", "dst")
        part = tiles[inner]
        yield outer, tiles[outer], env["index_row"], env["index_col"], part.valid_row, part.valid_col
    for name, tile in tiles.items():
        yield name, tile, 0, 0, tile.valid_row, tile.valid_col


def _signed(value: Any) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value - (1 << 32) if 1 << 31 <= value < 1 << 32 else value
