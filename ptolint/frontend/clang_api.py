"""A thin, typed ctypes layer over the C API of libclang 18.

The walk over an AST makes hundreds of thousands of calls, and the classes of `clang.cindex` cost more than the calls
themselves.  This module exposes the C structures as they are, with the few helpers every caller needs: strings,
children as a list, constants folded by clang.  Cursors are only valid while their translation unit is alive.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Callable
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_double,
    c_int,
    c_longlong,
    c_uint,
    c_ulong,
    c_ulonglong,
    c_void_p,
    py_object,
)
from functools import cache
from pathlib import Path
from typing import Any


class CXString(Structure):
    _fields_ = [("data", c_void_p), ("flags", c_uint)]


class Cursor(Structure):
    """`CXCursor`; for declarations `d0` is the declaration's address, for expressions `d1` the expression's."""

    _fields_ = [("kind", c_int), ("xdata", c_int), ("d0", c_void_p), ("d1", c_void_p), ("d2", c_void_p)]
    kind: int
    xdata: int
    d0: int | None
    d1: int | None
    d2: int | None


class CType(Structure):
    """`CXType`; `d0` is the address of the uniqued type with its qualifiers, so it serves as a key."""

    _fields_ = [("kind", c_int), ("d0", c_void_p), ("d1", c_void_p)]
    kind: int
    d0: int | None
    d1: int | None


class SourceLocation(Structure):
    _fields_ = [("p0", c_void_p), ("p1", c_void_p), ("data", c_uint)]
    data: int


class SourceRange(Structure):
    _fields_ = [("p0", c_void_p), ("p1", c_void_p), ("begin", c_uint), ("end", c_uint)]
    begin: int
    end: int


class UnsavedFile(Structure):
    _fields_ = [("name", c_char_p), ("contents", c_char_p), ("length", c_ulong)]


_VISITOR = CFUNCTYPE(c_int, Cursor, Cursor, py_object)
_FIELD_VISITOR = CFUNCTYPE(c_int, Cursor, py_object)
_INCLUSION = CFUNCTYPE(None, c_void_p, POINTER(SourceLocation), c_uint, py_object)

_SIGNATURES: dict[str, tuple[list[Any], Any]] = {
    "clang_createIndex": ([c_int, c_int], c_void_p),
    "clang_disposeIndex": ([c_void_p], None),
    "clang_parseTranslationUnit2": (
        [c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(UnsavedFile), c_uint, c_uint, POINTER(c_void_p)],
        c_int,
    ),
    "clang_disposeTranslationUnit": ([c_void_p], None),
    "clang_getTranslationUnitCursor": ([c_void_p], Cursor),
    "clang_getCString": ([CXString], c_char_p),
    "clang_disposeString": ([CXString], None),
    "clang_visitChildren": ([Cursor, _VISITOR, py_object], c_uint),
    "clang_Type_visitFields": ([CType, _FIELD_VISITOR, py_object], c_uint),
    "clang_getInclusions": ([c_void_p, _INCLUSION, py_object], None),
    "clang_getCursorSpelling": ([Cursor], CXString),
    "clang_getCursorUSR": ([Cursor], CXString),
    "clang_getCursorType": ([Cursor], CType),
    "clang_getCursorResultType": ([Cursor], CType),
    "clang_getCursorReferenced": ([Cursor], Cursor),
    "clang_getCursorDefinition": ([Cursor], Cursor),
    "clang_getCanonicalCursor": ([Cursor], Cursor),
    "clang_getCursorSemanticParent": ([Cursor], Cursor),
    "clang_getSpecializedCursorTemplate": ([Cursor], Cursor),
    "clang_getCursorLocation": ([Cursor], SourceLocation),
    "clang_getCursorExtent": ([Cursor], SourceRange),
    "clang_getRangeStart": ([SourceRange], SourceLocation),
    "clang_getRangeEnd": ([SourceRange], SourceLocation),
    "clang_getExpansionLocation": (
        [SourceLocation, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)],
        None,
    ),
    "clang_getSpellingLocation": (
        [SourceLocation, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)],
        None,
    ),
    "clang_getFileName": ([c_void_p], CXString),
    "clang_Cursor_Evaluate": ([Cursor], c_void_p),
    "clang_EvalResult_getKind": ([c_void_p], c_int),
    "clang_EvalResult_isUnsignedInt": ([c_void_p], c_uint),
    "clang_EvalResult_getAsLongLong": ([c_void_p], c_longlong),
    "clang_EvalResult_getAsUnsigned": ([c_void_p], c_ulonglong),
    "clang_EvalResult_getAsDouble": ([c_void_p], c_double),
    "clang_EvalResult_dispose": ([c_void_p], None),
    "clang_getCursorBinaryOperatorKind": ([Cursor], c_int),
    "clang_getCursorUnaryOperatorKind": ([Cursor], c_int),
    "clang_Cursor_getNumArguments": ([Cursor], c_int),
    "clang_Cursor_getArgument": ([Cursor, c_uint], Cursor),
    "clang_Cursor_getVarDeclInitializer": ([Cursor], Cursor),
    "clang_Cursor_hasVarDeclGlobalStorage": ([Cursor], c_int),
    "clang_Cursor_getStorageClass": ([Cursor], c_int),
    "clang_Cursor_getNumTemplateArguments": ([Cursor], c_int),
    "clang_Cursor_getTemplateArgumentKind": ([Cursor, c_uint], c_int),
    "clang_Cursor_getTemplateArgumentType": ([Cursor, c_uint], CType),
    "clang_Cursor_getTemplateArgumentValue": ([Cursor, c_uint], c_longlong),
    "clang_Cursor_getTemplateArgumentUnsignedValue": ([Cursor, c_uint], c_ulonglong),
    "clang_CXXMethod_isStatic": ([Cursor], c_uint),
    "clang_CXXMethod_isDefaulted": ([Cursor], c_uint),
    "clang_CXXConstructor_isCopyConstructor": ([Cursor], c_uint),
    "clang_CXXConstructor_isMoveConstructor": ([Cursor], c_uint),
    "clang_getEnumConstantDeclValue": ([Cursor], c_longlong),
    "clang_getEnumConstantDeclUnsignedValue": ([Cursor], c_ulonglong),
    "clang_getEnumDeclIntegerType": ([Cursor], CType),
    "clang_getCanonicalType": ([CType], CType),
    "clang_getTypeSpelling": ([CType], CXString),
    "clang_getTypeDeclaration": ([CType], Cursor),
    "clang_getPointeeType": ([CType], CType),
    "clang_getArrayElementType": ([CType], CType),
    "clang_getArraySize": ([CType], c_longlong),
    "clang_getResultType": ([CType], CType),
    "clang_getNumArgTypes": ([CType], c_int),
    "clang_getArgType": ([CType, c_uint], CType),
    "clang_isConstQualifiedType": ([CType], c_uint),
    "clang_Type_getSizeOf": ([CType], c_longlong),
    "clang_Type_getNumTemplateArguments": ([CType], c_int),
    "clang_Type_getTemplateArgumentAsType": ([CType, c_uint], CType),
    "clang_getNumDiagnostics": ([c_void_p], c_uint),
    "clang_getDiagnostic": ([c_void_p, c_uint], c_void_p),
    "clang_disposeDiagnostic": ([c_void_p], None),
    "clang_getDiagnosticSeverity": ([c_void_p], c_int),
    "clang_getDiagnosticSpelling": ([c_void_p], CXString),
    "clang_getDiagnosticLocation": ([c_void_p], SourceLocation),
    "clang_isInvalidDeclaration": ([Cursor], c_uint),
    "clang_getNumOverloadedDecls": ([Cursor], c_uint),
    "clang_getOverloadedDecl": ([Cursor, c_uint], Cursor),
    "clang_toggleCrashRecovery": ([c_uint], None),
    "clang_isCursorDefinition": ([Cursor], c_uint),
}

Constant = int | float


def library_path() -> Path:
    """Where the wheel `libclang` put the shared library; raises `ImportError` when it is not installed."""
    spec = importlib.util.find_spec("clang")
    for root in spec.submodule_search_locations if spec and spec.submodule_search_locations else ():
        for name in ("libclang.so", "libclang.dylib", "libclang.dll"):
            path = Path(root) / "native" / name
            if path.exists():
                return path
    raise ImportError("libclang is not installed (pip install libclang==18.1.1)")


@cache
def load() -> Any:
    """The library with every used function's signature declared."""
    # libclang would parse on a thread of its own with a small stack; ours is larger
    os.environ.setdefault("LIBCLANG_NOTHREADS", "1")
    lib = ctypes.CDLL(str(library_path()))
    for name, (arguments, result) in _SIGNATURES.items():
        function = getattr(lib, name)
        function.argtypes = arguments
        function.restype = result
    return lib


def text(value: CXString, errors: str = "replace") -> str:
    """The string of a `CXString`, which is released; `errors` says what becomes of bytes that are not UTF-8."""
    lib = load()
    raw: bytes | None = lib.clang_getCString(value)
    result = raw.decode("utf-8", errors) if raw else ""
    lib.clang_disposeString(value)
    return result


def _collect(child: Cursor, _parent: Cursor, into: list[Cursor]) -> int:
    into.append(child)
    return 1  # CXChildVisit_Continue


_COLLECT = _VISITOR(_collect)


def children(cursor: Cursor) -> list[Cursor]:
    """The direct children of `cursor`, in the order libclang visits them."""
    found: list[Cursor] = []
    load().clang_visitChildren(cursor, _COLLECT, found)
    return found


def _collect_field(field: Cursor, into: list[Cursor]) -> int:
    into.append(field)
    return 1  # CXVisit_Continue


_COLLECT_FIELD = _FIELD_VISITOR(_collect_field)


def fields(ctype: CType) -> list[Cursor]:
    """The data members of a class type, instantiated: `children` sees those of a template's pattern alone."""
    found: list[Cursor] = []
    load().clang_Type_visitFields(ctype, _COLLECT_FIELD, found)
    return found


def evaluate(cursor: Cursor) -> Constant | None:
    """The value of a constant expression, or None; booleans and enum members come as integers."""
    lib = load()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    kind = lib.clang_EvalResult_getKind(result)
    value: Constant | None = None
    if kind == 1:
        unsigned = lib.clang_EvalResult_isUnsignedInt(result)
        value = lib.clang_EvalResult_getAsUnsigned(result) if unsigned else lib.clang_EvalResult_getAsLongLong(result)
    elif kind == 2:
        value = lib.clang_EvalResult_getAsDouble(result)
    lib.clang_EvalResult_dispose(result)
    return value


def place(location: SourceLocation) -> tuple[int, int, int, int]:
    """File handle, line, column and byte offset where `location` is written, macros seen from outside."""
    file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    load().clang_getExpansionLocation(location, byref(file), byref(line), byref(column), byref(offset))
    return file.value or 0, line.value, column.value, offset.value


def inclusions(unit: int) -> list[int]:
    """File handles of everything the translation unit read, the main file first."""
    found: list[int] = []

    def visit(file: int, _stack: Any, _depth: int, _data: Any) -> None:
        found.append(file)

    callback: Callable[..., None] = _INCLUSION(visit)
    load().clang_getInclusions(unit, callback, None)
    return found
