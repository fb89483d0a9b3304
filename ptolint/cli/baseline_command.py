"""`ptolint baseline`: accept what there is, report what is new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ptolint import baseline
from ptolint.cli.check_command import FORMATS, render
from ptolint.cli.options import load_options, source_options, write_output
from ptolint.results import RunResult, exit_code
from ptolint.run import RunOptions, check_paths


@click.group("baseline")
def command() -> None:
    """Record the findings of today, report only new ones.

    \b
    Examples:
      ptolint baseline write src/
      ptolint baseline check src/
    """


def _file_option(function: Any) -> Any:
    option = click.option("--file", "file", default=baseline.DEFAULT, show_default=True, help="The baseline file.")
    return option(function)


@command.command("write")
@click.argument("paths", nargs=-1)
@_file_option
@source_options
def write_command(paths: tuple[str, ...], file: str, **given: Any) -> None:
    """Write every error and warning in PATHS to the baseline file; notes need no entry."""
    result, _ = _checked(paths, given)
    count = baseline.write(Path(file), result)
    click.echo(f"{file}: {count} findings recorded")


@command.command("check")
@click.argument("paths", nargs=-1)
@_file_option
@source_options
@click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("-o", "--output", metavar="FILE", help="Write the report to FILE.")
@click.pass_context
def check_command(ctx: click.Context, /, paths: tuple[str, ...], file: str, **given: Any) -> None:
    """Report findings in PATHS that the baseline does not hold, and entries that match nothing any more."""
    format_, output = given.pop("format_"), given.pop("output")
    known = baseline.read(Path(file))
    result, options = _checked(paths, given)
    result, stale = baseline.apply(result, known)
    write_output(render(result, format_, False, False, options), output)
    for entry in stale:
        click.echo(f"ptolint: {file}: stale entry: {entry.rule} in {entry.path}; write the baseline anew", err=True)
    ctx.exit(exit_code(result, "warning"))


def _checked(paths: tuple[str, ...], given: dict[str, Any]) -> tuple[RunResult, Any]:
    options, config = load_options(**given)
    run = RunOptions(jobs=config["jobs"], file_timeout=config["file-timeout"], cache=config["cache"])
    return check_paths(paths or (".",), options, config, run), options
