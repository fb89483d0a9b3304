"""The numpy machine: runs the kernel IR, and replays findings (`run_kernel`, `replay`).

Nothing here is imported before it is needed; numpy dominates the start-up of a small check.
"""

from __future__ import annotations

import os
import sys

if "numpy" not in sys.modules:
    # Tiles are small and checks run in parallel processes: threads of the matrix library would only wait for each
    # other.  Whoever has numpy loaded already keeps their own setting.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
