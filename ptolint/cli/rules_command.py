"""`ptolint rules`: the rule set as a list, and how well fixtures cover it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from ptolint.cli.options import split_list
from ptolint.errors import InputError
from ptolint.pipeline import rulebook_for


@click.command("rules")
@click.option("--select", multiple=True, callback=split_list, help="Only these rules (ids or prefixes).")
@click.option("-f", "--format", "format_", type=click.Choice(("text", "json")), default="text", help="Output format.")
@click.option(
    "--coverage", metavar="CATALOGUE", help="Compare the rules with a catalogue of constraints and the fixtures."
)
@click.option("--fixtures", metavar="DIR", help="The fixtures for --coverage. Default: those beside the rules.")
@click.option("--extend-rules", multiple=True, metavar="FILE", help="A rule file of your own.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    select: tuple[str, ...],
    format_: str,
    coverage: str | None,
    fixtures: str | None,
    extend_rules: tuple[str, ...],
) -> None:
    """List the rules: id, level, targets, what breaks them.

    \b
    Examples:
      ptolint rules --select tmov
      ptolint rules --format json
      ptolint rules --coverage rules/catalogue.json    # in a clone
    """
    from ptolint.rulebook.listing import list_analyses, list_rules

    if coverage is not None:
        ctx.exit(_coverage(coverage, fixtures))
    every = [*list_rules(rulebook_for(extend_rules)), *list_analyses()]
    shown = [r for r in every if not select or r.id.startswith(select)]
    if format_ == "json":
        click.echo(json.dumps([asdict(r) for r in shown], indent=1))
        return
    for rule in shown:
        where = ",".join(rule.targets) or "all"
        click.echo(f"{rule.id:44} {rule.level:7} {where:10} {rule.enforced:13} {rule.summary}")
    click.echo(f"{len(shown)} rules")


def _coverage(catalogue: str, fixtures: str | None) -> int:
    from ptolint.rulebook.coverage import coverage_of, coverage_text
    from ptolint.rulebook.fixtures import fixtures_directory

    directory = Path(fixtures) if fixtures else fixtures_directory()
    if directory is None or not directory.is_dir():
        raise InputError("no fixtures: give their directory with --fixtures")
    if not Path(catalogue).is_file():
        raise InputError(f"{catalogue}: no such file")
    result = coverage_of(Path(catalogue), directory)
    click.echo(coverage_text(result))
    return 0 if result.complete else 1
