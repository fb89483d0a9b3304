"""Runs for the renderers' tests: one with everything that a finding can hold, one with hostile names and text."""

from pathlib import Path

from ptolint.findings import IN_BASELINE, Edit, Evidence, Finding, Fix, Frame, Related, Witness
from ptolint.ir.model import Span
from ptolint.results import Counts, FileResult, Layout, Placement, RunResult

SOURCE = """void k(int n)
{
    /* 𝕏 */ TMUL(a, a, b);
    TMUL(a, a, b);
    TSTORE(dst, b);
}
"""
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&amp;\x1b[31m\u202e%0A\n::error::no \uffff"
HOSTILE_NAME = "a,b:c%<i>\"'&é.cpp"


def finding(file: str = "k.cpp", line: int = 3, col: int = 13, **more) -> Finding:  # type: ignore[no-untyped-def]
    span = Span(file, line, col, line, col + 13)
    base = Finding(
        "tmul/same-dtype",
        "error",
        "three tiles of one element type",
        span,
        ("a2a3", "a5"),
        ("vec",),
        ("k<1>", "k<2>"),
        condition="half != float",
        hint="convert with TCVT first",
        source="TMUL, constraints",
        entry="k",
    )
    return base.with_(**more)


def full_run(file: str = "k.cpp") -> RunResult:
    """Every level, a path, related places, a witness, evidence, fixes, both kinds of suppression, a failed file."""
    where = Span(file, 1, 1, 1, 5)
    edit = Edit(Span(file, 4, 10, 4, 11), "c")
    layout = Layout("k", "a5", "vec", (Placement("Vec", 0, 4096, "a", "Tile<float>", 1),))
    findings = (
        finding(file, path=(Frame("k<1>", where),), related=(Related("dst is `a`", where),)),
        finding(file, 4, 5, fixes=(Fix("use c", (edit,)),)),
        finding(
            file,
            5,
            5,
            rule="tstore/valid-row",
            level="warning",
            witness=Witness((("n", 100), ("i", 1)), (("valid_row", "64 - n", -36),)),
            evidence=Evidence("confirmed", "36 rows too many"),
        ),
        finding(file, 5, 5, rule="kernel/contract", level="note"),
        finding(file, 4, 5, rule="tmul/a", suppressed="on purpose"),
        finding(file, 4, 5, rule="tmul/b", suppressed=""),
        finding(file, 4, 5, rule="tmul/c", suppressed=IN_BASELINE),
    )
    good = FileResult(file, findings, Counts(1, 3, 20, 0, 6, 0), ("k.cpp:6: not understood",), layouts=(layout,))
    return RunResult((good, FileResult("z.cpp", failure="cannot be read")), ("a2a3", "a5"))


def hostile_run(directory: Path) -> RunResult:
    """A file whose name, source line, messages and names of variables want to be more than text."""
    file = directory / HOSTILE_NAME
    file.write_text(f"// {HOSTILE}\n" * 3, "utf-8")
    name = str(file)
    bad = finding(
        name,
        1,
        1,
        message=HOSTILE,
        condition=HOSTILE,
        hint=HOSTILE,
        instances=(HOSTILE,),
        related=(Related(HOSTILE, Span(name, 1, 1, 1, 3)),),
        path=(Frame(HOSTILE, Span(name, 2, 1, 2, 3)),),
        evidence=Evidence("confirmed", HOSTILE),
        suppressed=None,
    )
    layout = Layout(HOSTILE, "a5", "vec", (Placement("Vec", 0, 200_000, HOSTILE, HOSTILE, 1),))
    failed = FileResult(f"{name}x", failure=HOSTILE)
    return RunResult((FileResult(name, (bad,), notes=(HOSTILE,), layouts=(layout,)), failed), ("a5",), notes=(HOSTILE,))
