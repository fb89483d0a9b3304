"""Targets by name, and the element types they know. The only place for such numbers."""

from __future__ import annotations

from ptolint.targets.devices import TARGETS
from ptolint.targets.dtypes import DTYPES, dtype
from ptolint.targets.model import Buffer, Dtype, Target

__all__ = ["DTYPES", "TARGETS", "Buffer", "Dtype", "Target", "dtype", "get_target"]


def get_target(name: str) -> Target:
    """The target called `name`; raises `KeyError` with the known names for any other."""
    try:
        return TARGETS[name]
    except KeyError:
        raise KeyError(f"unknown target {name!r}, known: {', '.join(TARGETS)}") from None
