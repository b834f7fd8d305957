# `make` sets everything up and shows the verified library; `make test` runs every check.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: all setup generate verify test lint bench test-versions clean

all: setup
	$(BIN)/featherc generate --output generated
	$(BIN)/featherc verify generated

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "featherc needs Python 3.11 or later: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

generate: setup
	$(BIN)/featherc generate --output generated

verify: setup
	$(BIN)/featherc verify generated

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict

test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

bench: setup
	$(BIN)/python benchmarks/generation.py

test-versions: setup
	$(BIN)/python tests/versions.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
