"""Flags between pipes: a `wait_flag` without a `set_flag` before it never returns.

The tracker keeps, for every pair of pipes, how many sets of each event are not yet waited for. The
counts live among the variables of the walk, so that branches, loops and helper functions treat them
like any other value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptolint.ir.model import Call, Const
from ptolint.solver import terms as t
from ptolint.solver.values import OPAQUE, Array, Place, is_number, possible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptolint.solver.state import State
    from ptolint.solver.terms import Num, Truth
    from ptolint.solver.walker import Walker

EVENTS = 16  # more event ids than any target has
FIRST_KEY = -1_000_000  # variables of the walk that hold the counts are numbered from here downwards


class FlagTracker:
    """Counts of sets without a wait, per pair of pipes; `calls` are all instructions that the root reaches."""

    def __init__(self, calls: Iterable[Call]) -> None:
        self.keys: dict[tuple[str, str], int] = {}
        self.usable = True
        waits = False
        for call in calls:
            if call.instruction in ("set_flag", "wait_flag"):
                waits = waits or call.instruction == "wait_flag"
                pair = self._pair(call)
                if pair is None:
                    self.usable = False
                elif pair not in self.keys:
                    self.keys[pair] = FIRST_KEY - len(self.keys)
            elif call.instruction in _OTHER_SETTERS:
                self.usable = False
        self.usable = self.usable and waits

    @staticmethod
    def _pair(call: Call) -> tuple[str, str] | None:
        pipes = [o.value.value if isinstance(o.value, Const) else None for o in call.operands[:2]]
        if len(pipes) == 2 and isinstance(pipes[0], str) and isinstance(pipes[1], str):
            return pipes[0], pipes[1]
        return None

    def start(self, state: State) -> None:
        """Nothing is set when a kernel starts."""
        for key in self.keys.values():
            state.env[key] = Array((0,) * EVENTS)

    def requirement(self, call: Call, state: State, walker: Walker) -> Truth | None:
        """What must hold at a wait: that something was set. None where that is not known, or not asked."""
        if call.instruction != "wait_flag" or not self.usable or walker.unknown_parts:
            return None
        place = self._place(call, state, walker)
        if place is None:
            return None
        count = state.read(place)
        return t.le(1, t.as_int(count)) if is_number(count) else None

    def effect(self, call: Call, state: State, walker: Walker) -> None:
        """What the call does to the counts."""
        if call.instruction not in ("set_flag", "wait_flag") or not self.usable:
            return
        place = self._place(call, state, walker)
        if place is None:
            pair = self._pair(call)
            if pair is not None:
                state.env[self.keys[pair]] = OPAQUE
            return
        count = state.read(place)
        if is_number(count):
            step = 1 if call.instruction == "set_flag" else -1
            state.write(place, t.add(t.as_int(count), step))

    def _place(self, call: Call, state: State, walker: Walker) -> Place | None:
        pair = self._pair(call)
        if pair is None or len(call.operands) < 3 or pair not in self.keys:
            return None
        event = event_number(walker.value(call.operands[2].value, state))
        return None if event is None else Place(self.keys[pair], (event,))


_OTHER_SETTERS = ("hset_flag", "hwait_flag", "__pto_set_flag", "__pto_wait_flag")


def event_number(value: object) -> Num | None:
    """The number of an event id; None for one that is not known or out of range."""
    if isinstance(value, str):
        digits = value.removeprefix("EVENT_ID")
        value = int(digits) if digits.isdigit() else None
    if isinstance(value, t.Term):
        if any(s.args[1] in ("opaque", "memory") for s in value.symbols) or value.is_bool:
            return None
        inside = possible(value, EVENTS)
        return value if value.lo is not None and value.hi is not None and len(inside) <= EVENTS else None
    return value if isinstance(value, int) and 0 <= value < EVENTS else None
