import hashlib
import multiprocessing as mp
import os
import pickle
from pathlib import Path

import pytest

from ptolint.cache import ResultCache, clear
from ptolint.findings import Evidence, Finding, Witness
from ptolint.ir.model import Span
from ptolint.results import Counts, FileResult, Layout, Placement
from ptolint.rulebook.loader import cache_directory

RESULT = FileResult(
    "k.cpp",
    (
        Finding(
            "tmul/same-dtype",
            "error",
            "no",
            Span("k.cpp", 1, 2, 1, 9),
            witness=Witness((("n", 3),)),
            evidence=Evidence("confirmed", "seen", (("bytes", 4),)),
            properties={"a": [1, None]},
        ),
    ),
    Counts(1, 2, 3),
    layouts=(Layout("k", "a5", "vec", (Placement("Vec", 0, 32, "a", "Tile", 3),)),),
)


def test_a_result_comes_back_whole(tmp_path: Path) -> None:
    cache = ResultCache("rules", tmp_path)
    key = cache.key("k.cpp", "options", b"text")
    assert cache.get(key) is None
    cache.put(key, RESULT)
    assert ResultCache("rules", tmp_path).get(key) == RESULT


def test_keys_tell_everything_apart(tmp_path: Path) -> None:
    one, other = ResultCache("rules", tmp_path), ResultCache("other rules", tmp_path)
    keys = {
        one.key("k.cpp", "options", b"text"),
        one.key("k.cpp", "options", b"text2"),
        one.key("k.cpp", "option", b"stext"),
        one.key("l.cpp", "options", b"text"),
        one.key(os.fsdecode(b"\xe9.cpp"), "options", b"text"),
        other.key("k.cpp", "options", b"text"),
    }
    assert len(keys) == 6


def test_headers_that_change_appear_or_go_make_it_stale(tmp_path: Path) -> None:
    header, absent = tmp_path / "size.h", tmp_path / "inc" / "size.h"
    header.write_text("8")
    result = FileResult("k.cpp", includes=(str(header),))

    def stored() -> bool:
        return ResultCache("rules", tmp_path / "c").get("ab12") is not None

    ResultCache("rules", tmp_path / "c").put("ab12", result, [str(absent)])
    assert stored()
    header.write_text("9")
    assert not stored()
    header.write_text("8")
    absent.parent.mkdir()
    absent.write_text("8")
    assert not stored()
    absent.unlink()
    assert stored()
    header.unlink()
    assert not stored()


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other object", "text"])
def test_a_damaged_entry_is_no_hit(tmp_path: Path, damage: str) -> None:
    cache = ResultCache("rules", tmp_path)
    cache.put("ab12", RESULT)
    entry = tmp_path / "results" / "ab" / "ab12"
    whole = entry.read_bytes()
    other = pickle.dumps(([], {"no": "result"}))
    entry.write_bytes(
        {
            "empty": b"",
            "cut": whole[:-20],
            "flipped": whole[:60] + bytes([whole[60] ^ 1]) + whole[61:],
            "other object": hashlib.sha256(other).digest() + other,
            "text": b"hello" * 30,
        }[damage]
    )
    assert cache.get("ab12") is None
    cache.put("ab12", RESULT)
    assert cache.get("ab12") == RESULT


class _Evil:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return os.mkdir, (self.path,)


def test_an_entry_can_make_nothing_but_results(tmp_path: Path) -> None:
    cache = ResultCache("rules", tmp_path)
    cache.put("ab12", RESULT)
    data = pickle.dumps(([], _Evil(str(tmp_path / "made"))))
    (tmp_path / "results" / "ab" / "ab12").write_bytes(hashlib.sha256(data).digest() + data)
    assert cache.get("ab12") is None
    assert not (tmp_path / "made").exists()


def test_the_oldest_entries_go_first(tmp_path: Path) -> None:
    cache = ResultCache("rules", tmp_path, max_bytes=1)
    keys = [f"{i:02}key" for i in range(4)]
    for age, key in enumerate(keys):
        cache.put(key, RESULT)
        os.utime(tmp_path / "results" / key[:2] / key, (1000 - age, 1000 - age))
    size = (tmp_path / "results" / "00" / "00key").stat().st_size
    ResultCache("rules", tmp_path, max_bytes=2 * size).prune()
    assert [cache.get(k) is not None for k in keys] == [True, True, False, False]
    cache.prune()
    assert not any(cache.get(k) for k in keys)


def test_a_directory_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = ResultCache("rules", tmp_path / "file")
    cache.put("ab12", RESULT)
    cache.prune()
    assert cache.get("ab12") is None


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    ResultCache("rules", tmp_path).put("ab12", RESULT)
    assert list((tmp_path / "results" / "ab").iterdir()) == []


def _hammer(folder: str) -> None:
    cache = ResultCache("rules", Path(folder), max_bytes=4000)
    for i in range(150):
        key = f"{i % 7:02}key"
        cache.put(key, RESULT)
        assert cache.get(key) in (None, RESULT)
        if i % 10 == 0:
            cache.prune()


def test_concurrent_runs_share_it(tmp_path: Path) -> None:
    processes = [mp.get_context("spawn").Process(target=_hammer, args=(str(tmp_path),)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [p.exitcode for p in processes] == [0, 0]


def test_clear_removes_ours_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTOLINT_CACHE_DIR", str(tmp_path))
    assert cache_directory() == tmp_path
    (tmp_path / "precious.txt").write_text("mine")
    ResultCache("rules").put("ab12", RESULT)
    clear()
    assert [p.name for p in tmp_path.iterdir()] == ["precious.txt"]
