"""Options that several commands share, and how they go over the configuration."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from ptolint import config as configuration
from ptolint.errors import InputError, nearest
from ptolint.options import CheckOptions
from ptolint.targets import TARGETS

F = TypeVar("F", bound=Callable[..., Any])


def split_list(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`--x a,b --x c` as ("a", "b", "c")."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def source_options(command: F) -> F:
    """Targets, cores, the configuration file, and what clang needs to read the sources."""
    for option in reversed(
        [
            click.option(
                "-t",
                "--target",
                "targets",
                multiple=True,
                callback=split_list,
                help="Targets: a2a3, a5, kirin9030, kirinx90, or all. Default: a2a3,a5.",
            ),
            click.option(
                "--core", "cores", multiple=True, callback=split_list, help="Core types: vec, cube. Default: both."
            ),
            click.option(
                "-I", "--include", "include_dirs", multiple=True, metavar="DIR", help="Directory for #include."
            ),
            click.option("-D", "--define", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
            click.option(
                "--pto-include", metavar="DIR", help="Use the PTO headers in DIR instead of the built-in ones."
            ),
            click.option(
                "--compile-commands", metavar="PATH", help="A compile_commands.json or the directory that holds it."
            ),
            click.option("--extend-rules", multiple=True, metavar="FILE", help="A rule file of your own."),
            click.option("--config", "config_file", metavar="FILE", help="Use this configuration file."),
            click.option("--isolated", is_flag=True, help="Read no configuration file."),
        ]
    ):
        command = option(command)
    return command


def load_options(
    *,
    targets: tuple[str, ...],
    cores: tuple[str, ...],
    include_dirs: tuple[str, ...],
    defines: tuple[str, ...],
    pto_include: str | None,
    compile_commands: str | None,
    extend_rules: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    clang_args: tuple[str, ...] = (),
) -> tuple[CheckOptions, configuration.Config]:
    """The configuration with the command line's options over it; raises `InputError` for unknown names."""
    config = configuration.load(config_file, isolated, Path.cwd())
    options = configuration.options_of(config)
    options = replace(
        options,
        targets=_targets(targets) or options.targets,
        cores=_known("core", cores, ["vec", "cube"]) or options.cores,
        include_dirs=(*include_dirs, *options.include_dirs),
        defines=(*options.defines, *defines),
        pto_include=pto_include or options.pto_include,
        compile_commands=compile_commands or options.compile_commands,
        extend_rules=(*options.extend_rules, *extend_rules),
        clang_args=clang_args,
    )
    _must_exist(options)
    _say_dropped(clang_args)
    return options, config


def _say_dropped(clang_args: tuple[str, ...]) -> None:
    """One line for what stands behind `--` and is not passed on: nothing may be loaded or written by clang."""
    if not clang_args:
        return
    from ptolint.frontend.args import dropped_arguments

    dropped = dropped_arguments(clang_args)
    if dropped:
        click.echo(
            f"ptolint: not passed on to clang: {' '.join(dropped)} (only -D, -U, -I, -isystem, -iquote, -std are)",
            err=True,
        )


def _targets(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(TARGETS) if names == ("all",) else _known("target", names, list(TARGETS))


def _known(what: str, names: tuple[str, ...], known: list[str]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise InputError(f"unknown {what} {name!r}{nearest(name, known)} (known: {', '.join(known)})")
    return tuple(dict.fromkeys(names))


def _must_exist(options: CheckOptions) -> None:
    for path in filter(None, (options.pto_include, options.compile_commands, *options.extend_rules)):
        if not Path(path).exists():
            raise InputError(f"{path}: no such file or directory")


def write_output(text: str, output: str | None) -> None:
    """Print, or write to a file as a whole; raises `InputError` where the file cannot be written.

    What is no UTF-8 in a file's name is written as an escape.
    """
    text = text.encode("utf-8", "backslashreplace").decode()
    if output is None or output == "-":
        try:
            click.echo(text, nl=False)
        except BrokenPipeError:  # the reader has seen enough: what is left in the buffer must not fail again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(141) from None
        except OSError as error:
            raise InputError(f"standard output: {error.strerror}") from None
        return
    try:
        Path(output).write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}") from None


def check_output(output: str | None) -> None:
    """Raise `InputError` for a report file that could not be written, before the work is done."""
    if output is None or output == "-":
        return
    path = Path(output)
    if path.is_dir():
        raise InputError(f"{output}: is a directory")
    if not path.parent.is_dir():
        raise InputError(f"{output}: no such directory: {path.parent}")
