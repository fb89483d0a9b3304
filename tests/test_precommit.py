"""The hook under the real pre-commit program, and the structure of the GitHub action. No network is needed: the hook
definition is the repository's own, run with the installed `ptolint` instead of an environment of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kernels import BAD, BAD_LINE, GOOD

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / ".pre-commit-hooks.yaml").exists(), reason="needs the repository")


def hook() -> dict[str, Any]:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [h["id"] for h in hooks] == ["ptolint"]
    found: dict[str, Any] = hooks[0]
    return found


def run(directory: Path, *command: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "PRE_COMMIT_HOME": str(directory / ".git" / "pre-commit"),
        "PTOLINT_CACHE_DIR": str(directory / ".git" / "cache"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    env.pop("PRE_COMMIT", None)
    return subprocess.run(command, cwd=directory, env=env, capture_output=True, text=True, timeout=300)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A git repository whose configuration runs the hook with the installed ptolint."""
    local = {**hook(), "language": "system"}
    del local["minimum_pre_commit_version"]
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "host.cpp").write_text("int main() { return 0; }\n")
    (tmp_path / "notes.md").write_text("pto::TMUL\n")
    for command in (["init", "-q"], ["config", "user.name", "t"], ["config", "user.email", "t@example.com"]):
        run(tmp_path, "git", *command).check_returncode()
    return tmp_path


@pytest.mark.skipif(
    shutil.which("pre-commit", path=str(Path(sys.executable).parent)) is None, reason="needs pre-commit"
)
def test_hook_stops_a_bad_kernel_and_lets_a_good_one_pass(project: Path) -> None:
    assert "installed" in run(project, "pre-commit", "install").stdout
    (project / "kernel one.cpp").write_text(BAD)
    run(project, "git", "add", ".").check_returncode()
    done = run(project, "git", "commit", "-m", "x")
    assert done.returncode == 1
    assert f"kernel one.cpp:{BAD_LINE}:5: error tmul/same-dtype:" in done.stdout + done.stderr
    (project / "kernel one.cpp").write_text(GOOD)
    run(project, "git", "add", ".").check_returncode()
    done = run(project, "git", "commit", "-m", "x")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(
    shutil.which("pre-commit", path=str(Path(sys.executable).parent)) is None, reason="needs pre-commit"
)
def test_commits_without_kernels_pass(project: Path) -> None:
    """Only host code is staged: nothing to check is no failure of a hook."""
    run(project, "git", "add", "host.cpp", "notes.md").check_returncode()
    done = run(project, "pre-commit", "run", "ptolint")
    assert done.returncode == 0, done.stdout
    assert run(project, "pre-commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")).returncode == 0


def test_action_is_well_formed() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert {"name", "description", "inputs", "runs"} <= set(action)
    assert action["runs"]["using"] == "composite"
    steps = action["runs"]["steps"]
    for step in steps:
        assert ("run" in step) != ("uses" in step)
        assert "run" not in step or step["shell"] == "bash"
        assert "${{" not in step.get("run", "")  # inputs reach the shell as variables, never as code
        assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+(/[\w-]+)*@v\d+", step["uses"])
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text()))
    assert used == set(action["inputs"])
    assert all("description" in i and "default" in i for i in action["inputs"].values())
    check = next(s for s in steps if s.get("id") == "check")
    assert "--format sarif" in check["run"] and "--format github" in check["run"]
    assert any("upload-sarif" in s.get("uses", "") for s in steps)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(("text", "status"), [(BAD, "1"), (GOOD, "0")])
def test_check_step_of_the_action(tmp_path: Path, text: str, status: str) -> None:
    (tmp_path / "k.cpp").write_text(text)
    steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    script = next(s for s in steps if s.get("id") == "check")["run"]
    values = {"PATHS": "k.cpp", "ARGUMENTS": "--target a5", "SARIF": "out.sarif", "ANNOTATIONS": "true"}
    env = {
        **os.environ,
        **values,
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        "PTOLINT_CACHE_DIR": str(tmp_path / ".cache"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (tmp_path / "outputs").read_text() == f"exit-code={status}\n"
    assert (tmp_path / "out.sarif").exists()
    assert ("::error file=k.cpp" in done.stdout) == (status == "1")
