"""One self-contained page: findings with code frames, and per kernel a picture of the on-chip buffers."""

from __future__ import annotations

from collections import defaultdict
from html import escape

from ptolint.findings import Finding
from ptolint.report.common import SourceLines, place, printable, shown_path, summary_line
from ptolint.report.text import details, split_line
from ptolint.results import FileResult, Layout, Placement, RunResult
from ptolint.targets import TARGETS

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1d2430;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2.5rem;border-bottom:1px solid #d5dae2;padding-bottom:.3rem}
.summary{color:#566;margin-bottom:1.5rem}.finding{border-left:4px solid #888;padding:.2rem 0 .2rem 1rem;margin:1.2rem 0}
.finding.error{border-color:#c62828}.finding.warning{border-color:#ef9a00}.finding.note{border-color:#0288a7}
.rule{font-family:ui-monospace,monospace;font-size:.85rem;color:#566}.where{color:#566;font-size:.9rem}
pre{background:#f5f6f8;padding:.6rem .8rem;overflow-x:auto;margin:.5rem 0}mark{background:#ffd9d3;color:inherit}
.warning mark{background:#ffe9b8}dl{display:grid;grid-template-columns:max-content auto;gap:.1rem 1rem;margin:.3rem 0}
dt{color:#566}dd{margin:0}svg text{font:11px ui-monospace,monospace;fill:#1d2430}
figure{margin:1rem 0}figcaption{color:#566;font-size:.9rem}.tile{fill:#9dc3e6;stroke:#2b5d8a}
.bad{fill:#f2a59d;stroke:#a3271b}.shared{fill:#f6d58c;stroke:#a36a00}.memory{fill:#eef1f5;stroke:#9aa4b2}
@media(prefers-color-scheme:dark){body{background:#15191f;color:#dde3ea}pre{background:#1f252d}svg text{fill:#dde3ea}
mark{background:#6b2a24}.warning mark{background:#5c4712}.memory{fill:#222932}.tile{fill:#2f5b84}
.bad{fill:#8c352b}.shared{fill:#7d5a17}}
"""
_WIDTH = 900
_ROW = 26
_PICTURE = 120  # height of the picture of a tile


def render(run: RunResult) -> str:
    """The page as text; everything that comes from sources or file names is escaped."""
    sources = SourceLines()
    body = "".join(_file(result, sources) for result in run.files if result.skipped is None)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
        "content='width=device-width,initial-scale=1'><title>ptolint</title>"
        f"<style>{_STYLE}</style></head><body><h1>ptolint</h1>"
        f"<p class='summary'>{_text(summary_line(run))}</p>{body}</body></html>\n"
    )


def _text(value: str) -> str:
    return escape(printable(value))


def _file(result: FileResult, sources: SourceLines) -> str:
    findings = [f for f in result.findings if f.suppressed is None]
    if not findings and result.failure is None and not result.layouts:
        return ""
    parts = [f"<section><h2>{_text(shown_path(result.path))}</h2>"]
    if result.failure is not None:
        parts.append(f"<p class='finding error'>not analysed: {_text(result.failure)}</p>")
    parts += [_finding(f, sources) for f in findings]
    parts += [_layout(layout) for layout in result.layouts]
    return "".join(parts) + "</section>"


def _finding(f: Finding, sources: SourceLines) -> str:
    raw = sources.line(f.span.file, f.span.line)
    before, marked = split_line(raw, f.span)
    after = raw[len(before) + len(marked) :]
    code = f"{_text(before)}<mark>{_text(marked)}</mark>{_text(after)}" if marked else _text(raw)
    condition = f"\n{_text(f.condition)}" if f.condition else ""
    rows = "".join(f"<dt>{_text(label)}</dt><dd>{_text(text)}</dd>" for label, text in details(f))
    return (
        f"<article class='finding {f.level}'><div><b>{_text(f.message)}</b></div>"
        f"<div class='rule'>{f.level} {_text(f.rule)} [{_text(', '.join(f.targets))}]</div>"
        f"<div class='where'>{_text(place(f.span))}</div><pre>{f.span.line:>5} | {code}{condition}</pre>"
        f"<dl>{rows}</dl>{_window(f)}</article>"
    )


def _window(f: Finding) -> str:
    """The tile with the window that the call touches drawn over it; what lies outside the tile is marked."""
    w = f.properties.get("window")
    if not w:
        return ""
    row, col, height, width = w["row"], w["col"], max(w["height"], 0), max(w["width"], 0)
    top, left = min(row, 0), min(col, 0)
    scale_y = _PICTURE / max(1, max(w["rows"], row + height) - top)
    scale_x = 2 * _PICTURE / max(1, max(w["cols"], col + width) - left)

    def box(kind: str, y: int, x: int, h: int, v: int) -> str:
        place = f"x='{5 + (x - left) * scale_x:.1f}' y='{5 + (y - top) * scale_y:.1f}'"
        size = f"width='{max(2.0, v * scale_x):.1f}' height='{max(2.0, h * scale_y):.1f}'"
        return f"<rect class='{kind}' {place} {size} fill-opacity='.6'></rect>"

    caption = (
        f"{w['tile']}: {w['rows']} x {w['cols']} elements; the call touches {w['height']} x {w['width']} "
        f"from row {w['row']}, column {w['col']}"
    )
    drawing = box("memory", 0, 0, w["rows"], w["cols"]) + box("bad", row, col, height, width)
    size = f"viewBox='0 0 {2 * _PICTURE + 10} {_PICTURE + 10}' width='{2 * _PICTURE + 10}'"
    picture = f"<svg {size} role='img' aria-label='window'>{drawing}</svg>"
    return f"<figure>{picture}<figcaption>{_text(caption)}</figcaption></figure>"


def _layout(layout: Layout) -> str:
    """A row per buffer, tiles drawn to scale at their addresses; what lies outside or twice is marked."""
    groups: dict[str, list[Placement]] = defaultdict(list)
    for p in layout.placements:
        groups[p.buffer].append(p)
    rows: list[str] = []
    top = 0
    for buffer, placements in sorted(groups.items()):
        drawn, height = _buffer(layout.target, buffer, placements, top)
        rows.append(drawn)
        top += height
    caption = f"{_text(layout.kernel)} on {_text(layout.target)}, {_text(layout.core)} core"
    return (
        f"<figure><figcaption>{caption}</figcaption><svg viewBox='0 0 {_WIDTH + 20} {top}' width='100%' "
        f"role='img' aria-label='on-chip buffers'>{''.join(rows)}</svg></figure>"
    )


def _buffer(target: str, buffer: str, placements: list[Placement], top: int) -> tuple[str, int]:
    memory = TARGETS[target].buffers.get(buffer)
    size = memory.size if memory else 0
    end = max([size, *(p.address + p.size for p in placements)]) or 1
    scale = _WIDTH / end
    lanes = _lanes(placements)
    height = 20 + _ROW * (max(lanes.values()) + 1) + 14
    name = memory.name if memory else buffer
    title = f"<text x='5' y='{top + 13}'>{_text(name)}, {size:,} bytes</text>"
    frame = f"<rect class='memory' x='5' y='{top + 18}' width='{size * scale:.1f}' height='{height - 32}'></rect>"
    return title + frame + "".join(_tile(p, lanes[p], placements, size, scale, top) for p in placements), height


def _tile(p: Placement, lane: int, others: list[Placement], size: int, scale: float, top: int) -> str:
    outside = p.address < 0 or p.address + p.size > size
    shared = any(o is not p and o.address < p.address + p.size and p.address < o.address + o.size for o in others)
    kind = "bad" if outside else "shared" if shared else "tile"
    x, y, width = 5 + max(0, p.address) * scale, top + 20 + lane * _ROW, max(2.0, p.size * scale)
    note = "; beyond the buffer" if outside else "; shares bytes with another tile" if shared else ""
    hover = f"{p.name}: {p.type} at {p.address:#x}, {p.size:,} bytes (line {p.line}){note}"
    label = f"<text x='{x + 3:.1f}' y='{y + 15}'>{_text(p.name)}</text>" if width > 7 * len(p.name) + 6 else ""
    return (
        f"<g><title>{_text(hover)}</title><rect class='{kind}' x='{x:.1f}' y='{y}' width='{width:.1f}' "
        f"height='{_ROW - 5}'></rect>{label}</g>"
    )


def _lanes(placements: list[Placement]) -> dict[Placement, int]:
    """A lane for each tile so that tiles that share bytes stand below one another."""
    ends: list[int] = []
    lanes: dict[Placement, int] = {}
    for p in sorted(placements):
        lane = next((i for i, end in enumerate(ends) if end <= p.address), len(ends))
        ends[lane : lane + 1] = [p.address + p.size]
        lanes[p] = lane
    return lanes
