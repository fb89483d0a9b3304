"""Every test starts without the terms of the others: a symbol keeps the bounds that it was first made with."""

from __future__ import annotations

import pytest

from ptolint.solver import terms


@pytest.fixture(autouse=True)
def no_terms():
    terms.reset()
