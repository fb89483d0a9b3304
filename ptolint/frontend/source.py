"""Reading a kernel's source and making it digestible for a C++ parser without moving a line.

Kernel launches, `[aicore]` and ptolint's own comment directives are not C++.  They are rewritten in the buffer that
clang sees; every insertion is remembered, so that columns still are those of the user's file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

MAX_BYTES = 8_000_000
LONGEST_LINE = 100_000
LONGEST_DECLARATION = 8_000
REFERENCE = "PTOLINT_REFERENCE"
REFERENCE_PREFIX = "ptolint_reference_"
REFERENCE_DEFINES = (
    f"-D{REFERENCE}_3(n, ...)=[[maybe_unused]] static auto {REFERENCE_PREFIX}##n = __VA_ARGS__;",
    f"-D{REFERENCE}_2(n, ...)={REFERENCE}_3(n, __VA_ARGS__)",
    f"-D{REFERENCE}(...)={REFERENCE}_2(__COUNTER__, __VA_ARGS__)",
)

_IGNORED = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])*'""",
    re.S,
)
_LAUNCH = re.compile(r"<<<(?!<)")
_AICORE = re.compile(r"\[\s*aicore\s*\]")
_INSTANTIATION = re.compile(r"(?<![\w<])(?:(extern)\s+)?template\b(?=\s*[^\s<])")
_DIRECTIVE = re.compile(r"//[ \t]*ptolint:[ \t]*(assume|instantiate)[ \t]*\(")
_PTO = re.compile(
    r"#\s*include\s*[<\"][^>\"\n]*pto|\bnamespace\s+pto\b|\bpto::|\b__global__\b|\bAICORE\b|\b__aicore__\b|\[aicore\]"
)
_CORE = re.compile(r"__DAV_\w+|\b__CCE_AICORE__\b|\bASCENDC_CUBE_ONLY\b|\b__CUBE__\b|\b__VEC__\b")
_DECLARATION_WORDS = re.compile(
    r"\b(?:inline|static|constexpr|extern|__global__|AICORE|__aicore__|PTO_INST|PTO_INTERNAL|__attribute__\s*\(\(.*?\)\))"
    r"|\[aicore\]"
)
_DEFAULT_VALUE = re.compile(r"=[^,()]*(?:\([^()]*\)[^,()]*)?")
_ID = re.compile(r"[A-Za-z_][\w:]*\Z")


class FrontendError(Exception):
    """A file that cannot be analysed at all; the text is one line for the user."""


@dataclass(frozen=True, slots=True)
class Directive:
    """A `// ptolint: assume(...)` or `instantiate(...)` comment."""

    kind: str
    argument: str
    line: int
    start: int  # byte offset of the comment
    end: int  # byte offset of the line's end


@dataclass(slots=True)
class Buffer:
    """The text clang sees, and where it is wider than the user's file."""

    data: bytes
    directives: list[Directive] = field(default_factory=list)
    shifts: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # line -> (column, inserted bytes)
    appended: dict[int, int] = field(default_factory=dict)  # line behind the end of the file -> line it stands for

    wide: dict[int, bytes] = field(default_factory=dict)  # the user's lines that are not ASCII

    def column(self, line: int, col: int) -> int:
        """The column, in characters of the user's file, of a byte column in the buffer."""
        for at, width in self.shifts.get(line, ()):
            if col >= at + width:
                col -= width
            elif col > at:
                col = at
        raw = self.wide.get(line)
        return col if raw is None else len(raw[: col - 1].decode("utf-8", "replace")) + 1


def read_text(path: str) -> bytes:
    """The bytes of a source file; raises `FrontendError` when it is missing, unreadable, huge or not text."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise FrontendError(f"{path}: cannot be read ({error.strerror or error})") from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode("utf-8")
    if len(data) > MAX_BYTES:
        raise FrontendError(f"{path}: {len(data)} bytes are too many for a kernel source")
    check_text(path, data)
    return data


def check_text(path: str, data: bytes) -> None:
    """Raise `FrontendError` for what cannot be a C++ source: binary data, a line of absurd length."""
    if b"\0" in data:
        raise FrontendError(f"{path}: not a text file")
    longest = max(map(len, data.split(b"\n")))
    if longest > LONGEST_LINE:
        raise FrontendError(f"{path}: a line of {longest} bytes is not C++ source")


def uses_pto(text: str) -> bool:
    """Whether a source mentions PTO at all: includes its headers, its namespace or its function markers."""
    return _PTO.search(text) is not None


def mentions_core(text: str) -> bool:
    """Whether the two core types may see different code."""
    return _CORE.search(text) is not None


def blank(text: str) -> str:
    """`text` with comments and literals blanked out, every offset and line kept."""
    return _IGNORED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


class Editor:
    """Collects replacements of a text and applies them at once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.edits: list[tuple[int, int, str]] = []
        self._lines = [0]
        for match in re.finditer(r"\n", text):
            self._lines.append(match.end())

    def line_of(self, offset: int) -> int:
        return bisect_right(self._lines, offset)

    def replace(self, start: int, end: int, new: str) -> None:
        self.edits.append((start, end, new))

    def insert(self, at: int, new: str) -> None:
        self.edits.append((at, at, new))

    def apply(self) -> tuple[str, dict[int, list[tuple[int, int]]]]:
        """The edited text and the widening of each line."""
        parts: list[str] = []
        shifts: dict[int, list[tuple[int, int]]] = {}
        last = 0
        for start, end, new in sorted(self.edits, key=lambda e: (e[0], e[1])):
            if start < last:
                continue
            parts += [self.text[last:start], new]
            wider = len(new) - (end - start)
            if wider > 0:
                line = self.line_of(start)
                widened = sum(w for _, w in shifts.get(line, ()))
                column = start - self._lines[line - 1] + 1 + widened
                shifts.setdefault(line, []).append((column, wider))
            last = end
        parts.append(self.text[last:])
        return "".join(parts), {line: list(reversed(s)) for line, s in shifts.items()}


def prepare(data: bytes, instantiate: tuple[str, ...] = ()) -> Buffer:
    """The buffer for clang from the bytes of the user's file."""
    text = data.decode("latin-1")
    plain = blank(text)
    editor = Editor(text)
    _blank_launches(editor, plain)
    for match in _AICORE.finditer(plain):
        editor.replace(*match.span(), "AICORE".ljust(match.end() - match.start()))
    _reference_instantiations(editor, plain)
    directives = _directives(editor, text)
    scopes = Scopes(plain)
    tail: list[tuple[int, str]] = []
    for directive in directives:
        if directive.kind == "assume":
            _rewrite_assume(editor, scopes, directive)
        else:
            tail.append((directive.line, _reference_at(scopes.at(directive.start), directive.argument)))
    tail += [(1, f"{REFERENCE}(&{wanted})") for wanted in instantiate]
    edited, shifts = editor.apply()
    buffer = Buffer(b"", directives, shifts)
    if not data.isascii():
        buffer.wide = {n: raw for n, raw in enumerate(data.split(b"\n"), 1) if not raw.isascii()}
    for line, reference in tail:
        edited += f"\n{reference}"
        buffer.appended[edited.count("\n") + 1] = line
    buffer.data = edited.encode("latin-1", "replace")
    return buffer


def _blank_launches(editor: Editor, plain: str) -> None:
    """`kernel<<<grid, nullptr, stream>>>(args)` becomes a call; the grid is not needed."""
    position = 0
    while match := _LAUNCH.search(plain, position):
        end = plain.find(">>>", match.end())
        if end < 0:
            return
        stop = end + 3
        editor.replace(match.start(), stop, re.sub(r"[^\n]", " ", plain[match.start() : stop]))
        position = stop


def _reference_instantiations(editor: Editor, plain: str) -> None:
    """libclang hides explicit instantiations of functions: put a reference to the function before each."""
    for match in _INSTANTIATION.finditer(plain):
        end = plain.find(";", match.end(), match.end() + LONGEST_DECLARATION)
        if match.group(1) or end < 0 or "{" in plain[match.end() : end]:
            continue
        reference = _reference_to(plain[match.end() : end].replace("\\\n", " "))
        if reference:
            editor.insert(match.start(), reference)


def _reference_to(declaration: str) -> str | None:
    """References to the function that `declaration` (`void launch<3>(float *)`) names."""
    split = _split_declaration(declaration)
    if split is None:
        return None
    result, name, parameters = split
    result = _DECLARATION_WORDS.sub(" ", result).replace("\n", " ").strip() or "void"
    name = name.replace("\n", " ")
    cast = f"static_cast<{result} (*)({parameters})>".replace("\n", " ")
    if "<" not in name:
        return f"{REFERENCE}({cast}(&{name})) "
    return f"{REFERENCE}(&{name}) {REFERENCE}({cast}(&{name})) "


def _split_declaration(declaration: str) -> tuple[str, str, str] | None:
    """Return type, name with template arguments, and parameters of a function declaration."""
    close = declaration.rfind(")")
    opened = _opening(declaration, close, "(", ")") if close >= 0 else -1
    if opened <= 0 or re.match(r"\s*(?:class|struct|union)\b", declaration):
        return None
    head = declaration[:opened].rstrip()
    arguments = ""
    if head.endswith(">"):
        start = _opening(head, len(head) - 1, "<", ">")
        if start <= 0:
            return None
        head, arguments = head[:start].rstrip(), head[start:]
    start = len(head)
    if head.endswith(")"):  # a macro that makes the name
        start = max(0, _opening(head, start - 1, "(", ")"))
    name = _ID.search(head[:start].rstrip())
    if name is None:
        return None
    parameters = _DEFAULT_VALUE.sub("", declaration[opened + 1 : close])
    return head[: name.start()], head[name.start() :] + arguments, parameters


def _opening(text: str, close: int, opening: str, closing: str) -> int:
    """Offset of the bracket that `text[close]` closes, or -1."""
    depth = 0
    for i in range(close, -1, -1):
        if text[i] == closing:
            depth += 1
        elif text[i] == opening:
            depth -= 1
            if depth == 0:
                return i
    return -1


# ---------------------------------------------------------------- directives


def _directives(editor: Editor, text: str) -> list[Directive]:
    found = []
    for match in _DIRECTIVE.finditer(text):
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end
        close = _closing(text, match.end() - 1, end)
        if close > 0:
            argument = text[match.end() : close]
            found.append(Directive(match.group(1), argument, editor.line_of(match.start()), match.start(), end))
    return found


def _closing(text: str, opened: int, limit: int) -> int:
    depth = 0
    for i in range(opened, limit):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if depth == 0:
                return i
    return -1


def _rewrite_assume(editor: Editor, scopes: Scopes, directive: Directive) -> None:
    """Inside a function the comment becomes the assumption itself, outside one it opens the next function's body."""
    statement = f"__builtin_assume({directive.argument});"
    if "body" in scopes.at(directive.start):
        editor.replace(directive.start, directive.end, statement.ljust(directive.end - directive.start))
        return
    brace = scopes.next_body(directive.end)
    if brace >= 0:
        editor.insert(brace + 1, statement)


_SCOPES = re.compile(r"[{};]")
_OPEN_SCOPE = re.compile(r"\b(?:namespace\b[^;{}()]*|extern\s*)\Z")
_CLASS_SCOPE = re.compile(r"\b(?:class|struct|union)\b[^;{}()]*\Z")
_HEAD = 400  # characters before a brace that tell what it opens


class Scopes:
    """Which scopes are open where; asked for ascending offsets."""

    def __init__(self, plain: str) -> None:
        self._plain = plain
        self._symbols = _SCOPES.finditer(plain)
        self._pending = next(self._symbols, None)
        self._last = 0
        self._open: list[str] = []
        self._next_body: int | None = None

    def at(self, offset: int) -> list[str]:
        """The scopes open at `offset`, outermost first: namespace heads as written, "class" or "body"."""
        while self._pending is not None and self._pending.start() < offset:
            symbol = self._pending
            if symbol.group() == "{":
                self._open.append(self._kind(symbol.start()))
            elif symbol.group() == "}" and self._open:
                self._open.pop()
            self._last = symbol.end()
            self._pending = next(self._symbols, None)
        return self._open

    def next_body(self, offset: int) -> int:
        """Offset of the brace that opens the next function body after `offset`, or -1."""
        if self._next_body is None or 0 <= self._next_body < offset:
            self._next_body = self._find_body(offset)
        return self._next_body

    def _find_body(self, offset: int) -> int:
        last = offset
        for match in _SCOPES.finditer(self._plain, offset):
            head = self._plain[max(last, match.start() - LONGEST_DECLARATION) : match.start()]
            if match.group() == "{" and ")" in head and not _OPEN_SCOPE.search(head[-_HEAD:].rstrip()):
                return match.start()
            last = match.end()
        return -1

    def _kind(self, brace: int) -> str:
        head = self._plain[max(self._last, brace - _HEAD) : brace].rstrip()
        opened = _OPEN_SCOPE.search(head)
        return opened.group() if opened else "class" if _CLASS_SCOPE.search(head) else "body"


def _reference_at(scopes: list[str], wanted: str) -> str:
    """A reference to `wanted` in the namespaces that are open."""
    spaces = [s for s in scopes if s.startswith("namespace")]
    return "".join(f"{s} {{ " for s in spaces) + f"{REFERENCE}(&{wanted})" + " }" * len(spaces)
