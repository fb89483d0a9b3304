"""The linter from the outside: exit codes, formats, bad input. Every run is a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kernels import BAD, BAD_LINE, GOOD


def ptolint(directory: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PTOLINT_CACHE_DIR": str(directory / ".cache"), "NO_COLOR": "1", **extra}
    command = [sys.executable, "-m", "ptolint", *arguments]
    return subprocess.run(command, cwd=directory, env=env, capture_output=True, text=True, timeout=120)


def test_clean(tmp_path: Path) -> None:
    (tmp_path / "good.cpp").write_text(GOOD)
    done = ptolint(tmp_path, "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("no findings in 1 file for a2a3, a5; 1 kernel, 10 calls,")


def test_text_report(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text(BAD)
    done = ptolint(tmp_path, "check", "bad.cpp")
    assert done.returncode == 1
    assert "error[tmul/same-dtype]" in done.stdout
    assert f"--> bad.cpp:{BAD_LINE}:5 [a2a3, a5]" in done.stdout
    assert f"{BAD_LINE} |     TMUL(a, a, b);" in done.stdout
    assert "    ^^^^^^^^^^^^^" in done.stdout
    assert "\x1b" not in done.stdout


def test_fail_on(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text(BAD)
    assert ptolint(tmp_path, "check", "--fail-on", "never").returncode == 0


def test_select_and_ignore(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text(BAD)
    assert ptolint(tmp_path, "check", "--ignore", "tmul").returncode == 0
    assert ptolint(tmp_path, "check", "--select", "tstore,tload").returncode == 0
    assert ptolint(tmp_path, "check", "--select", "tmul/same-dtype").returncode == 1


def test_suppression_and_unused(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text(BAD.replace("    TMUL(", "    // ptolint: ignore[tmul] -- on purpose\n    TMUL("))
    done = ptolint(tmp_path, "check", "--format", "json")
    assert done.returncode == 0
    assert [f["suppressed"] for f in json.loads(done.stdout)["findings"] if f["rule"] == "tmul/same-dtype"] == [
        "on purpose"
    ]
    (tmp_path / "bad.cpp").write_text(GOOD.replace("    TMUL(", "    // ptolint: ignore[tmul]\n    TMUL("))
    done = ptolint(tmp_path, "check", "--fail-on", "warning")
    assert done.returncode == 1 and "ptolint/unused-suppression" in done.stdout
    done = ptolint(tmp_path, "check", "--fix", "--fail-on", "warning")
    assert done.returncode == 0
    assert "ptolint" not in (tmp_path / "bad.cpp").read_text()


@pytest.mark.parametrize("format_", ["text", "concise", "json", "sarif", "github", "gitlab", "junit", "html"])
def test_every_format_is_the_same_whatever_the_jobs(tmp_path: Path, format_: str) -> None:
    for i in range(4):
        (tmp_path / f"k{i}.cpp").write_text(BAD if i % 2 else GOOD)
    runs = [
        ptolint(tmp_path, "check", "--format", format_, "--jobs", jobs, *cache).stdout
        for jobs, cache in (("1", ["--no-cache"]), ("3", []), ("2", []))
    ]
    assert runs[0] == runs[1] == runs[2] != ""


def test_bad_input_is_one_line_and_costs_one_file(tmp_path: Path) -> None:
    (tmp_path / "good one é.cpp").write_text(GOOD)
    (tmp_path / "binary.cpp").write_bytes(b"\x7fELF\0\0pto")
    (tmp_path / "loop.cpp").symlink_to(tmp_path / "loop.cpp")
    done = ptolint(tmp_path, "check", ".")
    assert done.returncode == 2
    assert "not analysed: binary.cpp: binary.cpp: not a text file" in done.stdout
    assert "not analysed: loop.cpp" in done.stdout
    assert "in 1 file for a2a3, a5; 1 kernel" in done.stdout
    assert "2 files NOT analysed" in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pto " + "<" * 1_000_000,
        "#include <pto/pto-inst.hpp>\ntemplate <int N> struct A : A<N + 1> {}; A<0> a;\n",
        '#include <pto/pto-inst.hpp>\n#include "k.cpp"\n',
        "#include <pto/pto-inst.hpp>\nvoid f() { " + "(" * 20_000,
        "#include <pto/pto-inst.hpp>\n" + "{" * 5_000,
        "#include <pto/pto-inst.hpp>\ntemplate <typename T, void f(",
        "#include <pto/pto-inst.hpp>\nconstexpr int f(int n) { return f(n + 1); }\nconstexpr int x = f(0);\n",
    ],
)
def test_hostile_source_never_ends_the_run(tmp_path: Path, text: str) -> None:
    (tmp_path / "k.cpp").write_text(text)
    (tmp_path / "good.cpp").write_text(GOOD)
    done = ptolint(tmp_path, "check", "k.cpp", "good.cpp", "--target", "a5")
    assert done.returncode in (0, 1, 2, 3)
    assert "; 1 kernel, 5 calls," in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "nope.cpp"], "ptolint: nope.cpp: no such file or directory"),
        (["check", "--target", "a6"], "ptolint: unknown target 'a6'"),
        (["check", "--core", "veck"], "ptolint: unknown core 'veck', did you mean 'vec'?"),
        (["check", "--config", "nope.toml"], "ptolint: nope.toml: No such file or directory"),
        (["check", "--extend-rules", "nope.toml"], "ptolint: nope.toml: no such file or directory"),
        (["check", "--shard", "3/2"], "ptolint: --shard 3/2: expected I/N with 1 <= I <= N"),
        (["check", "empty"], "ptolint: nothing to check"),
        (["explain", "tmul/same-dtyp"], "ptolint: unknown rule 'tmul/same-dtyp', did you mean 'tmul/same-dtype'?"),
        (["chek"], "no command 'chek', did you mean 'check'?"),
    ],
)
def test_usage_errors(tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty").mkdir()
    done = ptolint(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def own_rule(directory: Path, require: str) -> None:
    head = '[instruction]\nname = "TMUL"\n'
    rule = f'[[rule]]\nid = "my/rows"\nrequire = "{require}"\nmessage = "{{dst.rows}} rows"\nsource = "me"\n'
    (directory / "my.toml").write_text(head + rule)


def test_broken_rule_file_names_place_and_nearest_word(tmp_path: Path) -> None:
    (tmp_path / "good.cpp").write_text(GOOD)
    own_rule(tmp_path, "dts.rows < 4")
    done = ptolint(tmp_path, "check", "--extend-rules", "my.toml")
    assert done.returncode == 2
    assert "my.toml" in done.stderr and "dts" in done.stderr and "dst" in done.stderr


def test_a_rule_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "good.cpp").write_text(GOOD)
    own_rule(tmp_path, "dst.rows < 16")
    done = ptolint(tmp_path, "check", "--extend-rules", "my.toml", "--format", "concise")
    assert done.returncode == 1
    assert "error my/rows: 16 rows" in done.stdout


def test_control_characters_of_a_source_never_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text(BAD.replace("TMUL(a, a, b);", "TMUL(a, a, b); // \x1b[31m\u202e"))
    done = ptolint(tmp_path, "check", "bad.cpp")
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout


def test_shards_merge_to_the_whole(tmp_path: Path) -> None:
    for i in range(5):
        (tmp_path / f"k{i}.cpp").write_text(BAD if i % 2 else GOOD)
    for i in (1, 2):
        ptolint(tmp_path, "check", "--shard", f"{i}/2", "--format", "sarif", "--output", f"s{i}.sarif")
    ptolint(tmp_path, "merge", "s1.sarif", "s2.sarif", "--output", "all.sarif")
    ptolint(tmp_path, "check", "--format", "sarif", "--output", "whole.sarif")
    merged, whole = (json.loads((tmp_path / n).read_text())["runs"][0] for n in ("all.sarif", "whole.sarif"))
    assert merged["results"] == whole["results"] != []
    assert merged["tool"] == whole["tool"]


def test_diff_base_keeps_changed_lines_only(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    (tmp_path / "bad.cpp").write_text(BAD)
    git("add", "bad.cpp")
    git("commit", "-qm", "x")
    assert ptolint(tmp_path, "check", "--diff-base", "HEAD").returncode == 0
    (tmp_path / "bad.cpp").write_text(BAD.replace("TMUL(a, a, b);", "TMUL(a, a,  b);"))
    assert ptolint(tmp_path, "check", "--diff-base", "HEAD").returncode == 1
    done = ptolint(tmp_path, "check", "--diff-base", "nope")
    assert done.returncode == 2 and "nope" in done.stderr


def test_a_selection_of_no_rule_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text(BAD)
    done = ptolint(tmp_path, "check", "--select", "tmlu")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ptolint: select: no rule begins with 'tmlu', did you mean 'tmul'?\n"


@pytest.mark.parametrize("rule", ["kernel/contract", "launch/breaks-contract", "ptolint/unused-suppression"])
def test_what_is_no_rule_of_a_call_has_a_page_too(tmp_path: Path, rule: str) -> None:
    done = ptolint(tmp_path, "explain", rule)
    assert done.returncode == 0 and done.stdout.startswith(f"{rule} (")
    assert rule in ptolint(tmp_path, "rules", "--select", rule).stdout
