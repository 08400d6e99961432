# make demo    a sample kernel is judged and ranked       make test    every test that needs no GPU
# make lint    ruff and mypy                              make setup   only the environment, .venv
# make soak RUNS=200  kill -9 of any process of a job, and what is left
# make escape  what a submission may try to get out of its sandbox
# PYTHON=python3.12 chooses the interpreter, TORCH_SPEC="torch==..." the torch (see tools/environment.py).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEVICE ?= cpu
RUNS ?= 54
PARALLEL ?= 1
SAMPLE ?= problem_packs/vector_add/samples/right/torch_add.py

.PHONY: setup demo test test-gpu escape soak adversarial lint format schema docs clean
.DEFAULT_GOAL := demo

setup: $(VENV)/.stamp

$(VENV)/.stamp: pyproject.toml tools/environment.py
	$(PYTHON) tools/environment.py $(VENV)
	@touch $@

demo: setup
	$(BIN)/kernelbot submit vector_add $(SAMPLE)
	$(BIN)/kernelbot leaderboard vector_add

test: setup
	$(BIN)/python -m pytest -m "not gpu" -rs

test-gpu: setup
	$(BIN)/python -m pytest -m gpu -rs

# What a submission may try to get out of its sandbox, in every mode that works here, beside the same without one.
escape: setup
	$(BIN)/python -m pytest tests/escape -q -s

# kill -9 of any process of a job at a random moment: what is left, and is the next job fine?
soak: setup
	$(BIN)/python benchmarks/soak.py --runs $(RUNS) --parallel $(PARALLEL)

# Every cheat before a naive harness and before the judge, with the advantage it gets. DEVICE=cuda:0 on a GPU box.
adversarial: setup
	$(BIN)/python benchmarks/adversarial.py --device $(DEVICE) --zoo

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# After a change of the report model.
schema: setup
	$(BIN)/python -c "import json; from kernelbot_core.model import report as r; \
	    r.schema_file().write_text(json.dumps(r.schema(), indent=1) + '\n')"

# After a change of hookspecs.py.
docs: setup
	$(BIN)/python tools/hooks_reference.py

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .benchmarks .hypothesis
