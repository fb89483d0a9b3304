import os
from pathlib import Path

import pytest

from ptolint.discovery import discover, read_regular
from ptolint.errors import InputError


def tree(root: Path, *files: str) -> None:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def names(root: Path, *paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    found = discover([str(root / p) for p in paths] or [str(root)], exclude)
    return [s.path.relative_to(root).as_posix() for s in found]


def test_suffixes_and_order(tmp_path: Path) -> None:
    tree(tmp_path, "b.cpp", "a.cce", "x/c.hpp", "d.py", "e.h", "f.cc", "g.cxx")
    assert names(tmp_path) == ["a.cce", "b.cpp", "e.h", "f.cc", "g.cxx", "x/c.hpp"]


def test_gitignore_at_every_level(tmp_path: Path) -> None:
    tree(tmp_path, "a.cpp", "build/b.cpp", "x/c.cpp", "x/keep.cpp", ".git/d.cpp")
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / "x" / ".gitignore").write_text("*.cpp\n!keep.cpp\n")
    assert names(tmp_path) == ["a.cpp", "x/keep.cpp"]


def test_gitignore_above_the_given_directory(tmp_path: Path) -> None:
    tree(tmp_path, "sub/gen/a.cpp", "sub/b.cpp")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen/\n")
    assert names(tmp_path, "sub") == ["sub/b.cpp"]


def test_an_explicit_file_is_never_ignored(tmp_path: Path) -> None:
    tree(tmp_path, "a.txt")
    assert names(tmp_path, "a.txt") == ["a.txt"]


def test_exclude(tmp_path: Path) -> None:
    tree(tmp_path, "a.cpp", "third_party/b.cpp")
    assert names(tmp_path, exclude=("third_party",)) == ["a.cpp"]


def test_each_file_once(tmp_path: Path) -> None:
    tree(tmp_path, "a.cpp")
    assert names(tmp_path, ".", "a.cpp", "a.cpp") == ["a.cpp"]


def test_symlink_loops_end(tmp_path: Path) -> None:
    tree(tmp_path, "x/a.cpp")
    (tmp_path / "x" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self.cpp").symlink_to(tmp_path / "self.cpp")
    assert "x/a.cpp" in names(tmp_path)


def test_missing_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        discover([str(tmp_path / "nope")])


def test_exclude_is_relative_to_its_base(tmp_path: Path) -> None:
    tree(tmp_path, "src/old/a.cpp", "src/b.cpp", "old/c.cpp")
    found = discover([str(tmp_path / "src")], ("src/old/",), tmp_path)
    assert [s.path.name for s in found] == ["b.cpp"]


def test_an_inner_gitignore_overrules_an_outer_one(tmp_path: Path) -> None:
    tree(tmp_path, "a.cpp", "x/a.cpp", "x/y/a.cpp")
    (tmp_path / ".gitignore").write_text("a.cpp\n")
    (tmp_path / "x" / ".gitignore").write_text("!a.cpp\n")
    assert names(tmp_path) == ["x/a.cpp", "x/y/a.cpp"]


def test_a_broken_gitignore_line_counts_for_nothing(tmp_path: Path) -> None:
    tree(tmp_path, "a.cpp", "gen.cpp")
    (tmp_path / ".gitignore").write_bytes(b"!\ngen.cpp\n\xff\n")
    assert names(tmp_path) == ["a.cpp"]
    with pytest.raises(InputError, match="exclude"):
        names(tmp_path, exclude=("!",))


def test_directories_nested_deeper_than_python_recurses(tmp_path: Path) -> None:
    folders = [tmp_path]
    for _ in range(1100):
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    (folders[-1] / "a.cpp").write_text("x")
    try:
        assert [s.path.name for s in discover([str(tmp_path)])] == ["a.cpp"]
    finally:  # a recursive clean-up could not
        (folders[-1] / "a.cpp").unlink()
        for folder in reversed(folders[1:]):
            folder.rmdir()


def test_an_unreadable_directory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a.cpp", "secret/b.cpp")
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "secret":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = discover([str(tmp_path)])
    assert [(s.path.name, s.problem) for s in found] == [("a.cpp", None), ("secret", "Permission denied")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_and_devices_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cpp")
    for path in (tmp_path / "pipe.cpp", "/dev/zero", tmp_path):
        with pytest.raises(OSError, match=r"regular|directory"):
            read_regular(path, 100)
    (tmp_path / "a.cpp").write_text("x" * 101)
    assert read_regular(tmp_path / "a.cpp", 100) is None
    assert read_regular(tmp_path / "a.cpp", 101) == b"x" * 101
