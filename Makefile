# `make` sets everything up and shows the verified library; `make test` checks it; `make test-all` checks
# it exhaustively as well; `make fuzz` looks for hours for inputs that crash the tool, and runs the cases
# that `make test-all` leaves out of its longest tests.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal
UNENDING := -o faulthandler_timeout=1200 -o faulthandler_exit_on_timeout=true # seconds; a test that hangs fails
FUZZ_SEED := $(or $(FUZZ_SEED),$(shell date +%s))

unexport PYTHONDONTWRITEBYTECODE # each of a few hundred processes would compile the whole package again

.PHONY: all setup generate check verify test test-exhaustive test-robots test-aircraft test-all fuzz lint costs bench bench-dynamics bench-layouts bench-generation bench-px4 bench-robots mutations test-versions test-book clean

all: setup
	$(BIN)/featherc generate --output generated
	$(BIN)/featherc verify generated

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "featherc needs Python 3.11 or later: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[test]'
	touch $@

generate: setup
	$(BIN)/featherc generate --output generated

verify: setup
	$(BIN)/featherc verify generated

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports

check: setup
	$(BIN)/featherc check
	$(BIN)/featherc check examples/mixing --model examples/mixing.py

test: lint
	$(PYTEST)

test-exhaustive: setup
	$(PYTEST) -m exhaustive

test-robots: setup
	$(INSTALL) '.[test,robots]'
	$(PYTEST) -m robots

test-aircraft: setup
	$(INSTALL) '.[test,aircraft]'
	$(PYTEST) -m aircraft

test-all: lint # in one run, so that what tests share is made once
	$(INSTALL) '.[test,robots,aircraft]'
	$(PYTEST) $(UNENDING) -m 'not fuzz'

fuzz: setup
	@echo "FUZZ_SEED=$(FUZZ_SEED) make fuzz repeats this run"
	FUZZ_SEED=$(FUZZ_SEED) $(PYTEST) -m fuzz

costs: setup
	$(BIN)/python -m tests.costs

bench: setup
	$(BIN)/python -m benchmarks.compare

bench-generation: setup
	$(BIN)/python -m benchmarks.generation

bench-px4: setup
	$(BIN)/python -m benchmarks.px4 $(PX4)

bench-robots: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,robots]'
	$(BIN)/python -m benchmarks.robots

bench-dynamics: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,robots]'
	$(BIN)/python -m benchmarks.dynamics

bench-layouts: setup
	$(INSTALL) '.[test,robots]'
	$(BIN)/python -m benchmarks.layouts

mutations: setup
	$(BIN)/python tests/mutations.py

test-versions: setup
	$(BIN)/python tests/versions.py

test-book: setup
	$(BIN)/python -m tests.book_pages

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
