"""The arguments that clang is given: target macros, include paths, and what is safe of the user's own."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ptolint.targets import Target

HEADERS = Path(__file__).parent / "headers"

_BASE = (
    "-x",
    "c++",
    "-std=c++17",
    "--target=aarch64-linux-gnu",
    "-nostdinc",
    "-nostdinc++",
    "-fsyntax-only",
    "-w",
    "-ferror-limit=2000",
    "-ftemplate-depth=400",
    "-fconstexpr-depth=400",
    "-fconstexpr-steps=500000",
    "-fbracket-depth=200",
    "-ftemplate-backtrace-limit=6",
    "-fno-spell-checking",
    "-fno-caret-diagnostics",
    "-Wno-everything",
)
_WITH_VALUE = ("-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
_STANDARD = re.compile(r"-std=(?:c|gnu)\+\+(?:17|1z|20|2a|23|2b|26|2c)")  # older ones cannot read PTO's headers
_LOADING = ("-include", "-imacros")  # honoured through `FrontendOptions`, never from a command line


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """What the caller may add to a parse.

    `pto_include`: a directory with the user's own PTO headers, used in place of the bundled ones.
    `include_dirs`, `defines` (NAME or NAME=VALUE) and `clang_args` are passed on as far as they neither load nor
    write anything. `compile_commands`: the path of a compile_commands.json. `instantiate`: template instances to
    check besides those of the file, e.g. `kernel<half, 64>`.
    """

    pto_include: str | None = None
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    clang_args: tuple[str, ...] = ()
    compile_commands: str | None = None
    instantiate: tuple[str, ...] = ()


def safe_arguments(arguments: tuple[str, ...] | list[str], directory: str = ".") -> list[str]:
    """Keep macros, include paths and the language standard; drop whatever loads, writes or changes the tool chain."""
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        flag = next((f for f in _WITH_VALUE if argument == f), None)
        if flag is not None:
            value = next(rest, None)
            if value is not None and flag not in _LOADING:
                kept += [flag, _absolute(flag, value, directory)]
            continue
        prefix = next((f for f in ("-D", "-U", "-I") if argument.startswith(f)), None)
        if prefix is not None:
            kept += [prefix, _absolute(prefix, argument[2:], directory)]
        elif _STANDARD.fullmatch(argument):
            kept.append(argument)
    return kept


def dropped_arguments(arguments: tuple[str, ...]) -> list[str]:
    """The arguments, with their values, that `safe_arguments` does not pass on."""
    dropped: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument in _WITH_VALUE:
            value = next(rest, None)
            if value is None or argument in _LOADING:
                dropped.append(f"{argument} {value}" if value is not None else argument)
        elif not (argument.startswith(("-D", "-U", "-I")) or _STANDARD.fullmatch(argument)):
            dropped.append(argument)
    return dropped


def _absolute(flag: str, value: str, directory: str) -> str:
    return value if flag in ("-D", "-U") else str(Path(directory) / value)


@cache
def _commands(path: str, _stamp: float) -> dict[str, tuple[str, tuple[str, ...]]]:
    entries = json.loads(Path(path).read_text(encoding="utf-8", errors="replace"))
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for entry in entries:
        arguments = entry.get("arguments") or shlex.split(entry.get("command", ""))
        directory = entry.get("directory", ".")
        found[str((Path(directory) / entry["file"]).resolve())] = (directory, tuple(arguments[1:]))
    return found


def database_arguments(database: str, path: str) -> list[str]:
    """The safe part of the command that a compile_commands.json holds for `path`; [] where it has none.

    Raises `ValueError` when the database is not readable as such.
    """
    try:
        directory, arguments = _commands(database, Path(database).stat().st_mtime).get(
            str(Path(path).resolve()), (".", ())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{database}: not a compilation database ({error})") from None
    return safe_arguments(list(arguments), directory)


def header_roots(options: FrontendOptions) -> tuple[str, ...]:
    """Directories whose declarations are PTO's, not the user's."""
    roots = [str(HEADERS)]
    if options.pto_include:
        roots.insert(0, str(Path(options.pto_include).absolute()))
    return tuple(roots)


def clang_arguments(path: str, target: Target, core: str, options: FrontendOptions) -> list[str]:
    """The whole argument list for one file, target and core; raises `KeyError` for an unknown core."""
    version = ("__CCE_AICORE__", "220" if target.arch == 2201 else "310")
    macros = (*target.macros, *target.core_macros[core], version, ("__PTOLINT__", "1"))
    arguments = [*_BASE]
    arguments += [f"-D{name}={value}" for name, value in macros]
    if options.compile_commands:
        arguments += database_arguments(options.compile_commands, path)
    arguments += safe_arguments(options.clang_args)
    arguments += [f"-D{d}" for d in options.defines]
    arguments += [f"-I{d}" for d in options.include_dirs]
    arguments += [f"-I{root}" for root in header_roots(options)]
    return arguments
