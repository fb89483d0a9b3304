"""Flags between pipes: waits that nothing answers, on the ways on which that can happen."""

from __future__ import annotations

import pytest

from ptolint.frontend import FrontendOptions, parse
from ptolint.pipeline import rulebook_for
from ptolint.solver import solve
from ptolint.targets import get_target

HEAD = "#include <pto/pto-inst.hpp>\nusing namespace pto;\n"
SET = "set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);"
WAIT = "wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);"


def findings(body, helpers=""):
    source = f'{HEAD}{helpers}\nextern "C" __global__ AICORE void k(__gm__ half* in, int n)\n{{\n{body}\n}}\n'
    program = parse("k.cpp", source, target=get_target("a5"), core="vec", options=FrontendOptions())
    return [f for f in solve(program, get_target("a5"), rulebook_for(())).findings if f.rule.startswith("sync/")]


SAFE = {
    "pair": f"{SET} {WAIT}",
    "same guard": f"if (n > 3) {{ {SET} }} if (n > 3) {{ {WAIT} }}",
    "each round": f"for (int i = 0; i < n; ++i) {{ {SET} {WAIT} }}",
    "answered in the round before": f"{SET} for (int i = 0; i < n; ++i) {{ {WAIT} {SET} }} {WAIT}",
    "ping-pong": """
        set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
        set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
        for (int i = 0; i < n; ++i) {
            wait_flag(PIPE_V, PIPE_MTE2, (event_t)(i % 2));
            set_flag(PIPE_V, PIPE_MTE2, (event_t)(i % 2));
        }
        wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);""",
    "not in the first round": f"for (int i = 0; i < 5; ++i) {{ if (i > 0) {{ {WAIT} }} {SET} }}",
}
BROKEN = {
    "set under a condition": (f"if (n > 3) {{ {SET} }}\n{WAIT}", "warning"),
    "nothing set": (WAIT, "error"),
    "other event": (f"set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);\n{WAIT}", "error"),
    "waited for twice": (f"{SET} {WAIT}\n{WAIT}", "error"),
    "set after the wait": (f"for (int i = 0; i < n; ++i) {{ {WAIT} {SET} }}", "error"),
    "not in every round": (f"for (int i = 0; i < n; ++i) {{ if (i != 2) {{ {SET} }}\n{WAIT} }}", "warning"),
}


@pytest.mark.parametrize("name", SAFE)
def test_answered_waits_are_silent(name):
    assert findings(SAFE[name]) == []


@pytest.mark.parametrize("name", BROKEN)
def test_unanswered_waits_are_found(name):
    body, level = BROKEN[name]
    (finding,) = findings(body)
    assert finding.rule == "sync/wait-without-set"
    assert finding.level == level


def test_flags_in_helpers_count():
    helpers = f"AICORE inline void ready() {{ {SET} }}\nAICORE inline void await_() {{ {WAIT} }}\n"
    assert findings("ready(); await_();", helpers) == []
    assert len(findings("await_();", helpers)) == 1


def test_an_event_that_is_not_known_proves_nothing():
    assert findings("set_flag(PIPE_MTE2, PIPE_V, (event_t)(*(__gm__ int*)in)); " + WAIT) == []
