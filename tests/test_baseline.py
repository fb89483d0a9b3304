from pathlib import Path

import pytest

from ptolint import baseline
from ptolint.errors import InputError
from ptolint.findings import Finding
from ptolint.ir.model import Span
from ptolint.results import FileResult, RunResult


def run(file: Path, *places: tuple[int, str]) -> RunResult:
    found = tuple(Finding(rule, "error", "m", Span(str(file), line, 1, line, 3)) for line, rule in places)
    return RunResult((FileResult(str(file), found),), ("a5",))


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "k.cpp"
    file.write_text("TMOV(a, b);\nTMOV(c, d);\nTMOV(a, b);\n")
    return file


def test_known_findings_are_suppressed_and_new_ones_are_not(kernel: Path, tmp_path: Path) -> None:
    assert baseline.write(tmp_path / "b.json", run(kernel, (1, "tmov/a"), (3, "tmov/a"))) == 2
    known = baseline.read(tmp_path / "b.json")
    result, stale = baseline.apply(run(kernel, (1, "tmov/a"), (2, "tmov/a"), (3, "tmov/a")), known)
    assert [f.span.line for f in result.findings] == [2]
    assert stale == []


def test_moved_lines_stay_known(kernel: Path, tmp_path: Path) -> None:
    baseline.write(tmp_path / "b.json", run(kernel, (2, "tmov/a")))
    kernel.write_text("// new\n\n  TMOV(c,  d);\n")
    result, stale = baseline.apply(run(kernel, (3, "tmov/a")), baseline.read(tmp_path / "b.json"))
    assert result.findings == [] and stale == []


def test_stale_entries(kernel: Path, tmp_path: Path) -> None:
    baseline.write(tmp_path / "b.json", run(kernel, (2, "tmov/a")))
    _, stale = baseline.apply(run(kernel), baseline.read(tmp_path / "b.json"))
    assert [(e.path, e.rule) for e in stale] == [("k.cpp", "tmov/a")]


def test_one_entry_a_line_without_line_numbers(kernel: Path, tmp_path: Path) -> None:
    baseline.write(tmp_path / "b.json", run(kernel, (2, "tmul/a"), (1, "tmov/a")))
    lines = (tmp_path / "b.json").read_text().splitlines()
    assert len(lines) == 4 and '"line"' not in "".join(lines)


@pytest.mark.parametrize("text", ["", "[]", '{"entries": [1]}', "\0"])
def test_not_a_baseline(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match="not a ptolint baseline"):
        baseline.read(tmp_path / "b.json")
