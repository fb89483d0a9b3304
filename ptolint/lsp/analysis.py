"""What runs inside a worker of the server: one target of one document, its parse kept for what is asked next."""

from __future__ import annotations

from dataclasses import replace

from ptolint.errors import InputError
from ptolint.ir.model import Program
from ptolint.options import CheckOptions
from ptolint.pipeline import TargetResult, check_programs, combined, programs, rulebook_for
from ptolint.results import FileResult

_KEPT = 3
_parsed: dict[tuple[str, str, str, CheckOptions], list[Program]] = {}


def parsed(path: str, text: str, target: str, options: CheckOptions, fresh: bool = False) -> list[Program]:
    """The programs of a text for one target; parsed again when `fresh`, since an included file may have changed."""
    key = (path, text, target, replace(options, solver=False))
    found = None if fresh else _parsed.get(key)
    if found is None:
        found = programs(path, text, target, options)
        _parsed.pop(key, None)
        _parsed[key] = found
        while len(_parsed) > _KEPT:
            del _parsed[next(iter(_parsed))]
    return found


def check(path: str, text: str, target: str, options: CheckOptions) -> TargetResult | str:
    """The result for one target, or why there is none. Without the solver it is a first look: the file is parsed."""
    from ptolint.frontend import FrontendError

    try:
        found = parsed(path, text, target, options, fresh=not options.solver)
        return check_programs(found, target, options, rulebook_for(options.extend_rules))
    except (InputError, FrontendError) as error:
        return str(error)
    except RecursionError:
        return "nested too deeply to be analysed"


def combine(path: str, text: str, checked: list[TargetResult], options: CheckOptions) -> FileResult:
    """The targets' results as one."""
    try:
        return combined(path, text, checked, options)
    except InputError as error:
        return FileResult(path, failure=str(error))
