"""A long run over mutated kernels, in worker processes as the command line uses them: `make fuzz`.

    python -m tests.fuzz.campaign --count 2000 --seed 0 [DIRECTORY OR FILE ...]

Without paths the project's own fixtures are damaged. Ends with 1 when a worker crashed, ran out of time, or a fault
of ptolint came to light; the kernel that did it is kept in `--keep`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from ptolint.discovery import discover
from ptolint.options import CheckOptions
from ptolint.pipeline import Job, check_job
from ptolint.results import FileResult
from ptolint.workers import run_jobs
from tests.fuzz.mutations import mutated

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def jobs_for(sources: list[Path], count: int, seed: int, folder: Path, options: CheckOptions) -> list[tuple[str, Job]]:
    """`count` damaged kernels written to `folder`, with what the workers need to check them."""
    chance = random.Random(seed)
    jobs = []
    for number in range(count):
        source = chance.choice(sources)
        path = folder / f"{number:05}-{source.stem}.cpp"
        path.write_bytes(mutated(source.read_bytes(), seed * 1_000_003 + number))
        target = chance.choice(("a2a3", "a5"))
        jobs.append((str(path), Job(str(path), replace(options, targets=(target,)))))
    return jobs


def faults(results: list[FileResult]) -> list[FileResult]:
    """Those that are our fault: crash, time-out, memory, an exception of ours."""
    return [r for r in results if r.internal]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=[str(FIXTURES)])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "ptolint-fuzz")
    arguments = parser.parse_args()
    sources = [s.path for s in discover(arguments.paths)]
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = jobs_for(sources, arguments.count, arguments.seed, Path(folder), CheckOptions())
        for done, (index, result) in enumerate(run_jobs(check_job, jobs, arguments.jobs, arguments.timeout), 1):
            for fault in faults([result]):
                found += 1
                arguments.keep.mkdir(parents=True, exist_ok=True)
                kept = arguments.keep / Path(fault.path).name
                kept.write_bytes(Path(fault.path).read_bytes())
                print(f"{kept} ({jobs[index][1].options.targets[0]}): {fault.failure}", flush=True)
            if done % 200 == 0:
                print(f"{done} of {len(jobs)} kernels, {found} faults", flush=True)
    print(f"{len(jobs)} kernels, {found} faults")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
