"""The structure that SARIF 2.1.0 demands and viewers rely on."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from ptolint.report import sarif
from ptolint.results import RunResult
from tests.report.runs import HOSTILE_NAME, SOURCE, finding, full_run, hostile_run

RULES = [{"id": "tmul/same-dtype", "summary": "one type", "source": "TMUL", "level": "error"}]


def log(run: RunResult) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(sarif.render(run, RULES))
    assert data["version"] == "2.1.0" and data["$schema"].endswith("sarif-2.1.0.json")
    return data


def regions(node: Any) -> list[dict[str, Any]]:
    """Every region object of a log."""
    if isinstance(node, list):
        return [r for item in node for r in regions(item)]
    if not isinstance(node, dict):
        return []
    own = [v for k, v in node.items() if k in ("region", "deletedRegion")]
    return own + [r for v in node.values() for r in regions(v)]


def check(data: dict[str, Any]) -> dict[str, Any]:
    (run,) = data["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "ptolint" and driver["version"]
    ids = [r["id"] for r in driver["rules"]]
    assert ids == sorted(set(ids))
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        assert result["locations"]
        for flow in result.get("codeFlows", []):
            assert all(t["locations"] for t in flow["threadFlows"])
    prints = [tuple(r["partialFingerprints"].items()) for r in run["results"]]
    assert len(set(prints)) == len(prints)
    for region in regions(run):
        start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
        assert min(*start, *end) >= 1 and start <= end
    assert isinstance(run["invocations"][0]["executionSuccessful"], bool)
    return dict(run)


def test_structure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cpp").write_text(SOURCE, "utf-8")
    run = check(log(full_run()))
    assert [r["ruleId"] for r in run["results"]][:2] == ["tmul/same-dtype"] * 2
    first, second, warning, *_ = run["results"]
    assert first["codeFlows"][0]["threadFlows"][0]["locations"][-1]["location"]["message"]["text"]
    assert first["relatedLocations"][0]["message"]["text"] == "dst is `a`"
    # 𝕏 is one character and two UTF-16 units
    assert first["locations"][0]["physicalLocation"]["region"]["startColumn"] == 14
    assert second["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == "c"
    assert warning["properties"]["witness"]["inputs"] == {"n": 100, "i": 1}
    assert warning["properties"]["evidence"]["status"] == "confirmed"
    assert warning["properties"]["target"] == "a2a3,a5"
    assert not run["invocations"][0]["executionSuccessful"]


def test_suppressions() -> None:
    results = {r["ruleId"]: r for r in check(log(full_run()))["results"]}
    assert results["tmul/a"]["suppressions"] == [{"kind": "inSource", "justification": "on purpose"}]
    assert results["tmul/b"]["suppressions"] == [{"kind": "inSource"}]
    assert results["tmul/c"]["suppressions"][0]["kind"] == "external"


def test_rule_descriptions() -> None:
    rules = {r["id"]: r for r in check(log(full_run()))["tool"]["driver"]["rules"]}
    assert rules["tmul/same-dtype"]["shortDescription"]["text"] == "one type"
    assert "TMUL" in rules["tmul/same-dtype"]["help"]["text"]


def test_paths_are_uris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = check(log(hostile_run(tmp_path)))
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii() and urlsplit(uri).scheme == "file"
    assert unquote(urlsplit(uri).path) == str(tmp_path / HOSTILE_NAME)
    monkeypatch.chdir(tmp_path)
    run = check(log(hostile_run(tmp_path)))
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert urlsplit(uri).scheme == "" and unquote(uri) == HOSTILE_NAME


def test_fingerprints_survive_moved_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cpp").write_text(SOURCE)
    before = log(RunResult((full_run().files[0],), ("a5",)))["runs"][0]["results"][1]["partialFingerprints"]
    (tmp_path / "k.cpp").write_text("\n\n" + SOURCE)
    moved = RunResult((full_run().files[0].__class__("k.cpp", (finding(line=5), finding(line=6, col=5))),), ("a5",))
    assert log(moved)["runs"][0]["results"][1]["partialFingerprints"] == before


def test_model_accepts_the_log(tmp_path: Path) -> None:
    model = pytest.importorskip("sarif_pydantic")
    model.Sarif.model_validate_json(sarif.render(full_run(), RULES))
    model.Sarif.model_validate_json(sarif.render(hostile_run(tmp_path), RULES))
