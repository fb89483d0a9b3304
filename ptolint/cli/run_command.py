"""`ptolint run`: a kernel on the numpy machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ptolint.errors import InputError


@click.command("run")
@click.argument("kernel")
@click.option(
    "--entry", required=True, metavar="NAME", help="The kernel function, or an instance like 'copy<half, 64>'."
)
@click.option("-t", "--target", default="a5", show_default=True, help="The target whose machine runs it.")
@click.option("--inputs", metavar="NPZ", help="Arrays by parameter name.")
@click.option("--outputs", metavar="NPZ", help="Where the tensors go after the run.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A scalar parameter.")
@click.option("--blocks", type=click.IntRange(1), default=1, show_default=True, help="How many blocks are launched.")
@click.option("--block", type=click.IntRange(0), metavar="N", help="Run only block N.")
@click.option("--trace", is_flag=True, help="List executed instructions and, at the end, what lies in the buffers.")
@click.pass_context
def command(ctx: click.Context, /, kernel: str, entry: str, target: str, **given: Any) -> None:
    """Run a kernel without an NPU. Types that numpy lacks are stored by their bit patterns (uint8, uint16).

    A pointer parameter without an array starts empty and grows as the kernel writes. Exit code 1 means that the
    run did something it must not, such as an access outside a tensor.

    \b
    Examples:
      ptolint run scale.cpp --entry scale --target a5 --inputs in.npz --outputs out.npz --set n=128
      ptolint run scale.cpp --entry scale --inputs in.npz --trace
    """
    from ptolint.executor.api import run_kernel
    from ptolint.executor.errors import ExecutorError
    from ptolint.executor.npz import load_arrays, save_arrays
    from ptolint.executor.trace import Trace
    from ptolint.frontend import FrontendError
    from ptolint.pipeline import read_source

    read_source(kernel)
    arguments: dict[str, Any] = {**dict(map(_setting, given["settings"]))}
    trace = Trace() if given["trace"] else None
    violations: list[Any] = []
    try:
        if given["inputs"]:
            arguments = {**load_arrays(given["inputs"]), **arguments}
        tensors = run_kernel(
            kernel,
            entry,
            target=target,
            args=arguments,
            blocks=given["blocks"],
            block=given["block"],
            trace=trace,
            violations=violations,
            elastic=True,
        )
        if given["outputs"]:
            save_arrays(Path(given["outputs"]), tensors)
    except (ExecutorError, FrontendError) as error:
        _show(trace)
        raise InputError(str(error)) from None
    _show(trace)
    for name, array in tensors.items():
        click.echo(f"{name}: {array.dtype} {'x'.join(map(str, array.shape))}")
    for violation in violations[:20]:
        click.echo(f"fault: {violation}", err=True)
    if len(violations) > 20:
        click.echo(f"and {len(violations) - 20} more", err=True)
    ctx.exit(1 if violations else 0)


def _show(trace: Any) -> None:
    if trace is None:
        return
    more = [f"and {trace.dropped} more instructions"] if trace.dropped else []
    for line in (*trace.lines, *more, *trace.memory_map):
        click.echo(line)


def _setting(text: str) -> tuple[str, int | float]:
    """`n=128` as a pair; numbers may be decimal, hexadecimal or floating point."""
    name, _, value = text.partition("=")
    for kind in (lambda v: int(v, 0), float):
        try:
            return name.strip(), kind(value)
        except ValueError:
            continue
    raise InputError(f"--set {text}: expected NAME=NUMBER")
