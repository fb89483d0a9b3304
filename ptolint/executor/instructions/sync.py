"""Events, flags and barriers: without effect on data, for execution is in order.

A `wait_flag` that no `set_flag` came before would hang a device; it is logged.
"""

from __future__ import annotations

from ptolint.executor.instructions.registry import NO_OPS, Op, model

NO_OPS.update(
    {
        "pipe_barrier",
        "set_ffts_base_addr",
        "get_buf",
        "rls_buf",
        "dsb",
        "dcci",
        "set_mask_norm",
        "set_mask_count",
        "TSYNC",
        "TPREFETCH",
        "PTO_SYNC",
        "set_padding",
    }
)


@model("set_flag")
def set_flag(op: Op) -> None:
    """Counts the event; events queue up between the two pipes."""
    key = ("flag", op.at(0), op.at(1), op.at(2))
    op.machine.flags[key] = op.machine.flags.get(key, 0) + 1


@model("wait_flag")
def wait_flag(op: Op) -> None:
    """Takes one event; without one the device would wait for ever."""
    key = ("flag", op.at(0), op.at(1), op.at(2))
    count = op.machine.flags.get(key, 0)
    if count == 0:
        text = f"waits for event {key[3]} from {key[1]} to {key[2]} that nothing has set: the core hangs here"
        op.machine.log.add("wait-without-set", text, source=key[1], target=key[2], event=key[3])
        return
    op.machine.flags[key] = count - 1
