# The menu. Needs python3 (3.11–3.13) with venv, and make; each target sets up what it needs.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys, venv, ensurepip; assert (3,11) <= sys.version_info[:2] < (3,14)' \
	2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: help demo test check bench wheel-test test-picamera2 test-install clean

help:
	@echo "make demo        play and referee a match on the simulated table; opens the dashboard"
	@echo "                 (DEMO=--headless: in the terminal alone; DEMO='--rules short' …)"
	@echo "make test        run the tests"
	@echo "make check       format, lint, types, import contracts"
	@echo "make bench       benchmarks"
	@echo "make wheel-test  run the tests against the built wheel"
	@echo "make test-install    the installer, in a chroot (root)"
	@echo "make test-picamera2  the camera against the real picamera2, in a chroot (root)"

$(STAMP): pyproject.toml
	@if [ -z "$(PYTHON)" ]; then echo "Zarbiter needs Python 3.11, 3.12 or 3.13 with venv:" \
	"sudo apt install python3 python3-venv"; exit 1; fi
	@echo "Setting up $(VENV) (a minute or two, once) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/zarbiter demo $(DEMO)

test: $(STAMP)
	$(BIN)/python -m pytest

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python benchmarks/rules.py
	$(BIN)/python benchmarks/sight.py

wheel-test: $(STAMP)
	rm -rf build/wheel && mkdir -p build/wheel
	$(BIN)/python -m build --outdir build/wheel/dist .
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install --quiet --disable-pip-version-check \
		build/wheel/dist/*.whl pytest pytest-timeout pytest-randomly hypothesis pypdf \
		scikit-image
	cp -r tests pyproject.toml build/wheel/
	cd build/wheel && env -u PYTHONPATH venv/bin/python -P -m pytest -q
	build/wheel/venv/bin/zarbiter doctor

# The real picamera2 on libcamera's virtual camera, in a Debian 13 chroot; needs root.
test-picamera2:
	./deploy/picamera2/run.sh

# install.sh twice, update, rollback and removal in a Debian 13 chroot; needs root.
test-install: $(STAMP)
	PYTHON=$(BIN)/python deploy/test-install.sh

clean:
	rm -rf build dist .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
