# One word per job. `make help` lists them.
PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
VENV_PYTHON := $(BIN)/python
PYTEST := $(VENV_PYTHON) -m pytest

# Learners have no need of these, so they are installed when they are first asked for.
INSTALL_WITH = $(VENV_PYTHON) -m pip install --quiet --no-build-isolation --constraint requirements.lock --editable
EXTRAS := browser,slides,transformers
WITH_PLAYWRIGHT = $(VENV_PYTHON) -c 'import playwright, axe_playwright_python' 2> /dev/null || $(INSTALL_WITH) '.[browser]'
WITH_SLIDES = $(VENV_PYTHON) -c 'import latex2mathml, pyreveal' 2> /dev/null || $(INSTALL_WITH) '.[slides]'

# Python keeps what it has compiled, even where it was told not to: else each kernel compiles PyTorch again, for seconds.
unexport PYTHONDONTWRITEBYTECODE

# Kernels that train side by side get in each other's way unless each keeps to one thread.
test test-timed test-browser test-zh check run slides site claims mutants: export OMP_NUM_THREADS := 1
# Their modules lie in folders of tools/.
bench release tree: export PYTHONPATH := $(CURDIR)/tools
# `make test` runs three of the translated notebooks; here all are run.
test-zh: export ALL_TRANSLATED := 1

.DEFAULT_GOAL := help
.PHONY: help env extras lab test test-timed test-busy test-browser test-zh check run clean data slides site handout release bench claims mutants tree

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 21

# It does nothing where .venv is whole.
env: ## prepare the environment in .venv, again when requirements.lock has changed (TORCH=cuda: PyTorch with CUDA)
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11, 3.12 or 3.13, or name yours: make lab PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) tools/install.py

# Settings for the course: saved views stay alive, views answer at once, JupyterLab asks nothing of the network. Installing
# the course copies them into .venv; taken from here, they are never older than the course.
# LANGUAGE is also a variable of gettext: what a system sets there does not count here.
CHOSEN = $(if $(filter command,$(firstword $(origin LANGUAGE))),$(LANGUAGE))
lab: export JUPYTER_CONFIG_PATH := $(CURDIR)/etc/jupyter
lab: env ## open the course in JupyterLab, on your own copies in work/ (LANGUAGE=zh: in Chinese)
	@$(VENV_PYTHON) tools/notebooks.py copy --language "$(CHOSEN)"
	@$(VENV_PYTHON) -m jupyterlab $(LAB_OPTIONS) "$$($(VENV_PYTHON) tools/notebooks.py first --language "$(CHOSEN)")"

test: check ## run every test: the notebooks' form, the units, and every stored output against a new run
	-@$(VENV_PYTHON) -m course_utils.fetch
	@$(PYTEST) -n auto --maxprocesses 4 --dist loadfile --nbval --leave-out needs_browser tests notebooks

# Where the machine is busy: these tests, in CI; every test, once in a while and by hand.
BUSY := $(VENV_PYTHON) tools/busy.py
TIMED = $(shell grep -rlE "mark\.(timed|right_answers)" --include=*.py --exclude-dir=browser tests)

extras: env ## install what more tests need: the extras of pyproject.toml, for a browser, slides and models of transformers
	@$(INSTALL_WITH) '.[$(EXTRAS)]'

test-timed: env ## run what has to do with time, and a right answer of each exercise, beside busy loops
	@$(BUSY) $(PYTEST) -n 2 --dist worksteal -m "timed or right_answers" $(TIMED)

test-busy: env ## run `make test` three times beside twice as many busy loops as there are cores: takes hours
	@for run in 1 2 3; do \
	    echo "run $$run of 3 beside busy loops"; \
	    $(BUSY) $(MAKE) test || { echo "run $$run of 3 failed"; exit 1; }; \
	done

test-browser: env ## drive the live views in a real JupyterLab, and the slide decks (needs chromium and nodejs)
	@$(WITH_PLAYWRIGHT)
	@$(WITH_SLIDES)
	@$(VENV_PYTHON) tools/editions.py site --outputs 00 01 04
	@$(PYTEST) -n 3 --dist loadfile --nothing-lacks -m needs_browser tests

test-zh: env ## run all translated notebooks, and the tests of languages
	-@$(VENV_PYTHON) -m course_utils.fetch
	@$(PYTEST) -n auto --maxprocesses 2 tests/language

check: env ## lint the code and the form of the stored notebooks
	@$(VENV_PYTHON) -m ruff check
	@$(VENV_PYTHON) -m ruff format --check
	@$(VENV_PYTHON) tools/notebooks.py check

run: env ## execute the notebooks in new kernels and store their outputs
	@$(VENV_PYTHON) tools/notebooks.py run
	@$(VENV_PYTHON) tools/once/readme_figure.py

clean: env ## strip the stored notebooks of everything that is not content
	@$(VENV_PYTHON) tools/notebooks.py clean

data: env ## fetch the real models' weights into data/: 180 MB, 730 MB on the disk (MODEL=minilm or smollm: one alone)
	@$(VENV_PYTHON) -m course_utils.fetch $(MODEL)

slides: env ## build the slide decks in build/slides/: they need no network (SLIDES=--with-solutions shows solutions too)
	@$(WITH_SLIDES)
	@$(VENV_PYTHON) tools/editions.py slides --language "$(CHOSEN)" $(SLIDES)

site: env ## build the web edition in build/site/, in all languages: pages to read and touch, without kernel or network
	@$(WITH_SLIDES)
	@$(VENV_PYTHON) tools/editions.py site

handout: env ## print the web pages into build/handout/: room for notes, answers at the end (needs chromium)
	@$(WITH_SLIDES)
	@$(VENV_PYTHON) tools/editions.py handout --language "$(CHOSEN)"

release: env ## make a release in build/release/ and try it: wheel, sources, web edition, decks
	@$(WITH_SLIDES)
	@$(VENV_PYTHON) -m publish.release

tree: env ## renew the tree of CONTRIBUTING.md from the first lines of folders and files
	@$(VENV_PYTHON) -m publish.tree

claims: env ## try again what the pages say beyond their outputs, on other seeds, sizes and sentences
	@$(VENV_PYTHON) tools/claims.py $(CLAIMS)

mutants: env ## put one mistake at a time into the checks, and print which answers notice it: takes an hour or two (MUTANTS="id …")
	@$(VENV_PYTHON) tests/lessons/run_mutants.py $(MUTANTS)

bench: env ## print the measured figures: attention's speed, the live views', models, decks, pages (needs chromium)
	@$(WITH_PLAYWRIGHT)
	@$(WITH_SLIDES)
	@for part in attention checks language pages views; do $(VENV_PYTHON) -m bench $$part || exit; done
