from ptolint.directives import UNUSED, apply_suppressions, find_suppressions, unused_suppressions
from ptolint.findings import Finding
from ptolint.fixes import apply_edits
from ptolint.ir.model import Span

IDS = {"tmov/a", "tmul/b", "tstore/c"}


def finding(line: int, rule: str = "tmov/a", file: str = "k.cpp") -> Finding:
    return Finding(rule, "error", "broken", Span(file, line, 1, line, 5))


def suppressed(text: str, *findings: Finding) -> list[str | None]:
    return [f.suppressed for f in apply_suppressions(list(findings), find_suppressions("k.cpp", text))]


def test_on_the_line_and_the_line_above() -> None:
    text = "TMOV(a, b); // ptolint: ignore[tmov/a] -- tested on hardware\n// ptolint: ignore[tmov]\nTMOV(c, d);\n"
    assert suppressed(text, finding(1), finding(2), finding(3)) == ["tested on hardware", "", ""]


def test_a_trailing_comment_does_not_cover_the_next_line() -> None:
    text = "TMOV(a, b); // ptolint: ignore[tmov/a]\nTMOV(c, d);\n"
    assert suppressed(text, finding(1), finding(2)) == ["", None]


def test_next_line_and_file() -> None:
    assert suppressed("// ptolint: ignore-next-line[tmov]\nx\ny", finding(2), finding(3)) == ["", None]
    assert suppressed("/* ptolint: ignore-file[tmov/a] -- old */\n\n\n", finding(3), finding(3, "tmul/a")) == [
        "old",
        None,
    ]


def test_prefix_is_a_whole_component() -> None:
    assert suppressed("x // ptolint: ignore[tmov/a]", finding(1, "tmov/abc")) == [None]


def test_not_in_a_string() -> None:
    assert find_suppressions("k.cpp", 'auto s = "// ptolint: ignore[tmov]";') == []


def test_other_file_is_not_covered() -> None:
    assert suppressed("// ptolint: ignore-file\n", finding(1, file="other.h")) == [None]


def test_unused_is_reported_and_its_fix_keeps_the_used_part() -> None:
    text = "x // ptolint: ignore[tmov/a, tmul] -- why\ny // ptolint: ignore[tstore]\n"
    found = find_suppressions("k.cpp", text)
    apply_suppressions([finding(1)], found)
    unused = unused_suppressions(found, IDS, IDS)
    assert [(f.rule, f.span.line) for f in unused] == [(UNUSED, 1), (UNUSED, 2)]
    edits = [e for f in unused for fix in f.fixes for e in fix.edits]
    assert apply_edits(text.encode(), edits) == b"x // ptolint: ignore[tmov/a] -- why\ny\n"


def test_a_rule_that_did_not_run_is_not_judged() -> None:
    found = find_suppressions("k.cpp", "x // ptolint: ignore[tmov/a]\n")
    assert unused_suppressions(found, {"tmul/b"}, IDS) == []


def test_a_rule_that_does_not_exist_is_judged() -> None:
    found = find_suppressions("k.cpp", "x // ptolint: ignore[tmvo/a]\n")
    assert [f.rule for f in unused_suppressions(found, {"tmul/b"}, IDS)] == [UNUSED]


def test_code_behind_a_removed_comment_keeps_its_place() -> None:
    text = "x /* ptolint: ignore[tmov] */ y\n"
    (unused,) = unused_suppressions(find_suppressions("k.cpp", text), IDS, IDS)
    assert apply_edits(text.encode(), list(unused.fixes[0].edits)) == b"x  y\n"
