"""`run_kernel`: a kernel as a Python function."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import ExecutorError
from ptolint.executor.machine import Limits
from ptolint.executor.memory import Violation
from ptolint.executor.session import Launch, Session
from ptolint.executor.trace import Trace
from ptolint.ir.model import Function, PointerType, Program
from ptolint.targets import Target, get_target

if TYPE_CHECKING:
    from ptolint.frontend import FrontendOptions


def run_kernel(
    path: str | Path,
    entry: str,
    *,
    target: str = "a5",
    args: Mapping[str, Any],
    blocks: int = 1,
    block: int | None = None,
    options: FrontendOptions | None = None,
    limits: Limits | None = None,
    trace: Trace | None = None,
    violations: list[Violation] | None = None,
    elastic: bool = False,
) -> dict[str, Array]:
    """Runs kernel `entry` of the file at `path` on the numpy machine.

    `args` maps the kernel's parameters to arrays (pointers) and numbers (scalars).  Arrays are copied;
    the result maps every pointer parameter to its tensor after the run, in the type and shape given.
    Element types that numpy lacks are ml_dtypes types, or integers of the same width with their bits.
    `options` are those of the parse: include directories, macros.
    All `blocks` run in turn, or only number `block`.  What the run did wrongly (accesses outside a
    tile, buffer or tensor, reads of undefined elements) is appended to `violations`.  With `elastic`
    a pointer without an array starts empty and grows with what is written.
    Raises `ExecutorError` with one line when the kernel cannot be run.
    """
    device = _target(target)
    programs = parse_cores(path, device, options)
    entries = find_entries(programs, entry)
    arrays, scalars = split_arguments(args, entries)
    launch = Launch(arrays, scalars, blocks, block, synthetic=elastic, limits=limits or Limits(), observer=trace)
    session = Session({c: programs[c] for c in entries}, device, launch)
    try:
        session.run(entries)
    finally:
        if trace is not None:
            trace.finish(session)
        if violations is not None:
            violations.extend(v for v in session.log.entries if v.is_fault)
    first = next(iter(entries.values()))
    return {p.name: session.result(p) for p in first.params if isinstance(p.type, PointerType)}


def _target(name: str) -> Target:
    try:
        return get_target(name)
    except KeyError as error:
        raise ExecutorError(str(error.args[0])) from None


def parse_cores(path: str | Path, target: Target, options: FrontendOptions | None = None) -> dict[str, Program]:
    """The file's program for each core that sees different code."""
    from ptolint.frontend import FrontendError, FrontendOptions, cores_needed, parse

    name, options = str(path), options or FrontendOptions()
    try:
        cores = cores_needed(name, None, options)
        return {core: parse(name, target=target, core=core, options=options) for core in cores}
    except FrontendError as error:
        raise ExecutorError(str(error)) from None
    except OSError as error:
        raise ExecutorError(f"cannot read {path}: {error.strerror}") from None


def find_entries(programs: Mapping[str, Program], entry: str) -> dict[str, Function]:
    """The kernel called `entry` on each core: by name, or by the display name of a template instance.

    Raises `ExecutorError` naming the kernels there are when none, or more than one, is meant.
    """
    found = {}
    for core, program in programs.items():
        matches = [f for f in program.functions.values() if _plain(entry) in map(_plain, (f.name, f.display, f.id))]
        matches = [f for f in matches if f.is_kernel] or matches
        if len({f.id for f in matches}) > 1:
            names = ", ".join(sorted(f.display for f in matches))
            raise ExecutorError(f"several instances of {entry}: say which of {names}")
        if matches:
            found[core] = matches[0]
    if not found:
        kernels = sorted({f.display for p in programs.values() for f in p.functions.values() if f.is_kernel})
        raise ExecutorError(f"no kernel {entry}; there are: {', '.join(kernels) or 'none'}")
    return found


def _plain(name: str) -> str:
    """A name without its blanks: `copy<half,64>` is `copy<half, 64>`."""
    return name.replace(" ", "")


def split_arguments(
    args: Mapping[str, Any], entries: Mapping[str, Function]
) -> tuple[dict[str, Array], dict[str, Any]]:
    """Arrays for pointer parameters, numbers for the others; an argument that no parameter takes is an error."""
    params = {p.name: p for f in entries.values() for p in f.params}
    unknown = [n for n in args if n not in params]
    if unknown:
        raise ExecutorError(f"the kernel has no parameter {unknown[0]}; it has: {', '.join(params)}")
    arrays = {n: np.asarray(v) for n, v in args.items() if isinstance(params[n].type, PointerType)}
    scalars = {n: _number(n, v) for n, v in args.items() if n not in arrays}
    return arrays, scalars


def _number(name: str, value: Any) -> int | float:
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "iufb":
        raise ExecutorError(f"parameter {name} takes one number")
    number: int | float = array.reshape(-1)[0].item()
    return number
