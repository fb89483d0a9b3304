"""Ways to damage a kernel: bytes flipped, lines cut or doubled, tokens doubled, swapped, replaced by hostile ones."""

from __future__ import annotations

import random
import re

_TOKEN = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|::|->|[^\s\w]")
HOSTILE = (
    *(b"-1", b"0", b"65536", b"0xffffffffffffffff", b"1e400", b"'\\0'", b"1 % 0", b"1 << 70", b"sizeof(int[-1])"),
    *(b"{", b"}", b"(", b")", b"<", b">", b"template <", b"#if", b"#endif", b"/*", b"*/", b'"', b'R"(', b"\\\n"),
    *(b"while (true)", b"goto x;", b"return;", b"decltype(auto)", b"operator()", b"[&]", b"constexpr", b"this"),
    *(b"__builtin_assume(0);", b"assert(false);", b"// ptolint: assume(", b"// ptolint: instantiate(", b"asm("),
    *(b"\xff\xfe", b"\xc3\xa9", b"\xe2\x80\xae", b"\x0c", b"\r", b"\x1b[31m", b"??=", b'_Pragma("once")'),
)


def mutated(source: bytes, seed: int) -> bytes:
    """`source` with one to four damages; the same seed damages the same way."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 4)):
        source = chance.choice(_DAMAGES)(source, chance)
    return source


def _flip(source: bytes, chance: random.Random) -> bytes:
    data = bytearray(source)
    for _ in range(chance.randint(1, 5)):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def _cut(source: bytes, chance: random.Random) -> bytes:
    lines = source.splitlines(keepends=True)
    start = chance.randrange(len(lines) + 1)
    return b"".join(lines[:start] + lines[start + chance.randint(1, 4) :])


def _truncate(source: bytes, chance: random.Random) -> bytes:
    return source[: chance.randrange(len(source) + 1)]


def _double_line(source: bytes, chance: random.Random) -> bytes:
    lines = source.splitlines(keepends=True)
    if not lines:
        return source
    at = chance.randrange(len(lines))
    return b"".join(lines[:at] + [lines[at]] * chance.choice((2, 2, 3, 50)) + lines[at + 1 :])


def _tokens(source: bytes, chance: random.Random) -> bytes:
    """One token doubled, dropped, exchanged for another of the file, or for a hostile one."""
    found = list(_TOKEN.finditer(source))
    if not found:
        return source
    match, other = chance.choice(found), chance.choice(found)
    new = chance.choice((match.group() + b" " + match.group(), b"", other.group(), chance.choice(HOSTILE)))
    return source[: match.start()] + new + source[match.end() :]


def _swap_lines(source: bytes, chance: random.Random) -> bytes:
    lines = source.splitlines(keepends=True)
    if len(lines) > 1:
        a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def _number(source: bytes, chance: random.Random) -> bytes:
    """One integer of the file becomes one at a border."""
    found = list(re.finditer(rb"(?<![\w.])\d+(?![\w.])", source))
    if not found:
        return source
    match = chance.choice(found)
    value = chance.choice((0, 1, -1, 2**15, 2**16, 2**31, 2**32, 2**63, int(match.group()[:15]) + 1))
    return source[: match.start()] + str(value).encode() + source[match.end() :]


_DAMAGES = (_flip, _cut, _truncate, _double_line, _tokens, _tokens, _tokens, _swap_lines, _number, _number)
