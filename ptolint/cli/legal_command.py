"""`ptolint legal`: which values of an instruction's operands the rules leave."""

from __future__ import annotations

import json
from typing import Any

import click

from ptolint.errors import InputError
from ptolint.pipeline import rulebook_for
from ptolint.targets import TARGETS


@click.command("legal")
@click.argument("instruction")
@click.argument("given", nargs=-1, metavar="[OPERAND.ATTRIBUTE=VALUE]...")
@click.option("--target", type=click.Choice(tuple(TARGETS)), default="a5", show_default=True, help="The device.")
@click.option("--form", metavar="NAME", help="Only this overload.")
@click.option("-f", "--format", "format_", type=click.Choice(("text", "json")), default="text", help="Output format.")
@click.option("--extend-rules", multiple=True, metavar="FILE", help="A rule file of your own.")
@click.pass_context
def command(
    ctx: click.Context,
    instruction: str,
    given: tuple[str, ...],
    target: str,
    form: str | None,
    format_: str,
    extend_rules: tuple[str, ...],
) -> None:
    """Ask the rules which values of the other attributes are legal, given some.

    Attributes of a tile are loc, layout (ND, DN, NZ, ZN, ZZ), dtype, rows, cols, valid_row, valid_col.

    \b
    Example:
      ptolint legal TMOV --target a5 src.loc=Mat dst.loc=Bias src.dtype=half
    """
    from ptolint.solver.legal import LegalError, legal

    try:
        answer = legal(instruction, target, dict(map(_binding, given)), rulebook_for(extend_rules), form)
    except LegalError as error:
        raise InputError(str(error)) from None
    if format_ == "json":
        click.echo(json.dumps(answer.as_dict(), indent=1))
    else:
        for line in answer.lines():
            click.echo(line)
    ctx.exit(0 if answer.example is not None else 1)


def _binding(text: str) -> tuple[str, Any]:
    key, sign, value = text.partition("=")
    if not sign or not key or not value:
        raise InputError(f"expected OPERAND.ATTRIBUTE=VALUE, got {text!r}")
    return key, int(value) if value.lstrip("-").isdigit() else value
