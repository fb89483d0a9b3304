"""Reads `kernels.txt`: kernels for the oracle, with the parameter values to try."""

from __future__ import annotations

import re
from pathlib import Path

_HEAD = re.compile(r"^\[(?P<name>[\w-]+)\] (?P<parameters>.*) \| (?P<ranges>.*)$")
_RANGE = re.compile(r"(\w+): (-?\d+) to (-?\d+)")


def load() -> dict[str, tuple[str, dict[str, range]]]:
    """Source of each kernel `k(in, parameters)`, and the range of each parameter."""
    found: dict[str, tuple[str, dict[str, range]]] = {}
    text = (Path(__file__).parent / "kernels.txt").read_text()
    for block in re.split(r"\n(?=\[)", text):
        head, _, body = block.partition("\n")
        match = _HEAD.match(head)
        if match is None:
            continue
        source = f'extern "C" __global__ AICORE void k(__gm__ half* in, {match["parameters"]})\n{{\n{body}}}\n'
        ranges = {name: range(int(low), int(high) + 1) for name, low, high in _RANGE.findall(match["ranges"])}
        found[match["name"]] = (source, ranges)
    return found


KERNELS = load()
