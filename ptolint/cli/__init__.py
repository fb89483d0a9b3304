"""The command line: each command is a module of its own, imported only when it is called."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Any

import click

from ptolint import __version__
from ptolint.errors import InputError

_COMMANDS = {
    "check": "Check kernels for broken constraints.",
    "ir": "Show what was understood of each kernel.",
    "rules": "List the rules.",
    "explain": "Explain one rule.",
    "contract": "Print the conditions under which a kernel may be launched.",
    "legal": "Ask the rules which operands of an instruction are legal.",
    "run": "Run a kernel on the numpy machine.",
    "baseline": "Record the findings of today, report only new ones.",
    "config": "Show the configuration in force.",
    "cache": "Manage cached results.",
    "merge": "Merge SARIF files of several shards.",
    "lsp": "Start the language server.",
}


class _Commands(click.Group):
    """A group that imports a command's module when the command is used; help text needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module = importlib.import_module(f"ptolint.cli.{name}_command")
        command: click.Command = module.command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in _COMMANDS:
            from ptolint.errors import nearest

            raise click.UsageError(f"no command {args[0]!r}{nearest(args[0], list(_COMMANDS))}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ptolint")
def cli() -> None:
    """Check C++ kernels of the PTO tile ISA against the documented constraints of every target.

    \b
    Examples:
      ptolint check kernels/
      ptolint check --target a5 --format sarif --output ptolint.sarif .
      ptolint explain tmov/bias-table-bytes
    """


def main() -> None:
    """Entry point of the console script: `InputError` is one line and exit code 2."""
    gc.set_threshold(50_000, 20, 50)  # start-up makes many objects and no garbage
    _open_streams()
    try:
        status = cli(standalone_mode=False)
    except InputError as error:
        click.echo(f"ptolint: {error}", err=True)
        status = 2
    except click.exceptions.Exit as error:
        status = error.exit_code
    except click.ClickException as error:
        error.show()
        status = 2
    except (click.Abort, KeyboardInterrupt):
        status = 130
    except Exception as error:  # a fault of ours must look like neither "clean" nor "findings"
        if os.environ.get("PTOLINT_DEBUG"):
            raise
        click.echo(f"ptolint: internal error: {type(error).__name__}: {error} (PTOLINT_DEBUG=1 shows more)", err=True)
        status = 3
    gc.freeze()  # nothing is worth being collected now
    sys.exit(status if isinstance(status, int) else 0)


def _open_streams() -> None:
    """Standard streams that the caller closed lead nowhere; else a file of ours would take their place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))
