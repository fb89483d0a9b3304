# Everything sets itself up: a virtual environment in .venv with the package and its tools.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint types fuzz bench docs clean

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "ptolint needs Python 3.11 or newer: make PYTHON=python3.11 ..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { $(PYTHON) -m pip install --user virtualenv && $(PYTHON) -m virtualenv $(VENV); }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(STAMP)
	@$(BIN)/python demo/run.py

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(STAMP)
	$(BIN)/ruff check ptolint tests benchmarks demo
	$(BIN)/ruff format --check ptolint tests benchmarks demo

types: $(STAMP)
	$(BIN)/mypy

# Longer than the suite does it; FUZZ=N is the number of damaged kernels.
FUZZ ?= 2000
fuzz: $(STAMP)
	PTOLINT_FUZZ=20 $(BIN)/python -m pytest -q tests/fuzz -k 'not kernels'
	$(BIN)/python -m tests.fuzz.campaign --count $(FUZZ)

bench: $(STAMP)
	$(BIN)/python benchmarks/run.py

docs: $(STAMP)
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build dist *.egg-info
