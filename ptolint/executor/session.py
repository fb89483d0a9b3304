"""One launch of a kernel: global memory, blocks in turn, and the cores of each block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ptolint.executor.dtypes import Array, Element, element
from ptolint.executor.errors import ExecutorError, NoModelError
from ptolint.executor.interpreter import Interpreter
from ptolint.executor.machine import Limits, Machine, Observer, OnChip, Position, Work
from ptolint.executor.memory import Log, Memory, Pointer
from ptolint.executor.scalars import convert
from ptolint.executor.scheduler import Scheduler, Task
from ptolint.executor.values import Place, Value
from ptolint.ir.model import Function, PointerType, Program, ScalarType, Var
from ptolint.targets import Target


@dataclass(slots=True)
class Launch:
    """What a kernel is started with.

    `arrays` are global tensors by parameter name, `scalars` the other parameters; pointers without an
    array get an elastic tensor when `synthetic`, else they are an error.
    """

    arrays: Mapping[str, Array] = field(default_factory=dict)
    scalars: Mapping[str, int | float] = field(default_factory=dict)
    blocks: int = 1
    block: int | None = None
    subblock: int = 0
    subblocks: int = 1
    synthetic: bool = False
    lenient: bool = False  # where such a tensor would grow too large it reads as zeros
    limits: Limits = field(default_factory=Limits)
    track: bool = False
    observer: Observer | None = None


class Session:
    """Runs one kernel on one target; `log` and the memories stay for inspection afterwards."""

    def __init__(self, programs: Mapping[str, Program], target: Target, launch: Launch) -> None:
        self.programs, self.target, self.launch = programs, target, launch
        self.memories: dict[str, Memory] = {}
        self.log = Log()
        self.work = Work(launch.limits)
        self.machines: list[Machine] = []

    def run(self, entries: Mapping[str, Function]) -> None:
        """Runs the kernel (one function per core) over all blocks, or the one that was asked for."""
        for function in entries.values():
            self._bind_memories(function)
        numbers = range(self.launch.blocks) if self.launch.block is None else [self.launch.block]
        mixed = len(entries) > 1 and all(instructs(self.programs[c], f) for c, f in entries.items())
        for number in numbers:
            if mixed:
                self._run_mixed(entries, number)
            else:
                self._run_apart(entries, number)

    def _run_apart(self, entries: Mapping[str, Function], number: int) -> None:
        """A block of one kind of core; what the other kind sees is empty."""
        launch = self.launch
        position = Position(number, max(launch.blocks, number + 1), launch.subblock, launch.subblocks)
        for core, function in entries.items():
            machine = self._machine(core, OnChip(self.target, track=launch.track), position)
            self._run_core(machine, function)

    def _run_mixed(self, entries: Mapping[str, Function], number: int) -> None:
        """A block of one cube core and two vector cores, which share flags and memories."""
        on_chip, scheduler = OnChip(self.target, track=self.launch.track), Scheduler()
        flags: dict[tuple[Any, ...], int] = {}
        tasks: list[Task] = []
        for core, subblock in (("cube", 0), ("vec", 0), ("vec", 1)):
            if core in entries:
                position = Position(number, max(self.launch.blocks, number + 1), subblock, 2)
                machine = self._machine(core, on_chip, position)
                machine.scheduler, machine.cross_flags = scheduler, flags
                tasks.append(partial(self._run_core, machine, entries[core]))
        scheduler.run(tasks)

    def _machine(self, core: str, on_chip: OnChip, position: Position) -> Machine:
        machine = Machine(self.target, core, on_chip, position, self.work, self.log, self.launch.observer)
        self.machines.append(machine)
        return machine

    def _run_core(self, machine: Machine, function: Function) -> None:
        interpreter = Interpreter(self.programs[machine.core], machine)
        arguments = [Place([self._argument(p)], 0) for p in function.params]
        try:
            interpreter.call(function, arguments)
        except (TypeError, ValueError, IndexError, KeyError, ArithmeticError, AttributeError) as error:
            place = f" near line {self.log.span.line}" if self.log.span else ""
            raise ExecutorError(f"the kernel's scalar code{place} cannot be followed: {error}") from error

    # ------------------------------------------------------------ parameters

    def _bind_memories(self, function: Function) -> None:
        for param in function.params:
            if isinstance(param.type, PointerType) and param.name not in self.memories:
                self.memories[param.name] = self._memory(param, param.type)

    def _memory(self, param: Var, type_: PointerType) -> Memory:
        if param.name in self.launch.arrays:
            return Memory.of_bytes(param.name, to_bytes(self.launch.arrays[param.name], type_, param.name))
        if not self.launch.synthetic:
            raise ExecutorError(f"no array for the kernel's parameter {param.name}")
        memory = Memory(param.name, "gm", 0, elastic=True)
        memory.lenient = self.launch.lenient
        return memory

    def _argument(self, param: Var) -> Value:
        if isinstance(param.type, PointerType):
            return Pointer(self.memories[param.name], 0)
        if not isinstance(param.type, ScalarType):
            raise NoModelError(f"parameter {param.name} is neither pointer nor number: no model")
        if param.name in self.launch.scalars:
            return convert(self.launch.scalars[param.name], param.type)
        if param.name in self.launch.arrays and self.launch.arrays[param.name].size == 1:
            return convert(self.launch.arrays[param.name].reshape(-1)[0].item(), param.type)
        raise ExecutorError(f"no value for the kernel's parameter {param.name}")

    def result(self, param: Var) -> Array:
        """The tensor behind a pointer parameter after the run, in the type and shape it was given in."""
        memory = self.memories[param.name]
        if param.name in self.launch.arrays:
            return from_bytes(memory.data, self.launch.arrays[param.name], param.name)
        assert isinstance(param.type, PointerType)
        kind = pointee(param.type)
        data = memory.data[: memory.touched]
        if kind is None or kind.packed or len(data) % kind.value.itemsize:
            return data.copy()
        return data.copy().view(kind.value)


def instructs(program: Program, function: Function) -> bool:
    """Whether a function, or one it calls, executes any instruction."""
    from ptolint.ir.walk import calls, invokes

    seen, stack = {function.id}, [function]
    while stack:
        here = stack.pop()
        if any(call.instruction[:1].isupper() for call in calls(here)):
            return True
        for call in invokes(here):
            if call.function in program.functions and call.function not in seen:
                seen.add(call.function)
                stack.append(program.functions[call.function])
    return False


def pointee(type_: PointerType) -> Element | None:
    """The element type behind a pointer, None for void and the like."""
    if not isinstance(type_.pointee, ScalarType):
        return None
    try:
        return element(type_.pointee.name)
    except NoModelError:
        return None


def to_bytes(array: Array, type_: PointerType, name: str) -> Array:
    """An argument array as memory.

    Integers of the right width stand for the bit patterns of any type; a `uint8_t*` parameter, as which kernels
    take plain addresses, accepts arrays of any type.
    """
    kind = pointee(type_)
    if kind is not None:
        _check_dtype(array, kind, name)
        if kind.packed and array.dtype == kind.value:
            return _packed(array)
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _check_dtype(array: Array, kind: Element, name: str) -> None:
    size = 1 if kind.packed else kind.value.itemsize
    bits_only = array.dtype.kind in "iub"
    if "uint8" in (array.dtype.name, kind.value.name) or array.dtype == kind.value:
        return
    if bits_only and array.dtype.itemsize == size:
        return
    raise ExecutorError(f"array {name} has type {array.dtype}, the kernel's parameter is {kind.name} ({kind.value})")


def _packed(array: Array) -> Array:
    codes = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    codes = np.pad(codes, (0, len(codes) % 2))
    return (codes[0::2] & 15) | ((codes[1::2] & 15) << 4)


def from_bytes(data: Array, like: Array, name: str) -> Array:
    """Memory as an array of the type and shape of `like`."""
    if like.dtype == element("float4_e2m1x2_t").value:
        codes = np.stack([data & 15, data >> 4], axis=-1).reshape(-1)[: like.size]
        return codes.view(like.dtype).reshape(like.shape)
    return data.copy().view(like.dtype).reshape(like.shape)
