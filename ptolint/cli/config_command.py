"""`ptolint config`: what is in force and from where."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ptolint import config as configuration


@click.command("config")
@click.option("--config", "config_file", metavar="FILE", help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of the configuration file.")
@click.argument("path", default=".")
def command(config_file: str | None, isolated: bool, schema: bool, path: str) -> None:
    """Show the settings in force for PATH (default: the working directory) and where each comes from.

    \b
    Examples:
      ptolint config
      ptolint config --schema > ptolint.schema.json
    """
    if schema:
        click.echo(json.dumps(configuration.schema(), indent=2))
        return
    start = Path(path)
    config = configuration.load(config_file, isolated, start if start.is_dir() else start.parent)
    click.echo(f"configuration file: {config.file or 'none'}")
    for key in configuration.KEYS:
        value = json.dumps(config[key])
        click.echo(f"{key} = {value}    # {config.origins[key]}: {configuration.KEYS[key].text}")
