"""`ptolint ir`: what the front end understood."""

from __future__ import annotations

import json
from typing import Any

import click

from ptolint.cli.check_command import split_clang_args
from ptolint.cli.options import load_options, source_options
from ptolint.errors import InputError
from ptolint.options import CheckOptions


@click.command("ir")
@click.argument("files", nargs=-1, required=True)
@source_options
@click.option("-f", "--format", "format_", type=click.Choice(("text", "json")), default="text", help="Output format.")
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], format_: str, **given: Any) -> None:
    """Show what was understood of each kernel, and what was not.

    \b
    Examples:
      ptolint ir --target a5 kernel.cpp
      ptolint ir --format json --target a5 kernels/*.cpp
    """
    files, clang_args = split_clang_args(files)
    options, _ = load_options(clang_args=clang_args, **given)
    entries: list[Any] = []
    failed = False
    for path in files:
        for target in options.targets:
            try:
                entries += _one(path, target, options, format_)
            except InputError as error:
                failed = True
                click.echo(f"ptolint: {error}", err=True)
    if format_ == "json":
        click.echo(json.dumps({"files": entries}, indent=1))
    ctx.exit(2 if failed else 0)


def _one(path: str, target: str, options: CheckOptions, format_: str) -> list[Any]:
    """The JSON entries of one file for one target; text is printed at once."""
    from ptolint.frontend import FrontendError
    from ptolint.ir.printer import format_program
    from ptolint.ir.summary import summary
    from ptolint.pipeline import programs, read_source

    try:
        parsed = programs(path, read_source(path), target, options)
    except FrontendError as error:
        raise InputError(str(error)) from None
    if format_ == "json":
        return list(summary(parsed)["files"])
    for program in parsed:
        click.echo(format_program(program))
    return []
