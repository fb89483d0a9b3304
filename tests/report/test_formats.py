"""The other formats: what their readers require, and that no name or source text becomes markup or a command."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ptolint.report import concise, github, gitlab, html, json_, junit, statistics, text
from ptolint.results import FileResult, RunResult
from tests.report.runs import HOSTILE_NAME, SOURCE, finding, full_run, hostile_run

SUMMARY = (
    "2 errors, 1 warning, 1 note in 1 file for a2a3, a5; 1 kernel, 3 calls, 20 obligations checked; "
    "0 not decided; 0 statements not understood; 1 file NOT analysed; 3 suppressed"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cpp").write_text(SOURCE, "utf-8")


def test_text() -> None:
    assert text.render(full_run()).splitlines()[:12] == [
        "error[tmul/same-dtype]: three tiles of one element type",
        "  --> k.cpp:3:13 [a2a3, a5]",
        "  |",
        "3 |     /* 𝕏 */ TMUL(a, a, b);",
        "  |             ^^^^^^^^^^^^^ half != float",
        "  = where: dst is `a` (k.cpp:1:1)",
        "  = called from: k<1> at k.cpp:1:1",
        "  = in: k<1>, k<2>",
        "  = hint: convert with TCVT first",
        "  = source: TMUL, constraints",
        "",
        "error[tmul/same-dtype]: three tiles of one element type",
    ]
    assert text.render(full_run()).splitlines()[-1] == SUMMARY
    assert "  = for example: n = 100, i = 1\n  = then: valid_row = 64 - n = -36\n" in text.render(full_run())
    assert "not analysed: z.cpp: cannot be read" in text.render(full_run())


def test_text_colours_only_when_asked() -> None:
    assert "\x1b" not in text.render(full_run())
    coloured = text.render(full_run(), color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text.render(full_run())


def test_long_lines_are_cut_around_the_place(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text("x" * 300 + "TMUL(a, a, b);" + "y" * 300)
    run = RunResult((FileResult("k.cpp", (finding(line=1, col=301),)),), ("a5",))
    lines = text.render(run, width=80).splitlines()
    frame = next(line for line in lines if line.startswith("1 |"))
    assert len(frame) <= 80 and "TMUL(a, a, b)" in frame
    carets = lines[lines.index(frame) + 1]
    assert frame[carets.index("^") : carets.rindex("^") + 1] == "TMUL(a, a, b)"


def test_concise() -> None:
    assert concise.render(full_run()).splitlines() == [
        "k.cpp:3:13: error tmul/same-dtype: three tiles of one element type",
        "k.cpp:4:5: error tmul/same-dtype: three tiles of one element type",
        "k.cpp:5:5: warning tstore/valid-row: three tiles of one element type",
        "k.cpp:5:5: note kernel/contract: three tiles of one element type",
        "z.cpp: not analysed: cannot be read",
        SUMMARY,
    ]


def test_json() -> None:
    data = json.loads(json_.render(full_run()))
    assert data["findings"][0]["column"] == 13 and data["findings"][0]["path"][0]["function"] == "k<1>"
    assert data["not_analysed"] == [{"file": "z.cpp", "reason": "cannot be read"}]
    assert data["summary"]["errors"] == 2
    prints = [f["fingerprint"] for f in data["findings"]]
    assert len(set(prints)) == len(prints)


def test_statistics() -> None:
    assert statistics.render(full_run()).splitlines()[0].split()[:3] == ["2", "error", "tmul/same-dtype"]


def test_gitlab(tmp_path: Path) -> None:
    for run in (full_run(), hostile_run(tmp_path)):
        entries = json.loads(gitlab.render(run))
        for entry in entries:
            assert {"description", "check_name", "fingerprint", "severity", "location"} <= set(entry)
            assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
            assert isinstance(entry["location"]["lines"]["begin"], int) and entry["location"]["lines"]["begin"] >= 1
            assert not entry["location"]["path"].startswith(("/", "./"))
        assert len({e["fingerprint"] for e in entries}) == len(entries)


def test_junit(tmp_path: Path) -> None:
    root = ET.fromstring(junit.render(full_run()))
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    assert [suite.get(k) for k in ("name", "tests", "failures", "errors", "skipped")] == ["ptolint", "2", "1", "1", "0"]
    cases = suite.findall("testcase")
    assert [c.get("name") for c in cases] == ["k.cpp", "z.cpp"]
    assert all(c.get("classname") for c in cases)
    assert cases[0].find("failure").get("type") == "tmul/same-dtype"  # type: ignore[union-attr]
    assert cases[1].find("error").get("message") == "cannot be read"  # type: ignore[union-attr]
    hostile = ET.fromstring(junit.render(hostile_run(tmp_path)))
    assert [e.tag for e in hostile.iter()].count("failure") == 1
    assert not list(hostile.iter("img"))


def test_github(tmp_path: Path) -> None:
    lines = github.render(full_run()).splitlines()
    assert lines[0] == (
        "::error file=k.cpp,line=3,endLine=3,col=13,title=tmul/same-dtype::"
        "three tiles of one element type%0Ahalf != float%0Ahint: convert with TCVT first"
    )
    assert [line.split()[0] for line in lines[:5]] == ["::error", "::error", "::warning", "::notice", "::error"]
    hostile = github.render(hostile_run(tmp_path)).splitlines()
    assert sum(line.lstrip().startswith("::") for line in hostile) == 2
    assert "file=a%2Cb%3Ac%25<i>" in hostile[0]


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_html_is_one_page_without_foreign_markup(tmp_path: Path) -> None:
    for run in (full_run(), hostile_run(tmp_path)):
        page = Page()
        page.feed(html.render(run))
        assert not {"script", "img", "i", "link", "iframe"} & set(page.tags)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in page.attributes)
        assert page.tags.count("svg") == 1 and "mark" in page.tags
    assert "url(" not in html.render(full_run()) and "@import" not in html.render(full_run())


@pytest.mark.parametrize("render", [text.render, concise.render, github.render, junit.render, html.render])
def test_no_control_characters(tmp_path: Path, render) -> None:  # type: ignore[no-untyped-def]
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e\uffff]", render(hostile_run(tmp_path)))


@pytest.mark.parametrize("render", [text.render, concise.render])
def test_no_workflow_commands(tmp_path: Path, render) -> None:  # type: ignore[no-untyped-def]
    name = "::error::x.cpp"
    (tmp_path / name).write_text("::error::no\n" * 3)
    run = RunResult((FileResult(name, (finding(name, 1, 1),)), FileResult(name + "c", failure="x")), ("a5",))
    for shown in (render(run), render(hostile_run(tmp_path))):
        assert not any(line.lstrip().startswith("::") for line in shown.splitlines())


def test_names_that_are_no_paths() -> None:
    run = RunResult((FileResult("a\0b", (finding("a\0b"),)),), ("a5",))
    assert "a\\x00b:3:13" in text.render(run)


def test_every_path_is_shown_as_given() -> None:
    assert HOSTILE_NAME in json.dumps(json.loads(json_.render(hostile_run(Path.cwd()))), ensure_ascii=False).replace(
        '\\"', '"'
    )
