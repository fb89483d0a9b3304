"""Time from a change in an open kernel to its diagnostics, with a warm server.

    python benchmarks/lsp.py            a generated kernel of about 600 lines
    python benchmarks/lsp.py FILE...    kernels of your own

The first figure is the first diagnostics (what types and constants decide), the second those of the solver as well.
On a busy machine the processor time of the busiest process up to the first diagnostics tells more than the clock.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.lsp.client import Client  # noqa: E402
from tests.lsp.test_process import descendants  # noqa: E402

_STAGE = """template <typename T, int kRows, int kCols>
AICORE inline void stage{i}(__gm__ T* out, __gm__ T* in, int n)
{{
    using View = GlobalTensor<T, Shape<1, 1, 1, -1, kCols>, Stride<1024, 1024, 1024, kCols, 1>>;
    using Block = Tile<TileType::Vec, T, kRows, kCols, BLayout::RowMajor, -1, kCols>;
    for (int i = 0; i < n; i += kRows) {{
        int rows = n - i < kRows ? n - i : kRows;
        Block a(rows), b(rows);
        TASSIGN(a, 0x0);
        TASSIGN(b, 0x4000);
        View src(in + i * kCols, Shape<1, 1, 1, -1, kCols>(rows));
        View dst(out + i * kCols, Shape<1, 1, 1, -1, kCols>(rows));
        TLOAD(a, src);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        TMUL(b, a, a);
        TADDS(b, b, static_cast<T>({i}));
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        TSTORE(dst, b);
    }}
}}

"""


def kernel(stages: int = 25) -> str:
    """A kernel of helpers, loops and run-time valid rows."""
    body = "".join(f"    stage{i}<float, 16, 64>(out, in, n);\n" for i in range(stages))
    head = "#include <pto/pto-inst.hpp>\nusing namespace pto;\n\n"
    root = 'extern "C" __global__ AICORE void all(__gm__ float* out, __gm__ float* in, int n)\n{\n'
    return head + "".join(_STAGE.format(i=i) for i in range(stages)) + root + body + "}\n"


def cpu_times(pid: int) -> dict[int, float]:
    """Seconds of processor time of the server and all processes below it; empty where there is no /proc."""
    if not Path("/proc/self/stat").exists():
        return {}
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for process in [pid, *descendants(pid)]:
        with contextlib.suppress(OSError):
            fields = (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()
            found[process] = (int(fields[11]) + int(fields[12])) / tick
    return found


def measure(client: Client, name: str, text: str, runs: int) -> None:
    """One row of the table: medians over `runs` changes after a warm-up."""
    uri = client.open(name, text)
    client.settled(uri)
    first, both, work = [], [], []
    for i in range(runs + 2):
        time.sleep(0.5)
        before = cpu_times(client.process.pid)
        start = time.perf_counter()
        client.change(uri, text + f"// {i}\n")
        client.diagnostics(uri)
        first.append(time.perf_counter() - start)
        after = cpu_times(client.process.pid)
        work.append(max((after[p] - before.get(p, 0.0) for p in after), default=0.0))
        client.diagnostics(uri)
        both.append(time.perf_counter() - start)
    cells = " | ".join(f"{1000 * statistics.median(x[2:]):.0f} ms ({1000 * min(x):.0f})" for x in (first, both, work))
    print(f"| {Path(name).name} | {len(text.splitlines())} | {cells} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    args = parser.parse_args()
    print(f"| kernel ({os.cpu_count()} cores) | lines | first, median (min) | with solver | busiest process |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        client = Client(Path(folder))
        if not args.files:
            measure(client, "generated.cpp", kernel(), args.runs)
        for file in args.files:
            measure(client, str(file.resolve()), file.read_text("utf-8", "replace"), args.runs)
        client.close()


if __name__ == "__main__":
    main()
