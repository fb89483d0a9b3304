"""One file, all targets and cores: the whole way from source text to merged findings."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ptolint.analyses import ANALYSES
from ptolint.analyses.exponents import mark_exponents
from ptolint.analyses.placement import layouts
from ptolint.directives import apply_suppressions, find_suppressions, unused_suppressions
from ptolint.discovery import read_regular
from ptolint.errors import InputError
from ptolint.findings import Evidence, Finding
from ptolint.ir.assumptions import with_assumptions
from ptolint.ir.model import Program
from ptolint.merge import merge
from ptolint.options import CheckOptions
from ptolint.results import Counts, FileResult, Layout
from ptolint.rulebook.loader import Rulebook
from ptolint.targets import get_target

if TYPE_CHECKING:
    from ptolint.frontend import FrontendOptions

MAX_BYTES = 8 << 20  # larger sources are no kernels written by people
REPLAY_SECONDS = 8.0  # of one file on one target; each replay has a bound of its own, a file may have many findings


@dataclass(frozen=True, slots=True)
class Job:
    """One file to check. `text` is an editor's unsaved content; `explicit` files are checked even without PTO."""

    path: str
    options: CheckOptions
    explicit: bool = True
    text: str | None = None


@lru_cache(maxsize=4)
def rulebook_for(extend: tuple[str, ...]) -> Rulebook:
    """The rules in force, loaded once per process; raises `InputError` for a rule file that cannot be used."""
    from ptolint.rulebook.model import RuleError

    try:
        return Rulebook(extensions=[Path(p) for p in extend])
    except RuleError as error:
        raise InputError(str(error)) from None


def check_job(job: Job) -> FileResult:
    """Check one file; whatever goes wrong becomes the result's `failure`, so that other files are not lost."""
    from ptolint.frontend import FrontendError

    try:
        return check_file(job)
    except (InputError, FrontendError) as error:
        return FileResult(job.path, failure=str(error))
    except RecursionError:
        return FileResult(job.path, failure="nested too deeply to be analysed")
    except MemoryError:
        return FileResult(job.path, failure="needs more memory than a worker may use", internal=True)
    except Exception as error:
        where = _where(error)
        return FileResult(job.path, failure=f"internal error: {type(error).__name__}: {error}{where}", internal=True)


def _where(error: BaseException) -> str:
    """The innermost place of ours in a traceback, for a useful bug report."""
    import traceback

    frames = [f for f in traceback.extract_tb(error.__traceback__) if "ptolint" in f.filename]
    return f" (at {Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


def read_source(path: str) -> str:
    """The text of a source file; raises `InputError` for one that is unreadable, binary or far too large."""
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{path!r}: {error}") from None
    if data is None:
        raise InputError(f"{path}: larger than {MAX_BYTES >> 20} MiB")
    if b"\0" in data:
        raise InputError(f"{path}: not a text file (NUL byte at offset {data.index(0)})")
    return data.decode("utf-8", "replace")


def check_file(job: Job) -> FileResult:
    """Check one file for all targets; raises `InputError` or `FrontendError` for input that cannot be used."""
    from ptolint.frontend import uses_pto

    text = read_source(job.path) if job.text is None else job.text
    if not uses_pto(text):
        return FileResult(job.path, skipped="does not use PTO" if job.explicit else "")
    options = job.options
    rulebook = rulebook_for(options.extend_rules)
    checked = [check_target(job.path, text, name, options, rulebook) for name in options.targets]
    result = combined(job.path, text, checked, options)
    if any(f.suppressed is None and f.level != "note" for f in result.findings):
        from ptolint.fixers import fixes_of

        result = replace(result, findings=tuple(fixes_of(job.path, text, list(result.findings), options)))
    return result


def combined(path: str, text: str, checked: list[TargetResult], options: CheckOptions) -> FileResult:
    """The results of all targets as one: levels and selection applied, equal findings merged, comments heeded."""
    rulebook = rulebook_for(options.extend_rules)
    findings = [f for c in checked for f in c.findings]
    findings = [f for f in _levelled(findings, options) if options.wants(f.rule)]
    findings = _suppress(path, text, merge(findings), options, rulebook)
    return FileResult(
        path,
        tuple(findings),
        replace(sum((c.counts for c in checked), Counts()), kernels=len({k for c in checked for k in c.kernels})),
        notes=tuple(dict.fromkeys(n for c in checked for n in c.notes)),
        includes=tuple(sorted({i for c in checked for i in c.includes})),
        layouts=tuple(dict.fromkeys(layout for c in checked for layout in c.layouts)),
    )


def programs(path: str, text: str, target: str, options: CheckOptions) -> list[Program]:
    """What the front end understands of a file for one target: one program per core that makes a difference."""
    from ptolint.frontend import cores_needed, parse

    front = frontend_options(options)
    needed = [c for c in cores_needed(path, text, front) if c in options.cores] or list(options.cores[:1])
    parsed = [parse(path, text, target=get_target(target), core=core, options=front) for core in needed]
    return [with_assumptions(mark_exponents(p), options.assume) for p in parsed]


def frontend_options(options: CheckOptions) -> FrontendOptions:
    """The part of the options that concerns the front end."""
    from ptolint.frontend import FrontendOptions

    return FrontendOptions(
        include_dirs=options.include_dirs,
        defines=options.defines,
        clang_args=options.clang_args,
        pto_include=options.pto_include,
        compile_commands=options.compile_commands,
        instantiate=options.instantiate,
    )


@dataclass(frozen=True, slots=True)
class TargetResult:
    """What checking for one target gave: findings of all cores, not yet merged, and how much was looked at."""

    findings: list[Finding]
    counts: Counts
    notes: list[str]
    includes: tuple[str, ...]
    layouts: tuple[Layout, ...]
    kernels: frozenset[str]


def check_target(path: str, text: str, target: str, options: CheckOptions, rulebook: Rulebook) -> TargetResult:
    """All stages for one target, from the source text on."""
    return check_programs(programs(path, text, target, options), target, options, rulebook)


def check_programs(parsed: list[Program], target: str, options: CheckOptions, rulebook: Rulebook) -> TargetResult:
    """All stages behind the front end for one target: static pass, solver, replay."""
    from ptolint.rulebook.program import check_program

    static = [check_program(p, rulebook) for p in parsed]
    findings = [f for s in static for f in s.findings]
    undecided = sum(len(s.undecided) for s in static)
    notes = [*_notes(parsed), *_without_rules({i for s in static for i in s.without_rules})]
    if options.solver:
        from ptolint.solver import SolverOptions, solve
        from ptolint.solver.repair import with_repairs

        repaired = [with_repairs(p, s.findings, target, rulebook) for p, s in zip(parsed, static, strict=True)]
        findings = [f for fs in repaired for f in fs]
        solved = [solve(p, get_target(target), rulebook, SolverOptions(timeout=options.solver_timeout)) for p in parsed]
        findings += [f for s in solved for f in s.findings]
        undecided = sum(len(s.unknown) for s in solved)
    if options.replay and findings:
        findings = list(_replayed(findings, parsed, target))
    counts = Counts(
        calls=sum(s.calls for s in static),
        obligations=sum(s.obligations for s in static),
        undecided=undecided,
        statements=sum(p.statements for p in parsed),
        not_understood=_distinct(n.span for p in parsed for n in p.notes if n.kind == "not-understood"),
    )
    drawn = tuple(layout for p in parsed for layout in layouts(p))
    kernels = frozenset(f.display for p in parsed for f in p.functions.values() if f.is_kernel)
    return TargetResult(findings, counts, notes, tuple(i for p in parsed for i in p.includes), drawn, kernels)


def _distinct(items: Iterable[object]) -> int:
    return len(set(items))


def _notes(parsed: list[Program]) -> Iterator[str]:
    """Notes of the front end as lines for the user; what one core instantiates needs no note from the other."""
    missing = [{n for n in p.notes if n.kind == "not-instantiated"} for p in parsed]
    everywhere = set.intersection(*missing) if missing else set()
    for program in parsed:
        for note in program.notes:
            if note.kind != "not-instantiated" or note in everywhere:
                yield f"{note.span.file}:{note.span.line}: {note.reason}"


def _without_rules(names: set[str]) -> list[str]:
    return [f"no rules yet for {', '.join(sorted(names))}"] if names else []


def _replayed(findings: list[Finding], parsed: list[Program], target: str) -> Iterator[Finding]:
    """Findings with what the numpy machine saw; one that the replay contradicts is kept as a note."""
    from ptolint.executor.replay import replay

    by_core = {p.core: p for p in parsed}
    end = time.process_time() + REPLAY_SECONDS
    for finding in findings:
        if time.process_time() > end:
            evidence = Evidence("not-replayable", "the replays of this file took too long")
        else:
            evidence = replay(by_core, finding, get_target(target))
        if evidence.status == "contradicted":
            finding = finding.with_(level="note")
        yield finding.with_(evidence=evidence)


def _levelled(findings: list[Finding], options: CheckOptions) -> Iterator[Finding]:
    """Findings at the level that the configuration wants; "off" drops them."""
    for finding in findings:
        matching = [(p, level) for p, level in options.severity if finding.rule.startswith(p)]
        level = max(matching, key=lambda m: len(m[0]))[1] if matching else finding.level
        if level != "off":
            yield finding if level == finding.level else replace(finding, level=level)


def _suppress(
    path: str, text: str, findings: list[Finding], options: CheckOptions, rulebook: Rulebook
) -> list[Finding]:
    """Apply the comments of the file, and of headers that findings stand in; report those that silence nothing."""
    suppressions = find_suppressions(path, text)
    for other in sorted({f.span.file for f in findings} - {path}):
        suppressions += find_suppressions(other, read_source(other))
    findings = apply_suppressions(findings, suppressions)
    if options.report_unused_suppressions and suppressions:
        known = {r.id for f in rulebook.files() for r in f.rules}
        judged = {rule for rule in known if options.wants(rule)}
        own = [s for s in suppressions if s.span.file == path]
        unused = unused_suppressions(own, judged, known | set(ANALYSES))
        findings = merge([*findings, *(f for f in unused if options.wants(f.rule))])
    return findings
