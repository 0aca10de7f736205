# CONTRIBUTING.md lists what to run when. Every target builds what it needs, once, inside this folder. It requires make and
# Python 3.11 or newer with its headers. Only with INSTALL=1 or CI do the tests install system packages (tools/debian.py).

PYTHON ?= python3
ARGS ?=
JOBS ?= auto

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install -qq --constraint constraints/dev.txt

export PATH := $(CURDIR)/$(BIN):$(PATH)
unexport PYTHONPATH PYTHONHOME

# The kernel needs a C++ compiler and Python's headers. Without a compiler, the package ziglang provides one. If that
# fails too, or the headers are missing, the package is installed without its kernel. The name of the stamp says which of
# the three is installed, so make installs again when the machine changes.
COMPILER := $(shell for name in $${CXX%% *} c++ g++ clang++; do command -v "$$name" && break; done 2>/dev/null)
HEADERS := $(shell $(PYTHON) -c 'import os, sysconfig; \
    print(*filter(os.path.exists, [os.path.join(sysconfig.get_path("include"), "Python.h")]))' 2>/dev/null)
INSTALLED := $(VENV)/$(if $(HEADERS),$(if $(COMPILER),.with-kernel,.with-zig),.without-kernel)
ZIG := $(VENV)/zig
COMPILERS := $(VENV)/$(if $(COMPILER),.build,.zig)
ifeq ($(COMPILER),)
export CMAKE_TOOLCHAIN_FILE := $(CURDIR)/$(ZIG)/toolchain.cmake
endif

MISSING := $(if $(HEADERS),a C++20 compiler (Debian and Ubuntu: apt install g++),the headers of Python (Debian and \
    Ubuntu: apt install python3-dev))
WITHOUT_KERNEL := mineproof is installed without its C++ kernel, because this machine lacks $(MISSING). \
    MINEPROOF_ENGINE=reference counts in plain Python, slowly. Install what is missing and run make again.
NEEDS_KERNEL := This target needs the C++ kernel, and this machine lacks $(MISSING).

# The checks of the page's JavaScript need Node.js. Without it they are skipped with a message; in CI they fail.
NODE := $(shell command -v npm > /dev/null 2>&1 && node -p 'const [major, minor] = process.versions.node.split("."); \
    major > 20 || (major == 20 && minor >= 19) ? process.execPath : ""' 2>/dev/null)
PACKAGES := $(if $(NODE),node_modules/.package-lock.json)
WITHOUT_NODE := *** The JavaScript of the page is NOT CHECKED (tsc, eslint, prettier, its unit tests, axe-core), because \
    this machine lacks Node.js 20.19 or newer, or npm. Debian 13: apt install nodejs npm
SCRIPTS := eslint.config.js 'site/*.js' 'tests/page/*.{js,ts}' 'src/mineproof/web/static/**/*.js' 'src/mineproof/lessons/*.js' \
    'examples/*.mjs'

# Folders too, so that removing a file counts as a change.
KERNEL := CMakeLists.txt $(shell find native/include native/src native/bindings)
SOURCES := $(shell find native -name '*.[ch]pp')
# The editable install knows each module by its file, so it is made again when a module becomes a package.
PYTHON_PACKAGES := $(shell find src/mineproof -name __init__.py)

CONFIGURE := cmake -S . -G Ninja -D MINEPROOF_BINDINGS=OFF -D MINEPROOF_TESTS=ON -D MINEPROOF_WERROR=ON \
    --log-level=WARNING
# The address sanitizer is not in ziglang.
SANITIZE := $(if $(COMPILER),ON,undefined)
EDITABLE := --no-build-isolation --editable .
# The launcher is a definition here, because CMake reads the variable in a new build folder only.
WITH_KERNEL = --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=$(LAUNCHER) \
    --config-settings=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON --config-settings=cmake.define.MINEPROOF_WERROR
# The tests of the packages build the kernel again from the sdist, in a temporary folder, and ccache finds the objects of
# equal sources. Paths below these folders count as relative ones, so a build folder build/TAG is the same in any tree.
# -Werror changes no object.
CCACHE := CCACHE_DIR=$(CURDIR)/build/ccache CCACHE_MAXSIZE=500M CCACHE_NOHASHDIR=1 \
    CCACHE_BASEDIR=$(CURDIR)/build:$(CURDIR)/native:$(or $(TMPDIR),/tmp) \
    CCACHE_IGNOREOPTIONS="-Werror -fmacro-prefix-map=*"
LAUNCHER = $(shell test -x $(BIN)/ccache && echo $(CURDIR)/$(BIN)/ccache)
REUSE = $(CCACHE) CMAKE_CXX_COMPILER_LAUNCHER=$(LAUNCHER)
# What needs no server, terminal, browser or built package.
QUICK := $(filter-out $(addsuffix /,$(addprefix tests/,adapters browser mcp packages page support tui web without_server)),\
    $(wildcard tests/*/)) src
PYTEST = $(REUSE) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

.PHONY: help play start docs extras venv demo test check test-native test-threads portability lint format bench stub native wheel clean \
    kernel pytest quick thorough page browser postgres pictures site site-serve site-tests \
    test-unit test-oracle test-browser test-packages \
    wheels release-check coverage
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

play: venv $(VENV)/.play ## play in the terminal; ARGS goes to mineproof play
	@$(ENGINE) $(BIN)/mineproof play $(ARGS) || [ $$? -eq 130 ]

start: venv $(VENV)/.start ## serve the web page and the HTTP API; ARGS goes to mineproof serve
	@$(ENGINE) $(BIN)/mineproof serve $(ARGS)

extras: venv $(VENV)/.extras ## install what datasets, plots, PNG, clusters, Gymnasium and PostgreSQL need

venv: $(INSTALLED) ## create .venv and install the project into it
	@if [ -e $(VENV)/.without-kernel ]; then echo "$(WITHOUT_KERNEL)" >&2; fi

demo: venv ## show what mineproof does
	@$(ENGINE) $(BIN)/python -m mineproof.cli.demo

# The kernel's tests are built and run in parallel to the others, to use all processors.
test: $(COMPILERS) ## run every check and test; ARGS goes to pytest
	@$(call beside,test-native test-threads,kernel lint page pytest)

check: $(COMPILERS) ## the quick part of test: a minute after the first build
	@$(call beside,test-native NATIVE=-q,kernel lint page quick)

pytest: kernel $(VENV)/.dev $(PACKAGES) browser postgres
	@echo "pytest"
	@$(PYTEST) --durations=20 --durations-min=1 $(ARGS)

quick: kernel $(VENV)/.dev
	@echo "pytest, only quick tests"
	@$(PYTEST) -q -m 'not slow and not thorough and not postgres' $(QUICK) $(ARGS)

# The parts of pytest, for hosted CI. Together they run each test once.
test-unit: kernel $(VENV)/.dev $(PACKAGES) postgres ## run the tests that need no browser, no packages and no brute force
	@$(PYTEST) -m 'not browser and not packages and not thorough' $(ARGS)

test-oracle: kernel $(VENV)/.dev ## run the tests that compare many boards with brute force or a model
	@$(PYTEST) -m thorough $(ARGS)

test-browser: kernel $(VENV)/.dev $(PACKAGES) browser ## run the tests of the page in Chromium
	@$(PYTEST) -m browser $(ARGS)

test-packages: kernel $(VENV)/.dev ## build the packages and install them into clean environments, on every Python found
	@$(PYTEST) -m packages $(ARGS)

thorough: export MINEPROOF_THOROUGH := 1
thorough: kernel $(VENV)/.dev $(PACKAGES) browser postgres ## run every test with all of its examples instead of a sample
	@$(PYTEST) $(ARGS)

page: $(PACKAGES) ## run the unit tests of the page's JavaScript
	@$(call with_node,echo "node --test" && node --test --test-reporter=dot $(wildcard tests/page/*.test.js))

browser: $(VENV)/.python
	@$(BIN)/python tools/browser.py --install

postgres: $(VENV)/.python
	@$(BIN)/python tools/postgres.py --install

test-native: $(COMPILERS) ## run the kernel's own tests under sanitizers
	@echo "kernel_tests, address and undefined-behaviour sanitizers on"
	@$(call build,sanitize,-D CMAKE_BUILD_TYPE=Debug -D MINEPROOF_SANITIZE=$(SANITIZE))
	@UBSAN_OPTIONS=print_stacktrace=1 build/sanitize/kernel_tests $(NATIVE)

test-threads: $(COMPILERS) ## run the kernel's tests of threads under the thread sanitizer
	@echo "kernel_tests of threads, thread sanitizer on"
	@$(call build,thread,-D CMAKE_BUILD_TYPE=Debug -D MINEPROOF_SANITIZE=thread)
	@TSAN_OPTIONS=halt_on_error=1 build/thread/kernel_tests thread

portability: $(VENV)/.zig ## build the kernel with gcc and clang, and for other systems with zig
	@BIN=$(BIN) $(CCACHE) tools/portability.sh

docs: $(INSTALLED) $(VENV)/.docs ## build the documentation into build/docs; a warning is an error
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --doctree-dir build/doctrees docs build/docs
	@echo "build/docs/index.html"

site: $(INSTALLED) $(VENV)/.docs $(VENV)/.extras $(VENV)/.start $(VENV)/.zig ## build the page as static files, without a server, into build/site
	@$(if $(NODE),,echo "The static site needs Node.js 20.19 or newer, and npm." >&2; exit 1)
	@$(MAKE) --no-print-directory docs
	@$(CCACHE) $(BIN)/python tools/static_site/build.py

site-serve: $(VENV)/.python ## serve build/site on this machine; ARGS is a port
	@$(BIN)/python tools/static_site/serve.py $(ARGS)

site-tests: kernel $(VENV)/.dev $(PACKAGES) browser ## test build/site: the kernel and Python in Node.js, the page in Chromium
	@test -e build/site || { echo "There is no build/site yet. Run make site." >&2; exit 1; }
	@MINEPROOF_SITE=build/site $(PYTEST) $(if $(filter tests/%,$(ARGS)),,tests/without_server tests/browser) $(ARGS)

pictures: kernel $(VENV)/.dev $(VENV)/.start browser ## create the screenshots of the page in docs/pictures
	@$(BIN)/python tools/pictures.py

lint: $(INSTALLED) $(VENV)/.dev $(PACKAGES) ## ruff, mypy --strict, clang-format; tsc, eslint and prettier for the page
	@echo "ruff, mypy, clang-format"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --quiet --check
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/clang-format --dry-run -Werror $(SOURCES)
	@$(BIN)/python tools/plain_english.py --check
	@$(call with_node,echo "tsc$(comma) eslint$(comma) prettier" && $(lint_page))

format: $(VENV)/.dev $(PACKAGES) ## fix style with ruff, clang-format, eslint and prettier
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format
	@$(BIN)/clang-format -i $(SOURCES)
	@$(call with_node,$(format_page))

bench: kernel $(VENV)/.bench ## measure speed, compared with ms_toollib
	@$(BIN)/python benchmarks/run.py $(ARGS)

stub: kernel ## print the signatures of the kernel, for _kernel.pyi
	@mkdir -p build
	@$(BIN)/python -m nanobind.stubgen --quiet --exclude-docstrings --module mineproof.engine._kernel --output-file build/_kernel.pyi
	@cat build/_kernel.pyi

native: $(COMPILERS) ## build optimized kernel_tests with symbols, for valgrind and perf
	@$(CONFIGURE) -B build/native -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_FLAGS=-g
	@cmake --build build/native
	@echo "build/native/kernel_tests"

wheel: kernel $(VENV)/.dev ## build sdist and wheel into dist/ and test them in an empty venv
	@rm -rf dist
	@$(REUSE) $(BIN)/python -m build --no-isolation --outdir dist --config-setting=cmake.define.MINEPROOF_REQUIRE_KERNEL=ON
	@MINEPROOF_DIST=dist $(REUSE) $(BIN)/python -m pytest tests/packages/test_packaging.py

wheels: kernel $(VENV)/.dev $(VENV)/.release ## build wheels into dist/ for Linux, macOS and Windows, check them, and install those of this machine
	@$(BIN)/python tools/wheels.py $(ARGS)

release-check: ## do all that a release needs, except uploading: sdist, wheels, docs, version, changelog
	@$(MAKE) --no-print-directory wheel
	@rm dist/*-linux_*.whl 2>/dev/null || true
	@$(MAKE) --no-print-directory wheels docs
	@$(BIN)/python tools/release_check.py dist

coverage: kernel $(VENV)/.dev $(VENV)/.coverage $(PACKAGES) browser postgres ## measure which lines of Python and C++ the tests run
	@$(PYTEST) --cov --cov-report= $(ARGS)
	@$(BIN)/coverage report --skip-covered --sort=cover
	@$(call build,coverage,-D CMAKE_BUILD_TYPE=Debug -D "CMAKE_CXX_FLAGS=--coverage -O1")
	@build/coverage/kernel_tests
	@$(BIN)/gcovr --root . --filter native/src --filter native/include --print-summary --sort uncovered-percent build/coverage

clean: ## remove everything that make created, including .venv
	rm -rf $(VENV) build dist node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests tools benchmarks docs -name __pycache__ -prune -exec rm -rf {} +

kernel: $(INSTALLED)
	@if [ -e $(VENV)/.without-kernel ]; then echo "$(NEEDS_KERNEL)" >&2; exit 1; fi

ENGINE = $(if $(wildcard $(VENV)/.without-kernel),MINEPROOF_ENGINE=reference)

# $(call with_node,COMMAND): run the command. Without Node.js print what is skipped; in CI fail.
with_node = $(if $(NODE),$1,echo "$(WITHOUT_NODE)" >&2; [ -z "$$CI" ])
lint_page = node_modules/.bin/tsc && node_modules/.bin/eslint --max-warnings 0 . \
    && node_modules/.bin/prettier --log-level warn --no-error-on-unmatched-pattern --check $(SCRIPTS)
format_page = node_modules/.bin/eslint --fix .; \
    node_modules/.bin/prettier --log-level warn --no-error-on-unmatched-pattern --write $(SCRIPTS)
comma := ,

# $(call build,FOLDER,OPTIONS): build kernel_tests in build/FOLDER. Compiler output is shown on failure only.
build = mkdir -p build && { $(CONFIGURE) -B build/$1 $2 && cmake --build build/$1; } > build/$1.log 2>&1 \
    || { cat build/$1.log; exit 1; }

# $(call beside,TARGETS,OTHERS): run both in parallel. The output of TARGETS is printed at the end.
define beside
mkdir -p build; \
$(MAKE) --no-print-directory $1 > build/beside.log 2>&1 & beside=$$!; \
trap 'kill $$beside 2>/dev/null' INT TERM; \
$(MAKE) --no-print-directory $2; status=$$?; \
if [ $$status -ne 0 ] && [ -z "$$CI" ]; then echo "(the kernel's tests were stopped)"; kill $$beside 2>/dev/null; \
    wait $$beside; exit $$status; fi; \
wait $$beside || status=$$?; cat build/beside.log; exit $$status
endef

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "mineproof needs Python 3.11 or newer, got $$($(PYTHON) --version 2>&1). Choose another: make PYTHON=python3.12" >&2; \
	    exit 1; }
	@echo "creating $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
	    echo "This Python cannot create a virtual environment. Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/.build: $(VENV)/.python constraints/dev.txt
	@echo "installing the build tools"
	@$(PIP_INSTALL) pip
	@$(PIP_INSTALL) --group build
	@touch $@

$(VENV)/.with-kernel: $(VENV)/.build pyproject.toml $(PYTHON_PACKAGES) $(KERNEL)
	@echo "building and installing mineproof"
	@$(REUSE) $(PIP_INSTALL) $(EDITABLE) $(WITH_KERNEL)=ON
	@rm -f $(VENV)/.without-kernel $(VENV)/.with-zig
	@touch $@

# If ziglang does not exist for this machine or fails, there is no stamp, and the next make tries again. Warnings are no
# errors here: its clang is newer and warns of more. `make portability` shows them.
$(VENV)/.with-zig: $(VENV)/.build pyproject.toml $(PYTHON_PACKAGES) $(KERNEL)
	@if $(MAKE) -s --no-print-directory $(VENV)/.zig \
	    && echo "building and installing mineproof with ziglang, because there is no C++ compiler here" \
	    && $(REUSE) $(PIP_INSTALL) $(EDITABLE) $(WITH_KERNEL)=OFF \
	        --config-settings=build-dir=build/zig-{wheel_tag}; \
	then rm -f $(VENV)/.without-kernel $(VENV)/.with-kernel && touch $@; \
	else $(MAKE) --no-print-directory $(VENV)/.without-kernel; fi

$(VENV)/.without-kernel: $(VENV)/.build pyproject.toml $(PYTHON_PACKAGES)
	@echo "installing mineproof without its kernel"
	@MINEPROOF_NO_KERNEL=1 $(PIP_INSTALL) $(EDITABLE)
	@rm -f $(VENV)/.with-kernel $(VENV)/.with-zig
	@touch $@

$(VENV)/.zig: $(VENV)/.build pyproject.toml tools/zig_toolchain.py
	@echo "installing ziglang, a C++ compiler"
	@$(PIP_INSTALL) --group zig
	@$(BIN)/python tools/zig_toolchain.py native $(ZIG)
	@echo 'int main() { return 0; }' > $(ZIG)/try.cpp && $(ZIG)/zig-c++ -O1 $(ZIG)/try.cpp -o $(ZIG)/try && $(ZIG)/try
	@touch $@

$(addprefix $(VENV)/.,dev bench coverage docs extras play release start): $(VENV)/.%: $(VENV)/.build pyproject.toml
	@echo "installing dependencies: $*"
	@$(PIP_INSTALL) --group $*
	@touch $@

# npm ci writes this file last, so it marks a finished install.
node_modules/.package-lock.json: package.json package-lock.json .npmrc
	@echo "installing the checks of the page"
	@npm ci --loglevel=error > /dev/null
	@touch $@
