"""The oracle: a kernel run for every value of its parameters, and what each rule says at each call."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, field

from ptolint.frontend import FrontendOptions, parse
from ptolint.ir.model import Program
from ptolint.pipeline import rulebook_for
from ptolint.solver.obligations import Undecided, call_env, required, rule_env
from ptolint.solver.replay import arguments, block_inputs
from ptolint.solver.walker import Walker, WalkOptions
from ptolint.targets import get_target

PRELUDE = """#include <algorithm>
#include <pto/pto-inst.hpp>
using namespace pto;
constexpr int BLOCK = 32;
constexpr int COLS = 64;
using RowShape = Shape<1, 1, 1, DYNAMIC, COLS>;
using View = GlobalTensor<half, RowShape, Stride<BLOCK * COLS, BLOCK * COLS, BLOCK * COLS, COLS, 1>>;
using Block = Tile<TileType::Vec, half, BLOCK, COLS, BLayout::RowMajor, DYNAMIC, COLS>;
AICORE inline void use(__gm__ half* in, int rows, int at = 0) {
    Block block(rows);
    TASSIGN(block, at);
    View src(in, RowShape(rows));
    TLOAD(block, src);
}
"""


def program(body: str, target: str = "a2a3", name: str = "kernel.cpp") -> Program:
    """The IR of a kernel behind the prelude."""
    return parse(name, PRELUDE + body, target=get_target(target), core="vec", options=FrontendOptions())


@dataclass
class Truth:
    """Per (line, rule): the inputs that break it, and how many keep it."""

    broken: dict[tuple[int, str], list[dict[str, int]]] = field(default_factory=lambda: defaultdict(list))
    kept: dict[tuple[int, str], int] = field(default_factory=lambda: defaultdict(int))
    cut: int = 0  # runs that did not end


class Recorder:
    """Notes what every rule says at every call of one run."""

    def __init__(self, undecided: Undecided, truth: Truth, inputs: dict[str, int]) -> None:
        self.undecided = undecided
        self.truth = truth
        self.inputs = inputs

    def call(self, call, state, walker):
        open_ = self.undecided.of(call)
        values = {o.name: walker.operand_value(o, state) for o in call.operands}
        env = call_env(call, self.undecided.target, open_.form, values)
        for rule, operand in open_.rules:
            said = required(rule, rule_env(env, operand))
            key = (call.name_span.line, rule.id)
            if said is False:
                self.truth.broken[key].append(self.inputs)
            elif said is True:
                self.truth.kept[key] += 1

    def launch(self, *_):
        pass

    def mark(self):
        return None

    def rollback(self, _):
        pass


def brute(prog: Program, entry: str, ranges: dict[str, range], blocks=((0, 1), (0, 3), (2, 3)), subs=(0, 1)) -> Truth:
    """Every rule at every call, for all parameter values in `ranges` and a few launches."""
    truth = Truth()
    undecided = Undecided(prog.target, rulebook_for(()))
    function = next(f for f in prog.functions.values() if f.name == entry)
    for values in itertools.product(*ranges.values()):
        named = dict(zip(ranges, values, strict=True))
        for idx, num in blocks:
            for sub in subs:
                inputs = {**named, "block_idx": idx, "block_num": num, "subblockid": sub}
                walker = Walker(prog, Recorder(undecided, truth, inputs), WalkOptions(steps=20_000, concrete=True))
                walker.inputs = block_inputs(inputs)
                walker.run(function, arguments(function, inputs))
    return truth
