"""`ptolint cache`: the results kept on disk."""

from __future__ import annotations

import click


@click.group("cache")
def command() -> None:
    """Manage cached results.

    \b
    Example:
      ptolint cache clear
    """


@command.command("clear")
def clear_command() -> None:
    """Remove every cached result."""
    from ptolint.cache import clear

    click.echo(f"removed {clear()}")


@command.command("dir")
def dir_command() -> None:
    """Print the cache's directory."""
    from ptolint.rulebook.loader import cache_directory

    click.echo(str(cache_directory()))
