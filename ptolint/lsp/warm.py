"""Imported once by the process that worker processes are forked from: whatever is slow to load, already loaded."""

from __future__ import annotations


def load() -> None:
    """Import libclang, z3 and the analysis, read the rules, and run all of it once."""
    from ptolint.options import CheckOptions
    from ptolint.pipeline import Job, check_job

    text = "#include <pto/pto-inst.hpp>\n__global__ AICORE void k(int n) { for (int i = 0; i < n; ++i) {} }\n"
    check_job(Job("warm-up.cpp", CheckOptions(replay=False), text=text))


load()
