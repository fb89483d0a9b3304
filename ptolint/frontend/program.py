"""`parse`: one source file for one target and core, as a `Program`."""

from __future__ import annotations

from dataclasses import replace

from ptolint.frontend import kinds as K
from ptolint.frontend.args import FrontendOptions, clang_arguments, header_roots
from ptolint.frontend.builder import Builder, Lowered
from ptolint.frontend.faults import find_faults
from ptolint.frontend.functions import lower_function
from ptolint.frontend.includes import reachable_texts
from ptolint.frontend.repair import Blanked, lost_bodies, repair
from ptolint.frontend.roots import Roots, find_roots
from ptolint.frontend.source import (
    REFERENCE_DEFINES,
    Buffer,
    FrontendError,
    check_text,
    mentions_core,
    prepare,
    read_text,
)
from ptolint.frontend.stack import deep_stack
from ptolint.frontend.types import TypeTable
from ptolint.frontend.unit import ParseFailure, Unit
from ptolint.ir.model import Function, Note, Program, Span
from ptolint.targets import Target

MAX_FUNCTIONS = 20_000
REPAIRS = 3


def parse(
    path: str,
    text: str | None = None,
    *,
    target: Target,
    core: str,
    options: FrontendOptions = FrontendOptions(),  # noqa: B008  (frozen)
) -> Program:
    """What the front end understands of the file at `path` (or of `text`, as if it stood there).

    `core` is "vec" or "cube". Raises `FrontendError` with one line for a file that cannot be analysed at all;
    code that is not understood becomes `Opaque`, `Unknown` and notes of the program.
    """
    if text is None:
        data = read_text(path)
    else:
        data = text.encode("utf-8", "surrogateescape")
        check_text(path, data)
    return deep_stack(lambda: _parse(path, data, target, core, options))


def _parse(path: str, data: bytes, target: Target, core: str, options: FrontendOptions) -> Program:
    buffer = prepare(data, options.instantiate)
    try:
        arguments = [*clang_arguments(path, target, core, options), *REFERENCE_DEFINES]
    except ValueError as error:
        raise FrontendError(str(error)) from None
    program: Program | None = None
    blanked: dict[int, Blanked] = {}
    for _ in range(REPAIRS + 1):
        program, again = _attempt(path, buffer, arguments, (target, core, header_roots(options)), blanked)
        if again is None:
            break
        buffer, more = again
        blanked |= more
    assert program is not None
    return program


Repaired = tuple[Buffer, dict[int, Blanked]]


def _attempt(
    path: str,
    buffer: Buffer,
    arguments: list[str],
    context: tuple[Target, str, tuple[str, ...]],
    blanked: dict[int, Blanked],
) -> tuple[Program, Repaired | None]:
    """One parse and walk, and a better buffer when clang dropped bodies that can be saved."""
    target, core, roots = context
    try:
        unit = Unit(path, buffer, arguments, roots)
    except ParseFailure as error:
        raise FrontendError(f"{path}: {error}") from None
    with unit:
        builder = Builder(unit, TypeTable(unit), blanked=blanked)
        builder.problems = _problems(builder)
        program = _program(builder, target, core)
        lost = lost_bodies(unit, list(builder.instances.values())) if unit.errors else []
        return program, repair(unit, lost) if lost else None


def cores_needed(path: str, text: str | None = None, options: FrontendOptions = FrontendOptions()) -> tuple[str, ...]:  # noqa: B008
    """The cores a file has to be parsed for: one when neither it nor a user include asks which core it is."""
    if any(mentions_core(t) for t in reachable_texts(path, text, options)):
        return ("vec", "cube")
    return ("vec",)


def _problems(builder: Builder) -> dict[tuple[int, int], str]:
    """What clang says about calls without a fitting overload, by the place of the called name."""
    found: dict[tuple[int, int], str] = {}
    for diagnostic in builder.unit.errors:
        message = diagnostic.message
        if message.startswith(("no matching function for call to", "call to ", "no matching member function")):
            found.setdefault((diagnostic.span.line, diagnostic.span.col), message)
    return found


def _program(builder: Builder, target: Target, core: str) -> Program:
    roots = find_roots(builder)
    wanted = _enqueue(builder, roots)
    while builder.queue and len(builder.lowered) < MAX_FUNCTIONS:
        identifier, cursor = builder.queue.popleft()
        builder.lowered[identifier] = lower_function(builder, identifier, cursor, identifier in wanted)
    device = _device(builder.lowered)
    functions, root_ids = _finish(builder.lowered, wanted, device)
    notes = _notes(builder, roots, device)
    return Program(
        builder.unit.path,
        target.name,
        core,
        functions,
        root_ids,
        tuple(builder.globals),
        builder.all_type_uses(),
        notes,
        len(set().union(*(builder.lowered[f].places for f in device)) if device else ()),
        builder.unit.user_includes(),
        builder.types.enums,
        find_faults(builder.unit) if builder.unit.errors else (),
    )


def _enqueue(builder: Builder, roots: Roots) -> dict[str, None]:
    """Ids of the roots in order; explicit instances count as roots, other functions unless something calls them."""
    wanted: dict[str, None] = {}
    for cursor in (*roots.functions, *roots.instances):
        wanted[builder.function_id(builder.callee(cursor))] = None
    return wanted


def _device(lowered: dict[str, Lowered]) -> list[str]:
    """Functions that run on the device: marked, or reached from a marked one."""
    pending = [i for i, item in lowered.items() if item.function.is_device or item.function.is_kernel]
    found: dict[str, None] = {}
    while pending:
        identifier = pending.pop()
        if identifier in found:
            continue
        found[identifier] = None
        pending += [c for c in lowered[identifier].callees if c in lowered]
    return [i for i in lowered if i in found]


def _finish(
    lowered: dict[str, Lowered], wanted: dict[str, None], device: list[str]
) -> tuple[dict[str, Function], tuple[str, ...]]:
    """Functions with their final flags: what another function calls is checked through its callers."""
    called = {c for i, item in lowered.items() for c in item.callees if c != i}
    reached: set[str] = set()
    roots: list[str] = []

    def reach(identifier: str) -> None:
        pending = [identifier]
        while pending:
            current = pending.pop()
            if current not in reached and current in lowered:
                reached.add(current)
                pending += lowered[current].callees

    kernels = [i for i, item in lowered.items() if item.function.is_kernel]
    candidates = dict.fromkeys([*wanted, *kernels])
    for identifier in candidates:
        if identifier in lowered and (lowered[identifier].function.is_kernel or identifier not in called):
            roots.append(identifier)
            reach(identifier)
    for identifier in wanted:  # functions that only call each other
        if identifier not in reached and identifier in lowered:
            roots.append(identifier)
            reach(identifier)
    on_device = set(device)
    chosen = set(roots)
    functions = {
        i: replace(item.function, is_device=i in on_device, is_root=i in chosen) for i, item in lowered.items()
    }
    return functions, tuple(i for i in candidates if i in chosen)


def _notes(builder: Builder, roots: Roots, device: list[str]) -> tuple[Note, ...]:
    found: dict[Note, None] = dict.fromkeys(builder.notes)
    seen: set[tuple[str, int, int]] = set()
    for identifier in device:
        for note in builder.lowered[identifier].notes:
            place = (note.span.file, note.span.line, note.span.col)
            if place not in seen:
                seen.add(place)
                found[note] = None
    for note in (*_errors_in(builder, device, found), *_not_instantiated(builder, roots)):
        found[note] = None
    if any(n.kind == "not-understood" for n in found):
        found.update(dict.fromkeys(_missing_includes(builder)))
    return tuple(sorted(found, key=lambda n: (n.span, n.kind, n.reason)))


def _missing_includes(builder: Builder) -> list[Note]:
    """Headers that are not there: the likely reason where something was not understood, else of no interest."""
    missing = [e for e in builder.unit.errors if e.message.endswith("file not found")]
    return [Note("missing-include", e.message, e.span) for e in missing]


def _errors_in(builder: Builder, device: list[str], known: dict[Note, None]) -> list[Note]:
    """Errors of clang inside device functions that left no other trace, e.g. a declaration it dropped."""
    if not builder.unit.errors:
        return []
    lines = {(n.span.file, n.span.line) for n in known}
    bodies = [builder.lowered[i].function.span for i in device]
    found = []
    for error in builder.unit.errors:
        span = error.span
        inside = any(b.file == span.file and b.line <= span.line <= b.end_line for b in bodies)
        if inside and (span.file, span.line) not in lines and (span.line, span.col) not in builder.problems:
            lines.add((span.file, span.line))
            found.append(Note("not-understood", error.message, span))
    return found


def _unresolved(builder: Builder, roots: Roots) -> list[Note]:
    """Instantiations that were asked for and that clang could not make."""
    made = {builder.unit.location(c)[:2] for c in roots.references}
    found: dict[Span, Note] = {}
    for reference in roots.unresolved:
        if builder.unit.location(reference)[:2] in made:
            continue
        span = builder.unit.span(reference)
        messages = [e.message for e in builder.unit.errors if (e.span.file, e.span.line) == (span.file, span.line)]
        why = f": {messages[0]}" if messages else ""
        found.setdefault(span, Note("not-instantiated", f"the instantiation asked for here is not possible{why}", span))
    return list(found.values())


def _not_instantiated(builder: Builder, roots: Roots) -> list[Note]:
    """Device templates of the file that no root reaches."""
    unit = builder.unit
    found = _unresolved(builder, roots)
    used = set()
    for cursor in builder.instances.values():
        template = unit.lib.clang_getSpecializedCursorTemplate(cursor)
        if not K.INVALID_FIRST <= template.kind <= K.INVALID_LAST:
            used.add(unit.lib.clang_getCanonicalCursor(template).d0)
    for template in roots.templates:
        notes = unit.annotations(template)
        if "kernel" not in notes or unit.lib.clang_getCanonicalCursor(template).d0 in used:
            continue
        name = unit.name(template)
        found.append(
            Note("not-instantiated", f"`{name}` is not checked: no instantiation in this file", unit.span(template))
        )
    return found
