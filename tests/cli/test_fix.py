"""`check --fix`, `--diff` and the fixes of a SARIF report."""

import json
from pathlib import Path

from tests.cli.test_check import ptolint
from tests.kernels import GOOD

CROOKED = GOOD.replace("TASSIGN(b, 0x1000)", "TASSIGN(b, 0x1008)")
STRAIGHT = GOOD.replace("TASSIGN(b, 0x1000)", "TASSIGN(b, 0x1020)")


def test_diff_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(CROOKED)
    done = ptolint(tmp_path, "check", "--diff", "k.cpp")
    assert done.returncode == 1
    assert "-    TASSIGN(b, 0x1008);\n+    TASSIGN(b, 0x1020);\n" in done.stdout
    assert (tmp_path / "k.cpp").read_text() == CROOKED


def test_fix_makes_the_file_clean(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(CROOKED)
    done = ptolint(tmp_path, "check", "--fix", "k.cpp")
    assert (done.returncode, done.stderr) == (0, "ptolint: 1 edit made\n")
    assert (tmp_path / "k.cpp").read_text() == STRAIGHT


def test_sarif_tells_the_edit(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(CROOKED)
    log = json.loads(ptolint(tmp_path, "check", "--format", "sarif", "k.cpp").stdout)
    (result,) = log["runs"][0]["results"]
    change = result["fixes"][0]["artifactChanges"][0]
    assert change["artifactLocation"]["uri"] == "k.cpp"
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"]["text"] == "0x1020"
    region = replacement["deletedRegion"]
    raw = CROOKED.split("\n")[region["startLine"] - 1]
    assert raw[region["startColumn"] - 1 : region["endColumn"] - 1] == "0x1008"
