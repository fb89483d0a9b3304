from ptolint.ir.model import TileType
from ptolint.rulebook.facts import Env, TileFacts
from ptolint.rulebook.window import window


def env(**values: object) -> Env:
    made = Env("a5")
    made.update(values)
    return made


def tile(rows: int, cols: int, valid: tuple[int, int] | None = None) -> TileFacts:
    row, col = valid or (rows, cols)
    return TileFacts(TileType("Vec", "half", rows, cols, row, col))


def test_an_insertion_that_runs_over_the_edge() -> None:
    found = window(env(dst=tile(64, 64), src=tile(16, 64), index_row=56, index_col=0))
    assert found == {"tile": "dst", "rows": 64, "cols": 64, "row": 56, "col": 0, "height": 16, "width": 64}
    assert window(env(dst=tile(64, 64), src=tile(16, 64), index_row=48, index_col=0)) is None


def test_a_valid_region_larger_than_its_tile_or_negative() -> None:
    found = window(env(dst=tile(16, 64), src=tile(16, 64, (17, 64))))
    assert found is not None and (found["tile"], found["height"]) == ("src", 17)
    negative = window(env(dst=tile(16, 64, ((1 << 32) - 28, 64))))
    assert negative is not None and negative["height"] == -28


def test_unknown_numbers_draw_nothing() -> None:
    assert window(env(dst=tile(16, 64), src=tile(16, 64), index_row=None, index_col=0)) is None
