# Every target makes what it needs, on a machine with Python 3.11 or newer, a C++20 compiler and make, and does
# nothing again that has not changed. What to run when: CONTRIBUTING.md.

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install -qq --constraint constraints/dev.txt

export PATH := $(CURDIR)/$(BIN):$(PATH)
unexport PYTHONPATH PYTHONHOME

# The kernel needs a compiler and Python's headers. Where one of them is missing the package is installed without it;
# the stamp's name says which of the two is installed, so the other one follows once the machine changes.
COMPILER := $(shell for name in $${CXX%% *} c++ g++ clang++; do command -v "$$name" && break; done 2>/dev/null)
HEADERS := $(shell $(PYTHON) -c 'import os, sysconfig; \
    print(*filter(os.path.exists, [os.path.join(sysconfig.get_path("include"), "Python.h")]))' 2>/dev/null)
MISSING := $(if $(COMPILER),,a C++20 compiler (Debian and Ubuntu: apt install g++))
MISSING += $(if $(HEADERS),,$(if $(COMPILER),,and )the headers of Python (Debian and Ubuntu: apt install python3-dev))
MISSING := $(strip $(MISSING))
WITHOUT_KERNEL := mineproof is installed without its C++ kernel, because this machine lacks $(MISSING). \
    MINEPROOF_ENGINE=reference answers everything in Python, slowly. Install what is missing and run make again.
NEEDS_KERNEL := This target needs the C++ kernel, and this machine lacks $(MISSING).
INSTALLED := $(VENV)/$(if $(MISSING),.without-kernel,.with-kernel)

# Folders too, so that a file taken away counts as a change.
KERNEL := CMakeLists.txt $(shell find native/include native/src native/bindings)
SOURCES := $(shell find native -name '*.[ch]pp')

CONFIGURE := cmake -S . -G Ninja -D MINEPROOF_BINDINGS=OFF -D MINEPROOF_TESTS=ON -D MINEPROOF_WERROR=ON \
    --log-level=WARNING

.PHONY: help venv demo test test-native lint format bench stub native wheel clean compiler
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

venv: $(INSTALLED) ## make .venv and install the project into it
	@$(if $(MISSING),echo "$(WITHOUT_KERNEL)" >&2)

demo: venv ## see what it does
	@$(if $(MISSING),MINEPROOF_ENGINE=reference) $(BIN)/python -m mineproof.cli.demo

test: compiler $(INSTALLED) $(VENV)/.dev lint test-native ## run every check and test; ARGS goes to pytest
	@echo "pytest"
	@$(BIN)/python -m pytest $(ARGS)

test-native: compiler $(VENV)/.build ## run the kernel's own tests under sanitizers
	@echo "kernel_tests, address and undefined-behaviour sanitizers on"
	@mkdir -p build
	@$(CONFIGURE) -B build/sanitize -D CMAKE_BUILD_TYPE=Debug -D MINEPROOF_SANITIZE=ON > build/sanitize.log \
	    && cmake --build build/sanitize > build/sanitize.log || { cat build/sanitize.log; exit 1; }
	@UBSAN_OPTIONS=print_stacktrace=1 build/sanitize/kernel_tests

lint: $(INSTALLED) $(VENV)/.dev ## ruff, mypy --strict, clang-format
	@echo "ruff, mypy, clang-format"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --quiet --check
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/clang-format --dry-run -Werror $(SOURCES)

format: $(VENV)/.dev ## let ruff and clang-format rewrite what they can
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format
	@$(BIN)/clang-format -i $(SOURCES)

bench: compiler $(INSTALLED) $(VENV)/.bench ## measure speed, side by side with ms_toollib
	@$(BIN)/python benchmarks/run.py $(ARGS)

stub: compiler $(INSTALLED) ## print the stub of the kernel as nanobind sees it, to keep _kernel.pyi by
	@mkdir -p build
	@$(BIN)/python -m nanobind.stubgen --quiet --exclude-docstrings --module mineproof.engine._kernel --output-file build/_kernel.pyi
	@cat build/_kernel.pyi

native: compiler $(VENV)/.build ## optimized kernel_tests with symbols, for valgrind and perf
	@$(CONFIGURE) -B build/native -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_FLAGS=-g
	@cmake --build build/native
	@echo "build/native/kernel_tests"

wheel: compiler $(INSTALLED) $(VENV)/.dev ## sdist and wheel into dist/, tried in an empty venv
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist --config-setting=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON
	@MINEPROOF_DIST=dist $(BIN)/python -m pytest tests/contract/test_packaging.py

clean: ## remove everything made here, .venv included
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

compiler:
	@$(if $(MISSING),echo "$(NEEDS_KERNEL)" >&2; exit 1)

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "mineproof needs Python 3.11 or newer, found: $$($(PYTHON) --version 2>&1). Another: make PYTHON=python3.12" >&2; \
	    exit 1; }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
	    echo "This Python cannot make a venv. Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/.build: $(VENV)/.python constraints/dev.txt
	@echo "installing the build tools"
	@$(PIP_INSTALL) pip
	@$(PIP_INSTALL) --group build
	@touch $@

$(VENV)/.with-kernel: $(VENV)/.build pyproject.toml $(KERNEL)
	@echo "building and installing mineproof"
	@$(PIP_INSTALL) --no-build-isolation --editable . \
	    --config-settings=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON --config-settings=cmake.define.MINEPROOF_WERROR=ON
	@rm -f $(VENV)/.without-kernel
	@touch $@

$(VENV)/.without-kernel: $(VENV)/.build pyproject.toml
	@echo "installing mineproof without its kernel"
	@MINEPROOF_NO_KERNEL=1 $(PIP_INSTALL) --no-build-isolation --editable .
	@rm -f $(VENV)/.with-kernel
	@touch $@

$(VENV)/.dev $(VENV)/.bench: $(VENV)/.%: $(VENV)/.build pyproject.toml
	@echo "installing what $* needs"
	@$(PIP_INSTALL) --group $*
	@touch $@
