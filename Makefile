# Every target works on a fresh clone where only Python (3.11 or later) and make are installed:
# it makes a virtual environment in .venv, installs what it needs, and runs.
# `make PYTHON=python3.12 test` chooses the interpreter.

PYTHON ?= python3
ROOT := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
VENV := $(ROOT)/.venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Read from constraints.txt, so that the pin stands in one place.
TORCH := $(shell grep '^torch==' $(ROOT)/constraints.txt)

export PYTHONUNBUFFERED := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two installations into one environment must not run at once, whatever -j says.
.NOTPARALLEL:
.PHONY: help demo test test-core check format coverage clean
LEGACY := $(ROOT)/.venv-legacy

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(ROOT)/Makefile | awk -F ':.*## ' '{printf "make %-10s %s\n", $$1, $$2}'

demo: $(VENV)/.trl ## score a few rollouts with reasons, then train a tiny model with the reward
	@cd $(ROOT) && $(BIN)/python examples/score_rollouts.py
	@cd $(ROOT) && $(BIN)/python examples/grpo_addition.py --out out/grpo_addition

test: $(VENV)/.dev $(VENV)/.trl $(VENV)/.frameworks $(LEGACY)/.verifiers ## run the whole test suite
	cd $(ROOT) && $(BIN)/python -m pytest

test-core: $(VENV)/.dev ## run the tests that need no framework
	cd $(ROOT) && $(BIN)/python -m pytest --ignore=tests/frameworks

check: $(VENV)/.dev ## lint, formatting and types
	cd $(ROOT) && $(BIN)/ruff check
	cd $(ROOT) && $(BIN)/ruff format --check
	cd $(ROOT) && $(BIN)/mypy

format: $(VENV)/.dev ## format, and mend what the linter can mend
	cd $(ROOT) && $(BIN)/ruff check --fix
	cd $(ROOT) && $(BIN)/ruff format

coverage: $(VENV)/.dev ## run the tests that need no framework, with a coverage report
	cd $(ROOT) && $(BIN)/coverage erase
	cd $(ROOT) && $(BIN)/coverage run -m pytest --ignore=tests/frameworks
	cd $(ROOT) && $(BIN)/coverage report

clean: ## remove the environment, caches and outputs
	cd $(ROOT) && rm -rf .venv .venv-legacy out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov
	find $(ROOT) -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamp files: each records that its part of the environment is installed.
# pip learned --group in 25.1, and the one that venv brings may be older.
$(VENV)/.pip:
	@echo "making $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.dev: $(VENV)/.pip $(ROOT)/pyproject.toml $(ROOT)/constraints.txt
	@echo "installing the package, its small extras and its development tools"
	@cd $(ROOT) && $(PIP) install -c constraints.txt -e '.[cli,judge,report,server]' --group dev
	@touch $@

$(VENV)/.trl: $(VENV)/.pip $(ROOT)/pyproject.toml $(ROOT)/constraints.txt
	@echo "installing $(TORCH) and TRL: a minute or two"
	@cd $(ROOT) && $(PIP) install $(TORCH)
	@cd $(ROOT) && $(PIP) install -c constraints.txt -e '.[trl]'
	@touch $@

$(VENV)/.frameworks: $(VENV)/.trl
	@echo "installing the other trainers and every extra: a minute or two"
	@cd $(ROOT) && $(PIP) install -c constraints.txt \
		-e '.[cli,data,judge,ray,report,server,trl,verifiers]' --group frameworks
	@touch $@

# The rubrics that verifiers 0.3 had, in an environment of their own: its later versions, which
# the suite runs too, have none.
$(LEGACY)/.verifiers: $(ROOT)/constraints.txt
	@echo "installing verifiers 0.3.1, to compare with"
	@$(PYTHON) -m venv $(LEGACY)
	@$(LEGACY)/bin/python -m pip --disable-pip-version-check --quiet install 'verifiers==0.3.1'
	@touch $@
