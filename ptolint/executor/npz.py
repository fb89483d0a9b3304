"""Tensors in `.npz` files: types that numpy lacks are kept as their bit patterns."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import ExecutorError

MAX_BYTES = 1 << 30


def load_arrays(path: str | Path) -> dict[str, Array]:
    """The arrays of a file by name; raises `ExecutorError` for one that cannot be read. Nothing in it is executed."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            if not hasattr(archive, "files"):
                raise ExecutorError(f"{path}: holds one array without a name, expected an .npz file")
            _check_size(path, archive)
            return {name: archive[name] for name in archive.files}
    except FileNotFoundError:
        raise ExecutorError(f"{path}: no such file") from None
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, AttributeError) as error:
        reason = "it holds Python objects" if "pickle" in str(error) else str(error)
        raise ExecutorError(f"{path}: not a readable .npz file: {reason}") from None


def _check_size(path: str | Path, archive: Any) -> None:
    """Refuses a small file that would unpack to a huge one."""
    size = sum(item.file_size for item in archive.zip.infolist())
    if size > MAX_BYTES:
        raise ExecutorError(f"{path}: unpacks to {size >> 20} MiB, more than {MAX_BYTES >> 20}")


def save_arrays(path: Path, tensors: Mapping[str, Array]) -> None:
    """Write the arrays; raises `ExecutorError` where the file cannot be written."""
    try:
        with path.open("wb") as file:
            np.savez(file, **{name: bits(array) for name, array in tensors.items()})  # type: ignore[arg-type]
    except OSError as error:
        raise ExecutorError(f"{path}: {error.strerror}") from None


def bits(array: Array) -> Array:
    """The array itself where numpy has its type, else its bit pattern as uint8 or uint16."""
    if array.dtype.kind in "biuf" and array.dtype.isbuiltin == 1:
        return array
    return array.view({1: np.uint8, 2: np.uint16, 4: np.uint32}[array.dtype.itemsize])
