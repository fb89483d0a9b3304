"""`ptolint lsp`: the language server on standard input and output."""

from __future__ import annotations

import click

from ptolint.errors import InputError


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Accepted for editors that pass it; there is no other way.")
def command(stdio: bool) -> None:
    """Start the language server; editors run this, see `editors/` for set-ups.

    \b
    Example:
      ptolint lsp
    """
    try:
        from ptolint.lsp.server import create_server
    except ImportError as error:
        raise InputError(f"the language server needs pygls ({error}): pip install 'ptolint[lsp]'") from None
    server = create_server()
    try:
        server.start_io()
    finally:
        server.engine.close()
