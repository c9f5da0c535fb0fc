# Paleo Companion. Everything is set up in .venv with plain Python 3.11 or newer and pip; nothing is installed elsewhere,
# but for `make test`, which adds a Chromium, avr-gcc and simavr by apt where it is root on a Debian-like system.
#
#   make run         play: a match on a virtual table at http://127.0.0.1:8000   (make run ARGS="--port 9000")
#   make test        lint, types and the tests that take minutes                 (make test ARGS="-k sources" JOBS=4)
#   make test-long   the matrices of boards, lights and seeds
#   make rehearse    whole matches through camera and pipeline, judged by a second referee
#   make lint        ruff and mypy only
#   make clean       remove what was built; make distclean removes .venv too

VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
# One more than the two cores that are reckoned with: the tests in a browser wait a good part of their time.
JOBS ?= 3
PYTHON ?=
export PYTHON VENV
# Hundreds of short programs are started by the tests: with modules compiled anew each takes twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test test-long rehearse lint clean distclean setup setup-test

help:
	@sed -n '/^#   make/s/^#   //p' Makefile

setup: $(VENV)/.ready-run
setup-test: $(VENV)/.ready-test

$(VENV)/.ready-run: pyproject.toml .ci/prepare
	@bash .ci/prepare run

$(VENV)/.ready-test: pyproject.toml .ci/prepare
	@bash .ci/prepare test

run: $(VENV)/.ready-run
	$(BIN)/paleo run --camera virtual $(ARGS)

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/mypy

test: $(VENV)/.ready-test
	@clean=0; $(MAKE) --no-print-directory lint || clean=$$?; \
	$(BIN)/python -m pytest -m "alone and not long" $(or $(ARGS),$(shell grep -rl mark.alone tests)) \
		|| [ $$? = 5 ] || clean=1; \
	$(BIN)/python -m pytest -m "not alone and not long" -n $(JOBS) --dist loadfile --no-loadscope-reorder \
		$(ARGS) && exit $$clean

test-long: $(VENV)/.ready-test
	$(BIN)/python -m pytest -m long --timeout 7200 $(ARGS)

rehearse: $(VENV)/.ready-test
	$(BIN)/python -m tests.rehearsal $(ARGS)

clean:
	rm -rf build dist artefacts *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .cache
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
