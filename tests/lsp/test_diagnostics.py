"""Diagnostics from the outside: a server process, a client over stdio."""

from tests.kernels import BAD, BAD_LINE, GOOD
from tests.lsp.client import Client, codes
from tests.lsp.kernels import HELPER, USES_HELPER, WIDE


def test_open_change_save_close(client: Client) -> None:
    uri = client.open("never-saved.cpp", BAD)
    found = client.diagnostics(uri, bool)
    assert codes(found) == ["tmul/same-dtype"]
    assert found[0]["range"] == {
        "start": {"line": BAD_LINE - 1, "character": 4},
        "end": {"line": BAD_LINE - 1, "character": 17},
    }
    assert (found[0]["severity"], found[0]["source"]) == (1, "ptolint")
    assert "the three tiles hold one element type" in found[0]["message"]
    assert "on a2a3, a5" in found[0]["message"]
    client.change(uri, GOOD)
    assert client.diagnostics(uri) == []
    client.change(uri, BAD)
    assert codes(client.settled(uri)) == ["tmul/same-dtype"]
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client.diagnostics(uri, bool)) == ["tmul/same-dtype"]
    del client.version[uri]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.diagnostics(uri, lambda d: not d) == []


def test_incremental_edits(client: Client) -> None:
    uri = client.open("incremental.cpp", BAD)
    client.diagnostics(uri, bool)
    client.version[uri] += 1
    whole = {"start": {"line": BAD_LINE - 1, "character": 0}, "end": {"line": BAD_LINE, "character": 0}}
    change = {"range": whole, "text": "    TMUL(a, a, a);\n"}
    identifier = {"uri": uri, "version": client.version[uri]}
    client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
    assert client.diagnostics(uri) == []


def test_fast_typing_shows_the_last_text_only(client: Client) -> None:
    uri = client.open("typing.cpp", GOOD)
    client.diagnostics(uri)
    for i in range(30):
        client.change(uri, (BAD if i % 2 else GOOD) + f"// {i}\n")
    assert codes(client.diagnostics(uri, bool)) == ["tmul/same-dtype"]
    seen = client.published_versions(uri)
    assert seen == sorted(seen)
    assert len(set(seen)) < 30


def test_solver_findings_follow(client: Client) -> None:
    text = GOOD.replace("__gm__ float* in)", "__gm__ float* in, int n)").replace(
        "TASSIGN(b, 0x1000)", "TASSIGN(b, 8 * n)"
    )
    uri = client.open("solver.cpp", text)
    assert "kernel/contract" in codes(client.diagnostics(uri, bool))


def test_related_information_along_the_call_path(client: Client) -> None:
    (client.directory / "helper.hpp").write_text(HELPER)
    text = USES_HELPER
    uri = client.open("header.cpp", text)
    found = client.diagnostics(uri, bool)
    assert codes(found) == ["tmul/same-dtype"]
    assert found[0]["range"]["start"]["line"] == 9  # the call of the helper, since the instruction stands in the header
    related = [(r["location"]["uri"], r["location"]["range"]["start"]["line"]) for r in found[0]["relatedInformation"]]
    assert (client.uri("helper.hpp"), 6) in related
    assert (uri, 9) in related


def test_changed_header_and_configuration_are_noticed(client: Client) -> None:
    folder = client.directory / "project"
    folder.mkdir()
    (folder / "helper.hpp").write_text(HELPER)
    uri = client.open("project/k.cpp", USES_HELPER)
    assert codes(client.settled(uri)) == ["tmul/same-dtype"]
    (folder / "helper.hpp").write_text(HELPER.replace("TMUL(a, a, b)", "TMUL(a, a, a)"))
    assert client.settled(uri) == []
    (folder / "helper.hpp").write_text(HELPER)
    assert codes(client.settled(uri)) == ["tmul/same-dtype"]
    (folder / "ptolint.toml").write_text('ignore = ["tmul"]\n')
    assert client.settled(uri) == []
    (folder / "ptolint.toml").write_text("ignroe = 1\n")
    broken = client.diagnostics(uri)
    assert codes(broken) == ["ptolint/not-analysed"]
    assert "did you mean 'ignore'" in broken[0]["message"]
    (folder / "ptolint.toml").unlink()
    assert codes(client.settled(uri)) == ["tmul/same-dtype"]


def test_own_rule_file_is_read_again(client: Client) -> None:
    folder = client.directory / "rules"
    folder.mkdir()
    head = '[instruction]\nname = "TMUL"\n'
    rule = head + '[[rule]]\nid = "my/rows"\nrequire = "dst.rows {}"\nmessage = "no"\nsource = "me"\n'
    (folder / "my.toml").write_text(rule.format("< 16"))
    (folder / "ptolint.toml").write_text('extend-rules = ["my.toml"]\n')
    uri = client.open("rules/k.cpp", GOOD)
    assert codes(client.settled(uri)) == ["my/rows"]
    (folder / "my.toml").write_text(rule.format("<= 16"))
    assert client.settled(uri) == []


def test_editor_says_that_files_changed(client: Client) -> None:
    uri = client.open("watched.cpp", BAD)
    client.settled(uri)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": client.uri("x.toml"), "type": 2}]})
    assert client.diagnostics(uri, bool)


def test_untitled_and_unusable_documents(client: Client) -> None:
    uri = client.open("", BAD, "untitled:Untitled-1")
    assert codes(client.diagnostics(uri, bool)) == ["tmul/same-dtype"]
    uri = client.open("no such folder/né w.cpp", BAD)
    assert codes(client.diagnostics(uri, bool)) == ["tmul/same-dtype"]
    uri = client.open("other.cpp", "int main() { return 0; }\n")
    assert client.diagnostics(uri) == []
    uri = client.open("binary.cpp", "#include <pto/pto-inst.hpp>\n\0")
    assert codes(client.diagnostics(uri, bool)) == ["ptolint/not-analysed"]
    uri = client.open("empty.cpp", "")
    assert client.diagnostics(uri) == []


def test_suppressed_and_unused(client: Client) -> None:
    text = BAD.replace("    TMUL(", "    // ptolint: ignore[tmul] -- on purpose\n    TMUL(")
    uri = client.open("suppressed.cpp", text)
    assert client.diagnostics(uri) == []
    client.change(uri, text.replace("TMUL(a, a, b)", "TMUL(a, a, a)"))
    found = client.diagnostics(uri, bool)
    assert codes(found) == ["ptolint/unused-suppression"]
    assert found[0]["tags"] == [1]


def test_columns_count_utf16_units(client: Client) -> None:
    uri = client.open("wide.cpp", WIDE)
    start = client.diagnostics(uri, bool)[0]["range"]["start"]["character"]
    assert start == len("    /* XXé */ ")


def test_columns_count_what_was_negotiated(tmp_path) -> None:  # type: ignore[no-untyped-def]
    client = Client(tmp_path, ["utf-8", "utf-16"])
    assert client.capabilities["positionEncoding"] == "utf-8"
    uri = client.open("wide.cpp", WIDE)
    start = client.diagnostics(uri, bool)[0]["range"]["start"]
    assert start["character"] == len("    /* 𝕏é */ ".encode())
    assert "TMUL" in client.at("textDocument/hover", uri, start["line"], start["character"] + 1)["contents"]["value"]
    client.close()


def test_lone_surrogates_move_nothing(client: Client) -> None:
    text = WIDE.replace("𝕏é", "\ud835é")
    uri = client.open("surrogate.cpp", text)
    assert client.diagnostics(uri, bool)[0]["range"]["start"]["character"] == len("    /* Xé */ ")
