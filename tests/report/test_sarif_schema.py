"""SARIF against the official 2.1.0 schema, which a development package of the VS Code extension carries.

`.ci/run` installs it where there is npm; without it these tests are skipped.
"""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "editors" / "vscode" / "node_modules" / "@microsoft" / "jest-sarif" / "lib" / "schemas"
SCHEMA = next(iter(sorted(SCHEMAS.glob("sarif-2.1.0*.json"))), None)


@pytest.mark.skipif(SCHEMA is None, reason="the SARIF schema is not installed (npm ci in editors/vscode)")
@pytest.mark.parametrize("fixture", ["demo", "tmov", "tassign"])
def test_findings_of_every_kind_are_valid(tmp_path: Path, fixture: str) -> None:
    assert SCHEMA is not None
    command = [sys.executable, "-m", "ptolint", "check", "--isolated", "--no-cache", "--format", "sarif"]
    output = tmp_path / "out.sarif"
    done = subprocess.run([*command, "--output", str(output), str(ROOT / "fixtures" / fixture)], cwd=ROOT, check=False)
    assert done.returncode == 1
    schema = json.loads(SCHEMA.read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    log = json.loads(output.read_text("utf-8"))
    assert [e.message for e in validator.iter_errors(log)] == []
    assert log["runs"][0]["results"]
    log["version"] = "2.0"
    assert list(validator.iter_errors(log)) != []
