# Two commands for a new machine: make demo (no R needed) and make test (installs R where missing).

VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
CONSTRAINTS := .ci/constraints.txt
SOURCES := $(shell find hetsel -name '*.py')
R_SOURCES := $(shell find r_bridge -name '*.R' -o -name '*.py')
DOCUMENTS := $(patsubst vignettes/%.Rmd,.build/vignettes/%.html,$(wildcard vignettes/*.Rmd))
export RETICULATE_PYTHON := $(BIN)/python
export LC_ALL ?= C.UTF-8

.PHONY: demo test quick lowest newest lint python-tests processors r-tests bench million costs study fuzz proofs kills interrupts noise signatures container wheel vignettes r-package options site figures paper-tables lock clean sdist validate version coverage

## demo: install and rank the features of the bundled heart disease table
demo: $(VENV)/code
	$(BIN)/hetsel rank heart --method rfe-mkl --out ranking.csv --plot ranking.png

## test: install everything, R included, and run every check
test: $(VENV)/dev $(VENV)/code
	$(MAKE) --no-print-directory -j 3 lint r-tests python-tests

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# the workers share the processors: two threads of BLAS in each wait for each other most of the time
python-tests r-tests quick coverage: export OPENBLAS_NUM_THREADS = 1
python-tests r-tests quick coverage: export OMP_NUM_THREADS = 1
# and hundreds of processes import the same modules: Python keeps what it has read of them
unexport PYTHONDONTWRITEBYTECODE

python-tests: $(VENV)/dev $(VENV)/code
	$(BIN)/pytest -n 2 --dist worksteal

## quick: the Python tests that take less than half a second, in two minutes
quick: $(VENV)/dev
	$(BIN)/pytest -q -n 2 --dist worksteal -m "not slow and not seconds"

## coverage: the lines that all but the slow tests run, as a table and as pages in .build/coverage. It cannot see into
## compiled functions: their bodies count as not run
coverage: $(VENV)/dev
	$(BIN)/pytest -q -n 2 --dist worksteal -m "not slow" --cov --cov-report=term:skip-covered --cov-report=html

## processors: the Python tests as if on each of eight other processors, one after the other: hours
processors: $(VENV)/dev
	HETSEL_PROCESSORS=all $(BIN)/pytest tests/test_processors.py
	$(BIN)/python tests/processors.py $(BIN)/pytest -n 2 --dist worksteal --ignore tests/test_processors.py

## lowest, newest: all but the slow tests with the lowest and the newest versions that pyproject.toml allows; PYTHON=
## names another Python
lowest newest: $(VENV)/dev
	bash .ci/try-versions $@ $(or $(PYTHON),python3)

## r-tests: R CMD check of the built package, its testthat suite included
r-tests: $(VENV)/dev
	bash .ci/check-r-package

## bench: ratios against R's randomForest and scikit-learn, in one run on one thread
bench: $(VENV)/dev
	$(BIN)/python tests/arena/benchmarks/bench.py
	$(BIN)/python tests/arena/benchmarks/cells.py
	$(BIN)/python tests/arena/benchmarks/searches.py
	$(BIN)/python tests/arena/benchmarks/scale_factors.py
	$(BIN)/python tests/arena/benchmarks/r_calls.py

## costs: seconds and peak memory of every method up to a million rows, into vignettes/costs.md: 20 minutes
costs: $(VENV)/dev
	$(BIN)/python tests/arena/benchmarks/costs.py --into vignettes/costs.md

## million: hetsel, LightGBM, scikit-learn and R's ranger on a million rows: about an hour and 4 GB
million: $(VENV)/dev
	$(BIN)/python tests/arena/benchmarks/million_rows.py

## study: the comparison of paul2015 on those of its six data sets that can be had, some minutes, and its report
study: $(VENV)/core
	$(BIN)/python .ci/plan_at_hand.py vignettes/paul2015.toml .build/paul2015.toml
	$(BIN)/hetsel study run .build/paul2015.toml
	$(BIN)/hetsel study report .build/paul2015.toml --out paul2015.html

## paper-tables: the tables of ramona2012.md and somol2011.md anew, of HETSEL_DATA and R's packages: an hour
paper-tables: $(VENV)/dev
	mkdir -p .build/mlbench
	rm -rf .build/ramona2012
	Rscript --vanilla vignettes/ramona2012/mlbench.R .build/mlbench
	$(BIN)/python vignettes/ramona2012/tables.py run
	$(BIN)/python vignettes/somol2011.py run --anew
	$(BIN)/python vignettes/somol2011_tables.py --into vignettes/somol2011.md

## fuzz: random tables through every method (hours), damaged files and options of searches (minutes)
fuzz: $(VENV)/dev
	$(BIN)/python tests/arena/campaigns/fuzz_files.py
	$(BIN)/python tests/arena/campaigns/fuzz_saved.py
	$(BIN)/python tests/arena/campaigns/fuzz_tables.py
	$(BIN)/python tests/arena/campaigns/fuzz_searches.py

## proofs: small rankings against exact optima, real ones in other units and orders: half an hour
proofs: $(VENV)/dev
	$(BIN)/python tests/arena/campaigns/proofs.py
	$(BIN)/python tests/arena/campaigns/invariance.py

## kills: a study killed 1,000 times and resumed, and 200 flipped bits of its store: about an hour
kills: $(VENV)/dev
	$(BIN)/python tests/arena/campaigns/kills.py

## interrupts: a hundred Ctrl-C at random moments, in R and in the shell: half an hour
interrupts: $(VENV)/dev
	rm -rf .build/library
	mkdir -p .build/library
	R CMD INSTALL --no-docs -l .build/library r_bridge/hetsel
	R_LIBS=$(CURDIR)/.build/library $(BIN)/python tests/arena/campaigns/interrupts.py

## signatures: estimates, intervals, verdicts, false selections and discoveries where the truth is known (some hours)
signatures: $(VENV)/dev
	$(BIN)/python tests/arena/campaigns/signatures.py
	$(BIN)/python tests/arena/campaigns/signatures.py --tables 100 --verdicts --repeats 1
	$(BIN)/python tests/arena/campaigns/signatures.py --tables 100 --verdicts --others
	$(BIN)/python tests/arena/campaigns/repeated_rows.py
	$(BIN)/python tests/arena/campaigns/repeated_rows.py --clean
	$(BIN)/python tests/arena/campaigns/false_selections.py
	$(BIN)/python tests/arena/campaigns/false_selections.py --unlike --tables 30
	$(BIN)/python tests/arena/campaigns/false_discoveries.py
	$(BIN)/python tests/arena/campaigns/signatures.py --others
	$(BIN)/python tests/arena/campaigns/signatures.py --edges
	$(BIN)/python tests/arena/campaigns/signatures.py --tables 100 --verdicts --small --method hsic
	$(BIN)/python tests/arena/campaigns/signatures.py --spread --method hsic
	$(BIN)/python tests/arena/campaigns/measured_signatures.py --tables 200 --seed 41 --fresh --method univariate-tests
	$(BIN)/python tests/arena/campaigns/measured_signatures.py --tables 200 --seed 41 --fresh --survival \
	  --method univariate-tests
	$(BIN)/python tests/arena/campaigns/measured_signatures.py --seed 1 --tables 100 --verdicts --method univariate-tests \
	  --repeats 1
	$(BIN)/python tests/arena/campaigns/measured_signatures.py --seed 1 --tables 100 --verdicts --survival \
	  --method univariate-tests --repeats 1
	$(BIN)/python tests/arena/campaigns/probability_intervals.py --tables 2000
	$(BIN)/python tests/arena/campaigns/signature_probabilities.py --tables 200 --first 20000 --unseen --method hsic
	$(BIN)/python tests/arena/campaigns/signature_probabilities.py --tables 200 --first 40000 --unseen
	$(BIN)/python tests/arena/campaigns/row_plans.py find --seed 100
	$(BIN)/python tests/arena/campaigns/row_plans.py width --seed 81
	$(BIN)/python tests/arena/campaigns/row_plans.py rate --seed 70
	$(BIN)/python tests/arena/campaigns/signature_probabilities.py --tables 50 --first 30000 --parts --method hsic

## noise: splits of noise, drawn studies of ten shapes and 200 studies of exchangeable methods: nothing rejects too often (2 hours)
noise: $(VENV)/dev
	$(BIN)/python tests/arena/campaigns/noise_resamplings.py
	$(BIN)/python tests/arena/campaigns/noise_studies.py

## container: the shell lines of the README where one folder only can be written to
container: $(VENV)/dev
	$(BIN)/python tests/arena/campaigns/container.py

$(VENV)/python:
	bash .ci/make-venv $(VENV)
	touch $@

$(VENV)/core: $(VENV)/python pyproject.toml $(CONSTRAINTS)
	$(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) --editable '.[report,files]'
	touch $@

# adelie asks for numpy < 2 and IPython, and does with numpy 2 and without IPython; dcurves for lifelines, which
# asks for pandas < 3 and is for times to an event only
$(VENV)/dev: $(VENV)/python pyproject.toml $(CONSTRAINTS) .ci/install-system
	bash .ci/install-system $(BIN)/python & system=$$!; \
	  $(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) --editable '.[report,files]' && wait $$system
	$(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --no-deps --only-binary :all: --constraint $(CONSTRAINTS) \
	  adelie || echo "no adelie for this Python: its tests are skipped"
	$(BIN)/python -m pip install --quiet --no-deps --constraint $(CONSTRAINTS) dcurves \
	  || echo "no dcurves for this Python: its tests are skipped"
	touch $@ $(VENV)/core

$(VENV)/site: $(VENV)/core .ci/install-system
	bash .ci/install-system $(BIN)/python
	$(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) --editable '.[site]'
	touch $@

# what the methods need of numba, so that no first ranking waits for it; what is there stays
$(VENV)/code: $(SOURCES) | $(VENV)/core
	$(BIN)/python -m hetsel.compile_ahead
	touch $@

# machine code for this Python and numba, x86-64-v4 and -v3
.build/machine_code/done: $(SOURCES) pyproject.toml $(CONSTRAINTS) | $(VENV)/core
	$(BIN)/python -m hetsel.compile_ahead .build/machine_code
	touch $@

## wheel: a wheel in dist/ with machine code for this Python and numba, x86-64-v4 and -v3
wheel: .build/machine_code/done
	HETSEL_MACHINE_CODE=$(CURDIR)/.build/machine_code $(BIN)/python -m pip wheel --no-deps --wheel-dir dist .

## vignettes: the documents vignettes/*.Rmd as pages in .build/vignettes, each in minutes
vignettes: $(DOCUMENTS)

.build/vignettes/%.html: vignettes/%.Rmd vignettes/setup.R $(wildcard vignettes/*.jsonl) .build/library/hetsel
	R_LIBS=$(CURDIR)/.build/library Rscript .ci/render-vignettes $<

.build/library/hetsel: $(SOURCES) $(R_SOURCES) | $(VENV)/dev $(VENV)/code
	bash .ci/apt-install r-cran-rmarkdown r-cran-knitr pandoc
	mkdir -p .build/library
	R CMD INSTALL --no-docs -l .build/library r_bridge/hetsel
	touch $@

## r-package: the R package in dist/, which carries the wheel with its machine code, and those documents that
## `make vignettes` has rendered
r-package: .build/machine_code/done
	command -v R >/dev/null || bash .ci/apt-install r-base-core
	bash .ci/stage-r-package .build/r-package
	bash .ci/wheel-for-r .build/r-package $(CURDIR)/.build/machine_code
	mkdir -p dist
	cd dist && R CMD build ../.build/r-package

## site: one static site in .build/site: pages with examples that are run, documents, references
site: $(VENV)/site $(VENV)/code
	bash .ci/apt-install r-cran-knitr
	$(BIN)/python vignettes/site/build.py .build/site

## options: what derives from hetsel/questions: options and manual texts of R, docstrings
options: $(VENV)/dev
	$(BIN)/python .ci/derive_options.py
	Rscript --vanilla -e 'roxygen2::roxygenise("r_bridge/hetsel")'

## figures: the pictures of the README, in a minute
figures: $(VENV)/dev $(VENV)/code
	$(BIN)/python vignettes/site/front_figure.py vignettes/site/_static

.build/validators/done: .ci/validators.txt | $(VENV)/python
	$(BIN)/python -m venv --clear .build/validators
	.build/validators/bin/python -m pip install --quiet --no-deps --requirement .ci/validators.txt
	touch $@

## sdist: the source archive in dist/
sdist: .build/validators/done
	.build/validators/bin/python -m build --sdist --outdir dist .

## validate: what hosts and indexes read, against their schemas: workflows, forms, citation, metadata, archives
validate: .build/validators/done
	bash .ci/validate .build/validators/bin

## version: VERSION=0.2.0 in every file that names the version
version:
	python3 .ci/set_version.py $(VERSION)

## lock: write the versions of this environment down, for the two commands to repeat
lock:
	$(BIN)/python -m pip freeze --exclude-editable --exclude pip --exclude setuptools > $(CONSTRAINTS)

clean:
	rm -rf $(VENV) .build .pytest_cache .mypy_cache .ruff_cache *.egg-info
