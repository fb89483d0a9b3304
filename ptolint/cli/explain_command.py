"""`ptolint explain`: the page of one rule."""

from __future__ import annotations

import click

from ptolint.errors import InputError
from ptolint.pipeline import rulebook_for


@click.command("explain")
@click.argument("rule")
@click.option("--extend-rules", multiple=True, metavar="FILE", help="A rule file of your own.")
def command(rule: str, extend_rules: tuple[str, ...]) -> None:
    """Explain a rule: what it demands, why, where that is documented, and a kernel that breaks it.

    \b
    Example:
      ptolint explain tmov/bias-table-bytes
    """
    from ptolint.rulebook.listing import explain

    try:
        click.echo(explain(rulebook_for(extend_rules), rule), nl=False)
    except KeyError as error:
        raise InputError(str(error.args[0])) from None
