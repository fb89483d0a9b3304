"""What a run of the checker is asked to do: one picklable record, made by the command line or an editor."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_TARGETS = ("a2a3", "a5")


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """Options of one check; `solver_rlimit` is in z3's own units, so that a result does not depend on the clock."""

    targets: tuple[str, ...] = DEFAULT_TARGETS
    cores: tuple[str, ...] = ("vec", "cube")
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    clang_args: tuple[str, ...] = ()
    pto_include: str | None = None
    compile_commands: str | None = None
    extend_rules: tuple[str, ...] = ()
    instantiate: tuple[str, ...] = ()
    assume: tuple[tuple[str, str], ...] = ()  # (kernel name, condition)
    solver: bool = True
    solver_timeout: float = 4.0  # seconds per file
    replay: bool = True
    report_unused_suppressions: bool = True

    def wants(self, rule: str) -> bool:
        """Whether select and ignore prefixes let a rule through; the longest matching prefix decides."""
        best = max((len(p) for p in self.select if rule.startswith(p)), default=-1)
        worst = max((len(p) for p in self.ignore if rule.startswith(p)), default=-1)
        return best > worst if self.select else worst < 0
