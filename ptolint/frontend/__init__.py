"""C++ kernels to IR: libclang parses and instantiates, the modules here walk what it made.

`parse` is the entry; `uses_pto` and `cores_needed` tell cheaply whether and how often it has to be called.
"""

from __future__ import annotations

from ptolint.frontend.args import FrontendOptions
from ptolint.frontend.program import cores_needed, parse
from ptolint.frontend.source import FrontendError, uses_pto

__all__ = ["FrontendError", "FrontendOptions", "cores_needed", "parse", "uses_pto"]
