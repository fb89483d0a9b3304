"""Whole-process times of the command line, as a table.

    python benchmarks/run.py                      our own fixtures
    python benchmarks/run.py --pto-isa DIR        also the hardware tests of a pto-isa checkout

Each figure is the median over the runs after one warm-up, with minimum and maximum; the machine's noise is in them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PTOLINT = [sys.executable, "-m", "ptolint"]
SMALL = ROOT / "benchmarks" / "small_kernel.cpp"


def once(command: list[str], env: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def measure(label: str, arguments: list[list[str]], runs: int, cache: str) -> None:
    """One row: the commands of `arguments` one after the other count as one run."""
    env = {**os.environ, "PTOLINT_CACHE_DIR": cache}
    times = [sum(once([*PTOLINT, *a], env) for a in arguments) for _ in range(runs + 1)][1:]
    row = f"| {label} | {statistics.median(times):.2f} s | {min(times):.2f} s | {max(times):.2f} s |"
    print(row, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pto-isa", type=Path, help="a checkout of the public pto-isa repository")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", default="2")
    args = parser.parse_args()
    print(f"| what ({os.cpu_count()} cores) | median | min | max |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as cache:
        cold = ["check", "--no-cache", "--isolated"]
        measure("small kernel, cold process, one target", [[*cold, "--target", "a5", str(SMALL)]], args.runs, cache)
        measure("small kernel, cold process, two targets", [[*cold, str(SMALL)]], args.runs, cache)
        measure("all fixtures, two targets", [[*cold, "--jobs", args.jobs, str(ROOT / "fixtures")]], 2, cache)
        if args.pto_isa:
            vendor(args.pto_isa, args.jobs, cache)


def vendor(checkout: Path, jobs: str, cache: str) -> None:
    """The vendor's hardware tests, each for its own target, with and without solver and replay; then warm."""

    def each(*extra: str, no_cache: bool = True) -> list[list[str]]:
        head = ["check", "--isolated", "--jobs", jobs, *(["--no-cache"] if no_cache else []), *extra]
        found = {t: sorted(checkout.glob(f"tests/npu/{t}/src/st/testcase/*/*_kernel.cpp")) for t in ("a2a3", "a5")}
        return [[*head, "--target", t, *map(str, files)] for t, files in found.items()]

    measure("vendor kernels, own target, static rules only", each("--no-solver", "--no-replay"), 1, cache)
    measure("vendor kernels, own target, with solver", each("--no-replay"), 1, cache)
    measure("vendor kernels, own target, with solver and replay", each(), 1, cache)
    measure("vendor kernels, own target, unchanged (cached)", each(no_cache=False), 3, cache)


if __name__ == "__main__":
    main()
