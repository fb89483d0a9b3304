from pathlib import Path

import pytest

from ptolint.discovery import discover
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
