"""The site builds without a warning and has a page for every rule."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ptolint.rulebook.listing import list_rules
from ptolint.rulebook.loader import Rulebook

ROOT = Path(__file__).resolve().parent.parent


def test_site_builds_strictly(tmp_path: Path) -> None:
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    missing = [
        r.id for r in list_rules(Rulebook()) if not (tmp_path / "site" / "rules" / r.id / "index.html").is_file()
    ]
    assert missing == []
