"""`ptolint contract`: the conditions under which kernels may be launched."""

from __future__ import annotations

import json
from typing import Any

import click

from ptolint.cli.check_command import split_clang_args
from ptolint.cli.options import load_options, source_options
from ptolint.errors import InputError
from ptolint.options import CheckOptions

_WHATEVER = {"True": "any values", "False": "no values: a call is illegal however the kernel is launched"}


@click.command("contract")
@click.argument("files", nargs=-1, required=True)
@click.option("--entry", metavar="NAME", help="Only this kernel (or function).")
@source_options
@click.option("-f", "--format", "format_", type=click.Choice(("text", "json")), default="text", help="Output format.")
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], entry: str | None, format_: str, **given: Any) -> None:
    """Print, per kernel and target, the simplest condition over its parameters under which every call is legal.

    \b
    Examples:
      ptolint contract kernel.cpp
      ptolint contract --entry add_rows --target a5 --format json kernel.cpp
    """
    files, clang_args = split_clang_args(files)
    options, _ = load_options(clang_args=clang_args, **given)
    found = [c for path in files for target in options.targets for c in _contracts(path, target, entry, options)]
    if entry is not None and not found:
        raise InputError(f"no kernel or function is called {entry!r}")
    if format_ == "json":
        click.echo(json.dumps({"contracts": found}, indent=1))
    else:
        for contract in found:
            _print(contract)
    ctx.exit(0)


def _contracts(path: str, target: str, entry: str | None, options: CheckOptions) -> list[dict[str, Any]]:
    """The contracts of one file for one target, as plain data."""
    from ptolint.frontend import FrontendError
    from ptolint.pipeline import programs, read_source, rulebook_for
    from ptolint.solver.contract import contracts, joined
    from ptolint.targets import get_target

    try:
        parsed = programs(path, read_source(path), target, options)
    except FrontendError as error:
        raise InputError(str(error)) from None
    rulebook = rulebook_for(options.extend_rules)
    found = joined([c for p in parsed for c in contracts(p, get_target(target), rulebook, entry=entry)])
    return [
        {
            "entry": c.entry,
            "target": c.target,
            "condition": c.condition,
            "exact": c.exact,
            **({"note": c.note} if c.note else {}),
            "file": path,
        }
        for c in found
    ]


def _print(contract: dict[str, Any]) -> None:
    """A contract as a person wants it: readable, and ready to paste into the kernel."""
    from ptolint.solver.contract import as_c

    click.echo(f"{contract['file']}: {contract['entry']} [{contract['target']}]")
    unknown = contract["condition"] == "True" and not contract["exact"]
    shown = "unknown values" if unknown else _WHATEVER.get(contract["condition"], contract["condition"])
    click.echo(f"  launch with  {shown}")
    if contract["condition"] not in _WHATEVER:
        click.echo(f"  paste        // ptolint: assume({as_c(contract['condition'])})")
    if contract.get("note"):
        click.echo(f"  note         {contract['note']}")
