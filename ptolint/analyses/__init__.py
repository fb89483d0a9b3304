"""Constraints that span several calls: flags between pipes, contracts of kernels, placement of tiles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Analysis:
    """What `explain` and the reports say about an analysis: its id, level, and text in the manner of a rule."""

    id: str
    level: str
    summary: str
    source: str
    details: str
    same_as: tuple[str, ...] = ()

    def level_in(self, _env: object) -> str:
        """The level of a finding."""
        return self.level


ANALYSES: dict[str, Analysis] = {
    a.id: a
    for a in (
        Analysis(
            "sync/wait-without-set",
            "error",
            "a wait_flag that no set_flag before it answers",
            "Synchronisation between pipes: set_flag and wait_flag",
            "On the way to this wait no set_flag of the same two pipes and event is left unanswered, so the core waits "
            "for ever. Set and wait need the same condition around them.",
        ),
        Analysis(
            "kernel/contract",
            "note",
            "what a kernel demands of its parameters",
            "The constraints of the instructions that the kernel executes",
            "The calls of the kernel keep their constraints only under this condition over its parameters, which "
            "nothing in the kernel checks. Check it before the launch, or state it with assert in the kernel.",
        ),
        Analysis(
            "launch/breaks-contract",
            "error",
            "a launch with arguments that the kernel cannot take",
            "The constraints of the instructions that the kernel executes",
            "With the arguments of this launch an instruction of the kernel breaks one of its constraints.",
        ),
        Analysis(
            "ptolint/unused-suppression",
            "warning",
            "a comment that silences nothing",
            "ptolint",
            "No finding of the named rules stands where the comment points to. `ptolint check --fix` removes it.",
        ),
    )
}
"""The analyses by id; their ids are in the same space as those of rules."""
