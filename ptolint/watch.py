"""`--watch`: check again when a source or configuration file changes; polling, so that it works everywhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import click

from ptolint.config import NAMES, Config
from ptolint.discovery import discover
from ptolint.errors import InputError

_INTERVAL = 0.5  # seconds
State = dict[str, tuple[int, int]]


def watch(paths: tuple[str, ...], config: Config, once: Callable[[], object]) -> None:
    """Call `once` now and after every change, until Ctrl-C. An input error is shown and waited out."""
    before: State | None = None
    try:
        while True:
            now = snapshot(paths, config)
            if now != before:
                before = now
                _run(once)
            time.sleep(_INTERVAL)
    except KeyboardInterrupt:
        return


def _run(once: Callable[[], object]) -> None:
    try:
        once()
    except InputError as error:
        click.echo(f"ptolint: {error}", err=True)
    click.echo("watching for changes, Ctrl-C ends", err=True)


def snapshot(paths: tuple[str, ...], config: Config) -> State:
    """Modification time and size of everything that a check reads by itself."""
    try:
        files = [s.path for s in discover(paths, tuple(config["exclude"]), config.root)]
    except InputError:
        files = []
    files += [config.root / name for name in NAMES]
    state: State = {}
    for file in files:
        try:
            stat = Path(file).stat()
        except OSError:
            continue
        state[str(file)] = (stat.st_mtime_ns, stat.st_size)
    return state
