"""`ptolint check`: the linter."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ptolint.cli.options import check_output, load_options, source_options, split_list, write_output
from ptolint.config import Config
from ptolint.errors import InputError
from ptolint.options import CheckOptions
from ptolint.results import RunResult, exit_code
from ptolint.run import RunOptions, check_paths

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "html")


@click.command("check", context_settings={"ignore_unknown_options": False})
@click.argument("paths", nargs=-1)
@source_options
@click.option("--select", multiple=True, callback=split_list, help="Check only these rules (ids or prefixes).")
@click.option("--ignore", multiple=True, callback=split_list, help="Leave out these rules (ids or prefixes).")
@click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("-o", "--output", metavar="FILE", help="Write the report to FILE.")
@click.option("-j", "--jobs", type=int, default=None, help="Worker processes. Default: one per processor.")
@click.option(
    "--fail-on", type=click.Choice(("error", "warning", "note", "never")), help="Lowest level that fails the run."
)
@click.option("--solver/--no-solver", default=None, help="Prove constraints over run-time values. Default: on.")
@click.option("--solver-timeout", type=float, metavar="SECONDS", help="Bound on the proofs of one file. Default: 4.")
@click.option("--replay/--no-replay", default=None, help="Confirm findings on the numpy machine. Default: on.")
@click.option("--file-timeout", type=float, metavar="SECONDS", help="Bound on one file. Default: 60.")
@click.option("--no-cache", is_flag=True, help="Neither use nor store results.")
@click.option("--statistics", is_flag=True, help="Findings per rule instead of the findings themselves.")
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", help="Colours in text output.")
@click.option("--shard", metavar="I/N", help="Check only the I-th of N parts of the files.")
@click.option("--diff-base", metavar="REV", help="Report only findings on lines changed since a git revision.")
@click.option("--fix", is_flag=True, help="Make the safe fixes in the files, then report what is left.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also fixes that may change the meaning.")
@click.option("--diff", is_flag=True, help="Show the fixes as a patch instead of making them.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **given: Any) -> None:
    """Check kernels in files and directories for broken constraints, for every target at once.

    What stands behind `--` goes to clang. Exit codes: 0 clean, 1 findings, 2 unusable input, 3 internal fault.

    \b
    Examples:
      ptolint check kernel.cpp
      ptolint check --target a5 --select tmov,tstore src/
      ptolint check --format sarif --output ptolint.sarif . -- -DTILE=64
    """
    check_output(given["output"])
    if given["statistics"] and given["format_"] not in ("text", "concise", "json"):
        raise InputError(f"--statistics comes as text or json, not as {given['format_']}")
    paths, clang_args = split_clang_args(paths)
    options, config = load_options(clang_args=clang_args, **{k: given.pop(k) for k in _SOURCE})
    options = replace(
        options,
        select=(*options.select, *given["select"]),
        ignore=(*options.ignore, *given["ignore"]),
        solver=options.solver if given["solver"] is None else given["solver"],
        solver_timeout=given["solver_timeout"] or options.solver_timeout,
        replay=options.replay if given["replay"] is None else given["replay"],
    )
    _check_selection(options)
    run = RunOptions(
        jobs=config["jobs"] if given["jobs"] is None else given["jobs"],
        file_timeout=given["file_timeout"] or config["file-timeout"],
        cache=config["cache"] and not given["no_cache"],
        shard=_shard(given["shard"]),
    )

    def once() -> RunResult:
        return _once(paths or (".",), options, config, run, given)

    if given["watch"]:
        from ptolint.watch import watch

        watch(paths or (".",), config, once)
        return
    ctx.exit(exit_code(once(), given["fail_on"] or config["fail-on"]))


def _check_selection(options: CheckOptions) -> None:
    """A selection that names no rule would make every file clean; `InputError` for one."""
    if not options.select:
        return
    from ptolint.errors import nearest
    from ptolint.pipeline import rulebook_for
    from ptolint.rulebook.listing import known_ids

    known = sorted(known_ids(rulebook_for(options.extend_rules)))
    for prefix in options.select:
        if not any(rule.startswith(prefix) for rule in known):
            words = [*known, *{rule.partition("/")[0] for rule in known}]
            raise InputError(f"select: no rule begins with {prefix!r}{nearest(prefix, words)}")


def _once(
    paths: tuple[str, ...], options: CheckOptions, config: Config, run: RunOptions, given: dict[str, Any]
) -> RunResult:
    """One check with its report written, and fixes made or shown where asked for."""
    with _Progress() as progress:
        result = check_paths(paths, options, config, run, progress.update)
    if given["diff_base"]:
        from ptolint.changes import changed_lines, only_changed

        result = only_changed(result, changed_lines(given["diff_base"], Path.cwd()))
    if given["diff"]:
        from ptolint.fixes import diff

        write_output("".join(diff(result.findings, given["unsafe_fixes"])), given["output"])
        return result
    if given["fix"]:
        from ptolint.fixes import fix_files

        count = fix_files(result.findings, given["unsafe_fixes"])
        if count:
            click.echo(f"ptolint: {count} edit{'s' * (count != 1)} made", err=True)
            result = check_paths(paths, options, config, run)
    write_output(render(result, given["format_"], given["statistics"], _color(given), options), given["output"])
    _say_failures(result, given)
    return result


_SOURCE = (
    "targets",
    "cores",
    "include_dirs",
    "defines",
    "pto_include",
    "compile_commands",
    "extend_rules",
    "config_file",
    "isolated",
)


def split_clang_args(paths: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The paths before `--` and the clang arguments behind it (click leaves both in one list)."""
    argv = sys.argv[1:]
    behind = tuple(argv[argv.index("--") + 1 :]) if "--" in argv else ()
    if not behind or paths[len(paths) - len(behind) :] != behind:
        return paths, ()
    return paths[: len(paths) - len(behind)], behind


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return (1, 1)
    first, _, count = text.partition("/")
    if not (first.isdigit() and count.isdigit() and 1 <= int(first) <= int(count)):
        raise InputError(f"--shard {text}: expected I/N with 1 <= I <= N")
    return int(first), int(count)


def _color(given: dict[str, Any]) -> bool:
    """Colours on a terminal unless NO_COLOR is set; never in a file."""
    import os

    if given["color"] != "auto":
        return bool(given["color"] == "always")
    return given["output"] is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def render(result: RunResult, format_: str, statistics: bool, color: bool, options: Any) -> str:
    """The report in one of `FORMATS`."""
    if statistics:
        from ptolint.report import statistics as module

        return module.render(result, format_)
    if format_ == "text":
        import shutil

        from ptolint.report import text

        return text.render(result, color, shutil.get_terminal_size((100, 40)).columns if sys.stdout.isatty() else 160)
    if format_ == "sarif":
        from dataclasses import asdict

        from ptolint.pipeline import rulebook_for
        from ptolint.report import sarif
        from ptolint.rulebook.listing import list_rules

        rules = list_rules(rulebook_for(options.extend_rules)) if result.findings else []
        return sarif.render(result, [asdict(r) for r in rules])
    import importlib

    report = importlib.import_module(f"ptolint.report.{'json_' if format_ == 'json' else format_}")
    text_: str = report.render(result)
    return text_


def _say_failures(result: RunResult, given: dict[str, Any]) -> None:
    """Formats for programs keep stdout clean, so files that were not analysed are named on stderr as well."""
    if given["format_"] in ("text", "concise") and given["output"] is None:
        return
    for failed in result.failures:
        click.echo(f"ptolint: not analysed: {failed.path}: {failed.failure}", err=True)


class _Progress:
    """A progress bar on a terminal, from the second second on."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int) -> None:
        """`done` of `total` files are finished."""
        if self._bar is None:
            if not sys.stderr.isatty() or time.monotonic() - self._start < 1.0:
                return
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("checking", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done)
