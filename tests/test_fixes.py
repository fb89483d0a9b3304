from pathlib import Path

from ptolint import fixes
from ptolint.findings import Edit, Finding, Fix
from ptolint.ir.model import Span


def finding(file: str, *edits: Edit, safe: bool = True) -> Finding:
    return Finding("r/x", "error", "m", Span(file, 1, 1, 1, 2), fixes=(Fix("do", edits, safe),))


def edit(file: str, line: int, col: int, end: int, text: str) -> Edit:
    return Edit(Span(file, line, col, line, end), text)


def test_edits_are_made_from_the_end_and_columns_are_characters(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text("aé b c\nd e\n")
    name = str(file)
    found = [finding(name, edit(name, 1, 4, 5, "B")), finding(name, edit(name, 2, 1, 2, "DD"))]
    assert fixes.fix_files(found) == 2
    assert file.read_text() == "aé B c\nDD e\n"


def test_overlapping_fixes_wait(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text("abcdef\n")
    name = str(file)
    assert fixes.fix_files([finding(name, edit(name, 1, 1, 4, "X")), finding(name, edit(name, 1, 3, 5, "Y"))]) == 1
    assert file.read_text() == "Xdef\n"


def test_unsafe_only_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text("abc\n")
    name = str(file)
    found = [finding(name, edit(name, 1, 1, 2, "X"), safe=False)]
    assert fixes.fix_files(found) == 0
    assert "".join(fixes.diff(found, unsafe=True)).count("+Xbc") == 1
    assert fixes.fix_files(found, unsafe=True) == 1
