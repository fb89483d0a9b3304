"""Two values beside numbers and names: what is not known, and what the call does not have."""

from __future__ import annotations

from typing import Any, Final, NoReturn


class UnknownTruth(Exception):
    """The truth of an unknown value was asked for; the caller falls back to three-valued evaluation."""


class NotApplicable(Exception):
    """A predicate touched an operand that the call lacks, or an attribute that the operand's kind lacks."""


class Unknown:
    """A value that is not known. Arithmetic and comparisons with it are unknown; its truth is an error."""

    __slots__ = ()

    def _unknown(self, *_: Any) -> Unknown:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _unknown
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __abs__ = _unknown
    __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = _unknown

    def __eq__(self, _: object) -> Any:
        return self

    def __ne__(self, _: object) -> Any:
        return self

    def __hash__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        raise UnknownTruth

    def __getattr__(self, name: str) -> Unknown:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __reduce__(self) -> str:
        return "UNKNOWN"

    def __repr__(self) -> str:
        return "UNKNOWN"


class Absent:
    """An operand or template parameter that the call's form does not have. Any use but `has` gives it away."""

    __slots__ = ()

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotApplicable

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __abs__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __bool__ = __eq__ = __ne__ = __hash__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotApplicable

    def __reduce__(self) -> str:
        return "ABSENT"

    def __repr__(self) -> str:
        return "ABSENT"


UNKNOWN: Final = Unknown()
ABSENT: Final = Absent()
