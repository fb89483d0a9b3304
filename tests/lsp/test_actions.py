from tests.kernels import BAD, BAD_LINE, GOOD
from tests.lsp.client import Client, codes
from tests.lsp.kernels import CONTRACT, apply, line_of


def edited(text: str, action: dict, uri: str) -> str:  # type: ignore[type-arg]
    return apply(text, action["edit"]["changes"][uri])


def test_silence(client: Client) -> None:
    uri = client.open("silence.cpp", BAD)
    client.diagnostics(uri, bool)
    found = [a for a in client.actions(uri, BAD_LINE - 1) if a["title"] == "silence tmul/same-dtype here"]
    assert len(found) == 1 and codes(found[0]["diagnostics"]) == ["tmul/same-dtype"]
    client.change(uri, edited(BAD, found[0], uri))
    assert client.diagnostics(uri) == []


def test_unused_suppression_is_removed(client: Client) -> None:
    text = GOOD.replace("    TMUL(", "    // ptolint: ignore[tmul]\n    TMUL(")
    uri = client.open("unused.cpp", text)
    client.diagnostics(uri, bool)
    found = client.actions(uri, line_of(text, "ptolint:"))
    assert [a["title"] for a in found] == ["remove the unused suppression"]
    assert found[0]["isPreferred"]
    assert "ptolint" not in edited(text, found[0], uri)


def test_contract_becomes_an_assumption(client: Client) -> None:
    uri = client.open("contract.cpp", CONTRACT)
    client.diagnostics(uri, bool)
    found = [a for a in client.actions(uri, 3) if a["title"].startswith("assume the contract of a2a3: ")]
    assert len(found) == 1
    text = edited(CONTRACT, found[0], uri)
    assert text.split("\n")[5].startswith("    // ptolint: assume(n > 0 && n <= 16)")
    client.change(uri, text)
    assert client.diagnostics(uri) == []


def test_elsewhere_and_for_an_older_text_there_are_none(client: Client) -> None:
    uri = client.open("none.cpp", BAD)
    client.diagnostics(uri, bool)
    assert client.actions(uri, 0) == []
    client.change(uri, "\n" + BAD)
    assert client.actions(uri, BAD_LINE) == []
    assert client.actions(client.uri("unknown.cpp"), 0) == []


def test_fix(client: Client) -> None:
    text = GOOD.replace("TASSIGN(b, 0x1000)", "TASSIGN(b, 0x1008)")
    uri = client.open("fix.cpp", text)
    client.diagnostics(uri, bool)
    line = line_of(text, "0x1008")
    found = [a for a in client.actions(uri, line) if a["title"] == "move the tile to 0x1020"]
    assert len(found) == 1 and found[0]["isPreferred"]
    client.change(uri, edited(text, found[0], uri))
    assert client.diagnostics(uri) == []
