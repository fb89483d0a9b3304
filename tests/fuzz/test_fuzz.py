"""Damaged and random input through everything that reads input; `make fuzz` runs it longer (PTOLINT_FUZZ times)."""

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ptolint import config
from ptolint.directives import find_suppressions
from ptolint.discovery import discover
from ptolint.errors import InputError
from ptolint.options import CheckOptions
from ptolint.pipeline import Job, check_job
from ptolint.results import RunResult, exit_code
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.model import RuleError
from ptolint.workers import run_jobs
from tests.fuzz.campaign import FIXTURES
from tests.fuzz.mutations import mutated
from tests.kernels import BAD, GOOD

LONGER = int(os.environ.get("PTOLINT_FUZZ", "1"))
SMALL = [p for p in sorted(FIXTURES.glob("*/*.cpp")) if p.stat().st_size < 2500]
SOURCES = [GOOD.encode(), BAD.encode(), *(p.read_bytes() for p in SMALL)]
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


def brief(examples: int) -> settings:
    """The same examples in each run of the suite."""
    return settings(
        max_examples=examples * LONGER,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=QUIET,
    )


kernels = st.builds(mutated, st.sampled_from(SOURCES), st.integers(0, 2**32))


@brief(4)
@given(st.lists(kernels, min_size=12, max_size=12), st.sampled_from(["a2a3", "a5"]))
def test_damaged_kernels(sources: list[bytes], target: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for number, source in enumerate(sources):
            path = Path(folder) / f"{number:02}.cpp"
            path.write_bytes(source)
            jobs.append((str(path), Job(str(path), CheckOptions(targets=(target,)))))
        results = [result for _, result in run_jobs(check_job, jobs, 2, 60)]
    assert sorted(r.path for r in results) == [path for path, _ in jobs]
    assert [r.failure for r in results if r.internal] == []
    assert exit_code(RunResult(tuple(results), (target,)), "error") in (0, 1, 2)


WORDS = (
    *("[instruction]", "[[rule]]", "[[form]]", "name", "id", "require", "when", "message", "=", '"TMUL"', '"my/rule"'),
    *(
        '"dst.rows < 4"',
        '"dst.rows"',
        '"{dst.rows"',
        '"{dst.rows}"',
        "[",
        "]",
        "{",
        "}",
        '"',
        "\n",
        "targets",
        '["a5"]',
    ),
    *("level", '"fatal"', "1", "true", '"' + "(" * 300 + '"', '"' + "not " * 200 + 'x"', '"dst.rows / 0"', '"1 << 99"'),
    *("\"__import__('os')\"", '"dst.__class__"', '"lambda: 1"', '"[x for x in y]"', '"9" * 9', "source", "names", "[]"),
)
RULE = """[instruction]
name = "TMUL"
[[rule]]
id = "my/rule"
when = "dst.loc == Vec"
require = "dst.rows * sizeof(dst.dtype) <= 4096"
message = "{dst.rows} rows"
source = "me"
"""
rule_files = st.one_of(
    st.builds(mutated, st.just(RULE.encode()), st.integers(0, 2**32)),
    st.lists(st.sampled_from(WORDS), max_size=30).map(lambda words: RULE.encode() + "".join(words).encode()),
    st.lists(st.sampled_from(WORDS), max_size=30).map(lambda words: " ".join(words).encode()),
    st.sampled_from(WORDS).map(lambda word: RULE.replace('"dst.loc == Vec"', word).encode()),
    st.text(max_size=40).map(lambda text: RULE.replace("dst.loc == Vec", text).encode("utf-8", "replace")),
)


@brief(120)
@example(data=RULE.replace('"dst.loc == Vec"', "1").encode())
@example(data=RULE.replace('"dst.loc == Vec"', '["a5"]').encode())
@example(data=b"instruction = 1\nrule = 2\n")
@given(data=rule_files)
def test_rule_files(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(data)
    try:
        for rule in Rulebook(extensions=[file]).rules_for("TMUL", "a5"):
            assert rule.require is not None
    except RuleError as error:
        assert str(error)


KEYS = [*config.KEYS, "exclud", "tool", ""]
values: st.SearchStrategy[object] = st.recursive(
    st.one_of(
        st.booleans(), st.integers(-5, 5), st.floats(), st.sampled_from(["a5", "error", "", "\0", "*", "!", "../x"])
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)),
    max_leaves=5,
)


@brief(200)
@given(key=st.sampled_from(KEYS), value=values)
def test_configuration_values(key: str, value: object) -> None:
    try:
        config.validate(key, value, "ptolint.toml")
    except InputError as error:
        assert "\n" not in str(error)


CONFIG = b'targets = ["a5"]\nignore = ["tmul"]\nexclude = ["x/"]\n[severity]\ntmul = "note"\n[assume]\nk = "n > 0"\n'


@brief(100)
@given(seed=st.integers(0, 2**32))
def test_damaged_configuration_files(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "ptolint.toml"
    file.write_bytes(mutated(CONFIG, seed))
    (tmp_path / "k.cpp").write_text(GOOD)
    try:
        found = config.load(str(file), False, tmp_path)
        options = config.options_of(found)
        sources = discover([str(tmp_path)], tuple(found["exclude"]), found.root)
        assert all(config.for_file(options, found, s.path).targets for s in sources)
    except InputError as error:
        assert str(error)


PARTS = (
    "// ptolint: ",
    "ignore",
    "ignore-file",
    "ignore-next-line",
    "[",
    "]",
    "tmul",
    ",",
    " -- ",
    "why",
    "\n",
    "/*",
    '"',
    " ",
)


@brief(300)
@given(text=st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=3)), max_size=25).map("".join))
def test_suppression_comments(text: str) -> None:
    for found in find_suppressions("k.cpp", text):
        assert 1 <= found.span.line <= text.count("\n") + 1 + text.count("\r")


def test_mutations_repeat() -> None:
    assert mutated(GOOD.encode(), 7) == mutated(GOOD.encode(), 7) != GOOD.encode()
