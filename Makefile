# Two commands do everything: `make demo` and `make test`. Needs python3, pip and make, nothing else.
PYTHON ?= python3
VENV   ?= .venv
UV     := .tools/bin/uv
RUN    := $(VENV)/bin
PHOENIX ?= .phoenix
PROMETHEUS ?= prometheus
export UV_LINK_MODE := copy
export PYTHONPATH :=
# Every server and worker that a test starts would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint imports mypy basedpyright suite fmt bench eval soak review review-e2e review-prometheus matrix pin clean

demo: $(VENV)/.ready
	@$(RUN)/python -m examples.demo

test: lint suite

lint: $(VENV)/.ready
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target basedpyright mypy imports

# One core each: together they take as long as the slower ones.
imports: $(VENV)/.ready
	$(RUN)/lint-imports --no-cache

mypy: $(VENV)/.ready
	$(RUN)/mypy

basedpyright: $(VENV)/.ready
	$(RUN)/basedpyright --warnings

# One worker more than there are cores: many tests wait, for a provider that hangs or a server that ends.
suite: $(VENV)/.ready
	$(RUN)/coverage erase
	$(RUN)/pytest -n 3 --cov --cov-config=pyproject.toml --cov-report=term

fmt: $(VENV)/.ready
	$(RUN)/ruff check --fix .
	$(RUN)/ruff format .

bench: $(VENV)/.ready
	$(RUN)/python -m benchmarks.overhead
	$(RUN)/python -m benchmarks.scanning --all
	$(RUN)/python -m benchmarks.telemetry

# What the rules catch, miss and disturb on the corpus, per technique and family; then a simulated
# day of agents: the share that ends at each tier, and what each path adds.
eval: $(VENV)/.ready
	$(RUN)/python -m benchmarks.eval
	$(RUN)/python -m benchmarks.day

# The whole of the longer campaigns; `make test` runs a slice of each. Then the adapters against a
# counterparty that is not ours, where node and aimock are installed; it says so when they are not.
soak: $(VENV)/.ready
	SOAK=1 $(RUN)/pytest -n 2 -m "slow or not slow" tests
	$(RUN)/python -m benchmarks.aimock || test $$? -eq 2

# The demo's traffic in a real back end: on http://127.0.0.1:6006, or checked over its API.
review: $(VENV)/.ready $(PHOENIX)/.ready
	$(RUN)/python -m examples.observability.phoenix --program $(PHOENIX)/bin/phoenix

review-e2e: $(VENV)/.ready $(PHOENIX)/.ready
	$(RUN)/python -m examples.observability.phoenix --program $(PHOENIX)/bin/phoenix --check

# The alerts and the dashboard in a real Prometheus that scrapes a real gate; needs no root.
review-prometheus: $(VENV)/.ready
	$(RUN)/python -m examples.observability.scraped --program $(PROMETHEUS)

# Every Python we support that is installed here, each in an environment of its own.
matrix:
	@for version in 3.11 3.12 3.13; do \
	  if command -v python$$version >/dev/null 2>&1 && python$$version -c '' 2>/dev/null; then \
	    $(MAKE) suite PYTHON=python$$version VENV=.venv-$$version || exit 1; \
	  else echo "python$$version is not installed: left out"; fi; \
	done

$(UV):
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target .tools uv==0.13.7

$(VENV)/.ready: $(UV) requirements/dev.txt pyproject.toml
	$(UV) venv --quiet --clear --python $(PYTHON) $(VENV)
	$(UV) pip sync --quiet --python $(RUN)/python --require-hashes requirements/dev.txt
	$(UV) pip install --quiet --python $(RUN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# Phoenix has a licence of its own: aside, and never a dependency.
$(PHOENIX)/.ready: $(UV) examples/observability/phoenix.txt
	$(UV) venv --quiet --clear --python $(PYTHON) $(PHOENIX)
	$(UV) pip install --quiet --python $(PHOENIX)/bin/python -r examples/observability/phoenix.txt
	@touch $@

pin: $(UV)
	$(UV) pip compile pyproject.toml --quiet --all-extras --group dev --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --upgrade --output-file requirements/dev.txt

clean:
	rm -rf $(VENV) .venv-* .tools $(PHOENIX) dist build htmlcov .coverage .coverage.* .hypothesis .mypy_cache .ruff_cache
