# `make demo` and `make test` are all the set-up there is; everything they install lies in .venv.

PYTHON ?= python3
VENV ?= .venv
# Where the libraries lie that `make bench` measures on; those that are missing are left out.
DATA ?= ../shared/data
# What `make release` makes: a commit, or the tag of a version.
REV ?= HEAD
# Which tests run, as pytest's -m has it; with `MARKS=` all of them.
MARKS ?= not slow
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Tests start hundreds of short processes: compile the code once for all of them.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test lint types unit docs supply release bench llama editors clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

demo: $(VENV)/.installed ## set lexls up and show a session with the sample draft
	@$(BIN)/python -m pip install -q --only-binary=:all: --retries=0 --timeout=15 "lexls[llama]" || \
	  echo "llama.cpp could not be installed; the demo goes on without a language model"
	$(BIN)/python examples/demo.py

test: lint types unit ## lint, formatting, types, and all tests but the slow ones (MARKS= for those too)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

unit: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "$(MARKS)"

docs: $(VENV)/.dev ## write what is generated from the declarations
	$(BIN)/python -m lexls.assessing.rules
	$(BIN)/python -m lexls.agents
	$(BIN)/python -m lexls.settings.generate

supply: $(VENV)/.dev ## pin what a release installs, with hashes, and list it with its licences
	$(BIN)/python -m pip install -q uv
	$(BIN)/python supply/bill_of_materials.py

release: $(VENV)/.created ## make in dist what a release consists of, from the commit or tag REV and nothing else
	$(BIN)/python supply/release.py $(REV)

bench: $(VENV)/.dev ## measure start-up, BM25, citations, reading, and indexing and serving DATA's libraries (an hour)
	$(BIN)/lexls models get
	$(BIN)/python benchmarks/bench_startup.py
	$(BIN)/python benchmarks/bench_bm25.py
	$(BIN)/python benchmarks/bench_citations.py
	$(BIN)/python benchmarks/bench_reading.py
	@test ! -d "$(DATA)/us-cases" || $(BIN)/python benchmarks/bench_resolution.py --data "$(DATA)" --write
	@mkdir -p .cache/bench
	@for each in in-cases:IN us-cases:US; do \
	  name=$${each%%:*}; code=$${each##*:}; \
	  if ! [ -d "$(DATA)/$$name" ]; then echo "$(DATA)/$$name is not there: left out"; continue; fi; \
	  rm -f .cache/bench/$$name.sqlite3*; \
	  $(BIN)/python benchmarks/bench_index.py "$(DATA)/$$name" --jurisdiction $$code \
	    --index .cache/bench/$$name.sqlite3 || exit 1; \
	  $(BIN)/python benchmarks/bench_server.py "$(DATA)/$$name" --jurisdiction $$code \
	    --index .cache/bench/$$name.sqlite3 || exit 1; \
	done

llama: $(VENV)/.llama ## compile llama.cpp; `make test` runs one that comes compiled (some minutes the first time)

editors: $(VENV)/.installed ## build the editors' clients and drive real editors with them
	LEXLS_PYTHON="$(abspath $(BIN))/python" tests/editors/run.sh

clean: ## remove what the other targets made
	rm -rf $(VENV) build dist out .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf editors/vscode/node_modules editors/vscode/dist editors/vscode/out
	find lexls tests examples benchmarks -name __pycache__ -prune -exec rm -rf {} +

# A stamp is newer than what it was made from, so a second run installs nothing.
$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install -q --editable .
	@touch $@

# pip keeps the wheel it has compiled, however it was compiled, and a home may move to another processor: so the wheel is
# made for every processor of this kind (no GGML_NATIVE), and kept apart from wheels made otherwise. What lexls has no
# use for (pictures, command lines) is left out.
$(VENV)/.llama: $(VENV)/.installed pyproject.toml
	CMAKE_ARGS="$(CMAKE_ARGS) -DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF -DCMAKE_PROJECT_llama.cpp_INCLUDE=$(abspath .ci/llama-cpp.cmake)" \
	  $(BIN)/python -m pip install -q --cache-dir "$$($(BIN)/python -m pip cache dir)/lexls-llama" --editable ".[llama-cpp]"
	@touch $@

$(VENV)/.dev: $(VENV)/.installed pyproject.toml
	$(BIN)/python -m pip install -q --group dev
	@touch $@
