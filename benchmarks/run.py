"""Whole-process times of the command line, as a table.

    python benchmarks/run.py                      our own fixtures
    python benchmarks/run.py --pto-isa DIR        also the hardware tests of a pto-isa checkout

Each figure is the median over the runs after one warm-up, with minimum and maximum; the machine's noise is in them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PTOLINT = [sys.executable, "-m", "ptolint"]
SMALL = ROOT / "benchmarks" / "small_kernel.cpp"


def once(command: list[str], env: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def measure(
    label: str, arguments: list[list[str]], runs: int, cache: str, before: Callable[[], object] = lambda: None
) -> None:
    """One row: the commands of `arguments` one after the other count as one run; `before` comes before each."""
    env = {**os.environ, "PTOLINT_CACHE_DIR": cache}
    times = []
    for _ in range(runs + 1):
        before()
        times.append(sum(once([*PTOLINT, *a], env) for a in arguments))
    times = times[1:]
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

    def each(*extra: str) -> list[list[str]]:
        head = ["check", "--isolated", "--jobs", jobs, "--no-cache", *extra]
        found = {t: sorted(checkout.glob(f"tests/npu/{t}/src/st/testcase/*/*_kernel.cpp")) for t in ("a2a3", "a5")}
        return [[*head, "--target", t, *map(str, files)] for t, files in found.items()]

    measure("vendor kernels, own target, static rules only", each("--no-solver", "--no-replay"), 1, cache)
    measure("vendor kernels, own target, with solver", each("--no-replay"), 1, cache)
    measure("vendor kernels, own target, with solver and replay", each(), 1, cache)
    unchanged(checkout, jobs, cache)


def unchanged(checkout: Path, jobs: str, cache: str) -> None:
    """All of them for two targets with a warm cache, and with one of them changed before each run."""
    with tempfile.TemporaryDirectory() as folder:
        copies = []
        for source in sorted(checkout.glob("tests/npu/*/src/st/testcase/*/*_kernel.cpp")):
            copy = Path(folder) / source.relative_to(checkout)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copies.append(Path(shutil.copy(source, copy)))
        command = ["check", "--isolated", "--jobs", jobs, folder]
        label = f"{len(copies)} vendor kernels, two targets"
        measure(f"{label}, unchanged (cached)", [command], 3, cache)
        middle = sorted(copies, key=lambda c: c.stat().st_size)[len(copies) // 2]

        def change() -> None:
            with middle.open("a") as file:
                file.write("// changed\n")

        measure(f"{label}, one of them changed", [command], 3, cache, change)


if __name__ == "__main__":
    main()
