"""Events, flags and barriers: without effect on data, for execution is in order.

A `wait_flag` that no `set_flag` came before would hang a device; it is logged.
"""

from __future__ import annotations

from ptolint.executor.errors import NoModelError
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
        "mem_bar",
        "PtoSetWaitFlag",
        "Tile.SetKAligned",
        "ostream.operator<<",
        "printf",
        "TPRINT",
    }
)


@model("set_flag")
def set_flag(op: Op) -> None:
    """Counts the event; events queue up between the two pipes."""
    key = _flag(op)
    op.machine.flags[key] = op.machine.flags.get(key, 0) + 1


def _flag(op: Op) -> tuple[object, ...]:
    """Pipes and event; an event comes as `EVENT_ID3` or as 3."""
    event = op.at(2)
    if isinstance(event, str) and event.startswith("EVENT_ID"):
        event = int(event.removeprefix("EVENT_ID"))
    return ("flag", op.at(0), op.at(1), event)


@model("wait_flag")
def wait_flag(op: Op) -> None:
    """Takes one event; without one the device would wait for ever."""
    key = _flag(op)
    count = op.machine.flags.get(key, 0)
    if count == 0:
        text = f"waits for event {key[3]} from {key[1]} to {key[2]} that nothing has set: the core hangs here"
        op.machine.log.add("wait-without-set", text, source=key[1], target=key[2], event=key[3])
        return
    op.machine.flags[key] = count - 1


# ---------------------------------------------------------------- between cores

VECTOR_CORE = 16  # flag ids of the second vector core as the cube core of A5 counts them


@model("set_intra_block")
def set_intra_block(op: Op) -> None:
    """A5: the cube core sets flag id for vector core 0, id + 16 for vector core 1; a vector core sets the cube's."""
    flag = int(op.at(1))
    if op.machine.core == "cube":
        _raise(op, ("to-vec", flag // VECTOR_CORE, flag % VECTOR_CORE))
    else:
        _raise(op, ("to-cube", op.machine.position.subblock, flag))


@model("wait_intra_block")
def wait_intra_block(op: Op) -> None:
    """A5: waits for the flag of the other core, numbered as for `set_intra_block`."""
    flag = int(op.at(1))
    if op.machine.core == "cube":
        _await(op, [("to-cube", flag // VECTOR_CORE, flag % VECTOR_CORE)])
    else:
        _await(op, [("to-vec", op.machine.position.subblock, flag)])


@model("ffts_cross_core_sync")
def ffts_cross_core_sync(op: Op) -> None:
    """A2/A3: the message holds the mode in bits 4..5 and the flag in bits 8..11; mode 2 joins cube and vector cores."""
    message = int(op.at(1))
    mode, flag = message >> 4 & 3, message >> 8 & 15
    if op.machine.scheduler is not None and mode != 2:
        raise NoModelError(f"cross-core flags of mode {mode} have no model")
    if op.machine.core == "cube":
        for subblock in range(op.machine.position.subblocks):
            _raise(op, ("to-vec", subblock, flag))
    else:
        _raise(op, ("to-cube", op.machine.position.subblock, flag))


@model("wait_flag_dev")
def wait_flag_dev(op: Op) -> None:
    """A2/A3: a vector core waits for the cube core, the cube core for all its vector cores."""
    flag = int(op.at(len(op.values) - 1))
    position = op.machine.position
    if op.machine.core == "cube":
        _await(op, [("to-cube", subblock, flag) for subblock in range(position.subblocks)])
    else:
        _await(op, [("to-vec", position.subblock, flag)])


def _raise(op: Op, key: tuple[object, ...]) -> None:
    flags = op.machine.cross_flags
    flags[key] = flags.get(key, 0) + 1


def _await(op: Op, keys: list[tuple[object, ...]]) -> None:
    """Takes one event of each flag; a core that runs alone has nobody to wait for."""
    if op.machine.scheduler is None:
        return
    flags = op.machine.cross_flags
    name = f"{op.machine.core} core in line {op.call.name_span.line} waits for flag {keys[0][-1]}"
    op.machine.scheduler.wait(lambda: all(flags.get(k, 0) for k in keys), name)
    for key in keys:
        flags[key] -= 1
