from tests.kernels import BAD, BAD_LINE, GOOD
from tests.lsp.client import Client
from tests.lsp.kernels import CONTRACT, WIDE, line_of


def hover(client: Client, uri: str, line: int, character: int) -> str:
    found = client.at("textDocument/hover", uri, line, character)
    return "" if found is None else str(found["contents"]["value"])


def test_instruction(client: Client) -> None:
    uri = client.open("call.cpp", BAD)
    client.diagnostics(uri, bool)
    rows = hover(client, uri, BAD_LINE - 1, 5).splitlines()
    assert rows[:3] == ["**TMUL**", "", "| constraint | a2a3 | a5 |"]
    assert rows[4].startswith("| tmul/same-dtype | **broken** src1.dtype = half")  # broken ones come first
    assert "| tmul/dtype-a5 | does not apply | holds |" in rows


def test_instruction_with_what_the_solver_found(client: Client) -> None:
    text = CONTRACT.replace(
        "    TLOAD", "    for (int i = 0; i < n; ++i) {\n        a.SetValidRow(i);\n    }\n    TLOAD"
    )
    uri = client.open("solved.cpp", text)
    client.diagnostics(uri, lambda d: any(str(x["code"]).startswith("tload/") for x in d))
    table = hover(client, uri, line_of(text, "TLOAD("), 5)
    assert "**warning**" in table or "**error**" in table


def test_tile(client: Client) -> None:
    uri = client.open("tile.cpp", GOOD)
    found = hover(client, uri, line_of(GOOD, "TASSIGN(b"), 12)
    assert found.startswith("```cpp\nTile<TileType::Vec, float, 16, 64> b\n```")
    assert "- a5: 4,096 bytes in UB (262,144 bytes) at 0x1000, row-major (ND)" in found


def test_tensor(client: Client) -> None:
    uri = client.open("tensor.cpp", GOOD)
    assert hover(client, uri, line_of(GOOD, "TLOAD("), 14).startswith(
        "```cpp\nGlobalTensor<float, Shape<1, 1, 1, 16, 64>"
    )


def test_rule_in_a_comment(client: Client) -> None:
    text = GOOD.replace("    TMUL(", "    // ptolint: ignore[tmul/same-dtype]\n    TMUL(")
    uri = client.open("rule.cpp", text)
    assert "tmul/same-dtype (error)" in hover(client, uri, line_of(text, "ptolint:"), 30)


def test_behind_wide_characters(client: Client) -> None:
    uri = client.open("wide.cpp", WIDE)
    line = line_of(WIDE, "TMUL(")
    assert hover(client, uri, line, len("    /* XXé */ ")).startswith("**TMUL**")


def test_nothing_to_say(client: Client) -> None:
    uri = client.open("nothing.cpp", GOOD)
    assert hover(client, uri, 2, 0) == ""
    assert hover(client, uri, 500, 0) == ""
    assert hover(client, uri, 0, 500) == ""


def test_broken_configuration(client: Client) -> None:
    folder = client.directory / "broken"
    folder.mkdir()
    (folder / "ptolint.toml").write_text("[")
    uri = client.open("broken/k.cpp", GOOD)
    assert hover(client, uri, line_of(GOOD, "TMUL("), 5) == ""
