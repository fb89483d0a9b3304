"""`ptolint merge`: one SARIF file from the shards of a CI matrix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ptolint.cli.options import write_output
from ptolint.errors import InputError


@click.command("merge")
@click.argument("files", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", help="Write the result to FILE.")
def command(files: tuple[str, ...], output: str | None) -> None:
    """Merge SARIF files of `ptolint check --shard` into one run.

    \b
    Example:
      ptolint merge shard-*.sarif -o ptolint.sarif
    """
    runs = [run for file in files for run in _runs(file)]
    if not runs:
        raise InputError("nothing to merge: the files hold no run")
    write_output(json.dumps(merged(runs), indent=1, ensure_ascii=False) + "\n", output)


def _runs(file: str) -> list[dict[str, Any]]:
    try:
        data = json.loads(Path(file).read_bytes())
        runs = data["runs"]
        if not all(r["tool"]["driver"]["name"] == "ptolint" for r in runs):
            raise InputError(f"{file}: holds runs of other tools")
        merged(runs)  # whatever is missing in it comes to light here
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{file}: not a SARIF file of ptolint") from None
    return list(runs)


def merged(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """One log with one run: rules united, results sorted by place, equal results kept once."""
    rules = {r["id"]: r for run in runs for r in run["tool"]["driver"].get("rules", [])}
    index = {rule: i for i, rule in enumerate(sorted(rules))}
    results = {json.dumps({**r, "ruleIndex": 0}, sort_keys=True): r for run in runs for r in run.get("results", [])}
    ordered = sorted(results.values(), key=_place)
    for result in ordered:
        result["ruleIndex"] = index[result["ruleId"]]
    if not runs:
        return {}
    first = runs[0]
    driver = {**first["tool"]["driver"], "rules": [rules[r] for r in sorted(rules)]}
    summary: dict[str, int] = {}
    for run in runs:
        for key, value in run.get("properties", {}).get("summary", {}).items():
            summary[key] = summary.get(key, 0) + value
    summary |= _counted(ordered)
    run = {
        **first,
        "tool": {"driver": driver},
        "invocations": [i for r in runs for i in r.get("invocations", [])],
        "results": ordered,
        "properties": {**first.get("properties", {}), "summary": summary},
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [run]}


def _counted(results: list[dict[str, Any]]) -> dict[str, int]:
    """Numbers of the results that are left; a sum would count one in a shared header for each shard."""
    shown = [r.get("level", "warning") for r in results if not r.get("suppressions")]
    levels = {f"{level}s": shown.count(level) for level in ("error", "warning", "note")}
    return {**levels, "suppressed": len(results) - len(shown)}


def _place(result: dict[str, Any]) -> tuple[str, int, int, str]:
    physical = result["locations"][0]["physicalLocation"]
    region = physical.get("region", {})
    uri = physical["artifactLocation"]["uri"]
    return uri, region.get("startLine", 0), region.get("startColumn", 0), result["ruleId"]
