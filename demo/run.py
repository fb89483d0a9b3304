"""What ptolint does, shown on three kernels of our own (fixtures/demo)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = "fixtures/demo"

STEPS = (
    ("A bias row that one target holds and the other does not", ["check", f"{KERNELS}/gemm_bias.cpp"]),
    ("Rows dealt out to blocks: which launch leaves a negative rest", ["check", f"{KERNELS}/tail_rows.cpp"]),
    ("The condition under which a kernel may be launched", ["contract", f"{KERNELS}/cache_rows.cpp", "--target", "a5"]),
    ("The rule behind a finding", ["explain", "tstore/nd-view-extents"]),
    ("A kernel run without an NPU", ["run", f"{KERNELS}/gemm_bias.cpp", "--entry", "gemm_bias", "--inputs"]),
)


def main() -> int:
    """Run each step as a user would type it; the exit code is 0 when every step did what it should."""
    color = ["--color", "always"] if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else []
    good = True
    inputs, outputs = (Path(tempfile.gettempdir()) / f"ptolint-demo-{what}.npz" for what in ("inputs", "outputs"))
    for title, arguments in STEPS:
        print(f"\n== {title}", flush=True)
        if arguments[0] == "run":
            _write_inputs(inputs)
            arguments = [*arguments, str(inputs), "--outputs", str(outputs), "--target", "a5"]
        if arguments[0] == "check":
            arguments = [*arguments, *color]
        print(f"$ ptolint {' '.join(arguments)}\n", flush=True)
        done = subprocess.run([sys.executable, "-m", "ptolint", *arguments], cwd=ROOT, check=False)
        good = good and done.returncode in (0, 1)
    return 0 if good and _compare(outputs) else 1


def _compare(outputs: Path) -> bool:
    """Whether the kernel's result is the product with its bias, as numpy computes it."""
    import numpy as np

    tensors = np.load(outputs)
    expected = tensors["a"].astype(np.float32) @ tensors["b"].astype(np.float32) + tensors["bias"]
    difference = float(np.abs(tensors["out"] - expected).max())
    print(f"\nlargest difference from numpy's a @ b + bias: {difference:.1e}")
    return difference < 1e-3


def _write_inputs(file: Path) -> None:
    """Random operands of the matrix product, as an .npz file."""
    import numpy as np

    random = np.random.default_rng(1)
    np.savez(
        file,
        a=random.standard_normal((64, 32)).astype(np.float16),
        b=random.standard_normal((32, 512)).astype(np.float16),
        bias=random.standard_normal((1, 512)).astype(np.float32),
        out=np.zeros((64, 512), np.float32),
    )


if __name__ == "__main__":
    sys.exit(main())
