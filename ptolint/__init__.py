"""ptolint: a constraint-checking static analyzer for C++ kernels written in the PTO tile ISA."""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

__all__ = ["__version__", "run_kernel"]


def __getattr__(name: str) -> Any:
    """Load the numpy machine only when somebody asks for it: numpy costs more than the rest of the start-up."""
    if name == "run_kernel":
        from ptolint.executor.api import run_kernel

        return run_kernel
    raise AttributeError(f"module 'ptolint' has no attribute {name!r}")
