"""Adds a page per rule and a list of all rules, made from the rule files and the fixtures."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from ptolint.rulebook.listing import RuleInfo, list_rules, page
from ptolint.rulebook.loader import Rulebook

README = Path(__file__).resolve().parent.parent / "README.md"


def on_files(files: Files, config: Any) -> Files:
    """Called by mkdocs once it has found the pages written by hand."""
    rulebook = Rulebook()
    groups: dict[str, list[RuleInfo]] = defaultdict(list)
    for info in list_rules(rulebook):
        groups[info.id.split("/")[0]].append(info)
        files.append(File.generated(config, f"rules/{info.id}.md", content=page(rulebook, info.id)))
    files.append(File.generated(config, "rules/index.md", content=_index(groups)))
    return files


def _index(groups: dict[str, list[RuleInfo]]) -> str:
    """All rules in one table per family."""
    lines = ["# Rules", "", f"{sum(map(len, groups.values()))} rules. `ptolint explain ID` shows the same pages.", ""]
    for group, rules in sorted(groups.items()):
        lines += [f"## {group}", "", "| rule | level | targets | what breaks it |", "|---|---|---|---|"]
        for rule in rules:
            name = rule.id.split("/")[1]
            summary = rule.summary.replace("|", "\\|").replace("<", "&lt;")
            lines.append(f"| [{name}]({rule.id}.md) | {rule.level} | {', '.join(rule.targets) or 'all'} | {summary} |")
        lines.append("")
    return "\n".join(lines)
