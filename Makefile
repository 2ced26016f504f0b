# `make help` lists the targets. Each target first installs missing Debian packages.

SHELL := /bin/bash
export SWIFT_FLAGS ?=
DEBUG_BIN := .build/debug/pipeline
RELEASE_BIN := .build/release/pipeline
# Libraries that Debian ships as archives are linked in, so that the program depends only on glibc.
ARCHIVES := .build/archives
RELEASE_FLAGS := -c release --static-swift-stdlib $(if $(filter Linux,$(shell uname)),-Xswiftc -L$(ARCHIVES))
PREFIX ?= /usr/local
COMMA := ,
DEMO_OPTIONS ?= --demo --demo-latency 300ms

.PHONY: help deps build release install demo test check proofs explore pooler embedding torture swarm planted mutants transcripts iofaults hostile scale-out workers failover servers servers-light servers-large comparison assumed view editors sarif fuzz bench format lint docs site generated clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install missing Debian packages (as root, or with sudo)
	@bash .ci/install-dependencies

build: deps ## Build everything for development
	@swift build --build-tests $(SWIFT_FLAGS)

release: deps ## Build the release program, which depends only on glibc
	@mkdir -p $(ARCHIVES)
	@for library in yaml sqlite3 z stdc++; do \
		archive=$$(cc -print-file-name=lib$$library.a 2> /dev/null); [ ! -f "$$archive" ] || ln -sf "$$archive" $(ARCHIVES)/; done
	@# What the linker asks libgcc_s for is in this archive too.
	@archive=$$(cc -print-file-name=libgcc_eh.a 2> /dev/null); [ ! -f "$$archive" ] || ln -sf "$$archive" $(ARCHIVES)/libgcc_s.a
	@swift build $(RELEASE_FLAGS) --product pipeline $(SWIFT_FLAGS)
	@echo "built $(RELEASE_BIN)"

install: release ## Install the program and its shell completions below PREFIX (default /usr/local)
	@install -D -s -m 755 $(RELEASE_BIN) $(DESTDIR)$(PREFIX)/bin/pipeline
	@mkdir -p $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	@$(RELEASE_BIN) --generate-completion-script bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/pipeline
	@$(RELEASE_BIN) --generate-completion-script zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_pipeline
	@$(RELEASE_BIN) --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/pipeline.fish
	@echo "installed $(DESTDIR)$(PREFIX)/bin/pipeline"

demo: deps ## Build, then upload the sample photos to the embedded server
	@swift build --product pipeline $(SWIFT_FLAGS)
	$(DEBUG_BIN) run Pipelines/photos.yaml $(DEMO_OPTIONS)
	$(DEBUG_BIN) history 0/0

# Suites that wait for sockets or processes have real time limits, so they do not run together with those that compute.
WAITING := PipelineHTTPTests|DemoServerTests|PipelineEngineTests|CommandTests

# Suites that look at what a process does meanwhile, so that others must not keep it from doing it.
LIVELY := DetachTests|WatchTests|CommandPageTests|ProgressTests|ControlTests|KeptRunsTests|ExpiryTests|GivingUpTests|RerunTests|CredentialTests

# Suites that start so many processes that others would be late.
BUSY := WaitTests|PrintedExampleTests

# Suites with random inputs; `make fuzz` gives each its share of the time.
FUZZ := RobustnessTests|SlowInputTests|GeneratedExpressionTests|AnswerFuzzTests|MultipartReaderTests|DamagedRowsTests

run-tests = Tests/run $(1)

# Each part reports its duration at the end, even if it failed.
TIMES := .build/test-times.txt
part = @begin=$$SECONDS; ( $(2) ); status=$$?; \
	printf '%7d s   %s%s\n' $$((SECONDS - begin)) $(1) "$$([ $$status -eq 0 ] || echo '   (failed)')" >> $(TIMES); \
	[ $$status -eq 0 ] || { echo; cat $(TIMES); exit $$status; }
# A harness ends with 2 where it cannot run.
where-possible = $(1) || { [ $$? -eq 2 ] && echo "not tried here: $(2)"; }

ifdef ONLY
# The test target with the suite, which is planned alone: that compiles and links in seconds.
SUITE := $(firstword $(subst ., ,$(ONLY)))
SUITE_TARGET := $(shell grep -rlE "(struct|class|enum) $(SUITE)\b" Tests --include=*.swift | head -1 | grep -oE '[A-Za-z]+Tests/' | head -1 | tr -d /)

test: deps
	@PIPELINE_ONLY=$(notdir $(or $(wildcard Tests/$(SUITE) Tests/*/$(SUITE)),$(SUITE_TARGET))) swift build --build-tests $(SWIFT_FLAGS)
	@Tests/run --filter '$(ONLY)'
else
test: build ## Build and run all tests with the short form of each proof, or only the suite ONLY
	@: > $(TIMES)
	$(call part,computing,$(call run-tests,--skip '$(WAITING)'))
	$(call part,AnswerFuzzTests,$(call run-tests,--filter AnswerFuzzTests))
	$(call part,waiting,$(call run-tests,--filter 'PipelineHTTPTests|DemoServerTests|PipelineEngineTests' --skip AnswerFuzzTests))
	$(call part,CommandTests,$(call run-tests,--filter CommandTests --skip '$(LIVELY)|$(BUSY)|OutputSchemaTests'))
	$(call part,output,$(call run-tests,--filter OutputSchemaTests))
	$(call part,busy,$(call run-tests,--filter '$(BUSY)'))
	$(call part,lively,$(call run-tests,--filter '$(LIVELY)'))
	$(call part,database,$(call where-possible,Tests/Servers/postgresql Tests/database,database))
	$(call part,swarm,.build/debug/pipeline-swarm --seeds 100)
	$(call part,iofaults,$(call where-possible,Tests/Faults/iofaults --stride 80 --modes kill$(COMMA)once,disk faults))
	$(call part,hostile,Tests/Hostile/hostile --rounds 1000 --time 15)
	@echo; cat $(TIMES); awk '{ sum += $$1 } END { printf "%7d s   all\n", sum }' $(TIMES)
endif

# Suites that verify or simulate many whole pipelines, which is a third of the time of all that only compute.
WHOLE := SwarmTests|CertificateTests|CrashVerifierTests|CatalogueTests|StoriesTests

check: lint ## Check the format, and run the suites that only compute on parts; they are already built
	@Tests/run --skip '$(WAITING)|$(WHOLE)'

# The long proofs, each a target of its own; `make test` has a short form of each.
# `make -n` runs each line that names $(MAKE) itself.
MAKE_PROGRAM := $(MAKE)

PROOFS := explore fuzz swarm planted mutants torture iofaults hostile pooler workers failover scale-out embedding \
	servers servers-large comparison assumed view editors sarif

proofs: ## Run all long proofs, which takes a day, and print the duration of each
	@: > .build/proof-times.txt; failed=0; for proof in $(PROOFS); do \
		begin=$$SECONDS; $(MAKE_PROGRAM) $$proof SEEDS=20000 SWARM_CONFIGURATION=release; status=$$?; [ $$status -eq 0 ] || failed=1; \
		printf '%7d s   %s%s\n' $$((SECONDS - begin)) $$proof "$$([ $$status -eq 0 ] || echo '   (failed)')" >> .build/proof-times.txt; \
	done; echo; cat .build/proof-times.txt; exit $$failed

explore: build ## Visit every state that small pipelines reach, walk at random, and give each drawn input its full number
	@EXPLORE=wide TESTS_LIMIT=1h Tests/run --filter 'ExplorationTests|RandomWalkTests|WideWalkTests'
	@EXPLORE=full FUZZ=full TESTS_LIMIT=10h Tests/run --filter 'ExplorationTests|RandomWalkTests|WideWalkTests|TranscriptTests|$(FUZZ)|SoundnessTests|SingleEditTests|CatalogueTests|WholeFilesTests|WithoutExamplesTests|CertificateTests|UndoneTests|CrashVerifierTests|TurnServerTests|PartsServerTests|PollServerTests|BoundsTests|SwarmTests|CrossCheckTests|ParserTests|MutationTests|PlaceTableTests|PrefixTests'

pooler: build ## Run the suites of the database through PgBouncer
	@Tests/Servers/postgresql --pooled Tests/run --filter 'PostgreSQLConformanceTests|LeaseTests|LoadingTests|LeadDatabaseTests'

embedding: ## Build and run the example that embeds the engine, which resolves no package that it does not need
	@Tests/embedding

torture: build ## Kill a run of 300 files at 50 or more seeded times, and check the server's journal
	@TORTURE=full Tests/run --filter CrashTests

# Two thousand seeds take a minute or two in a debug build; a release build is ten times as fast, once it is built.
SEEDS ?= 2000
FROM ?= 1
SWARM_CONFIGURATION ?= debug

swarm: deps ## Run SEEDS seeds of faults against the engine and against workers on shards, starting with seed FROM, and print the figures
	@swift build -c $(SWARM_CONFIGURATION) --product pipeline-swarm $(SWIFT_FLAGS)
	@.build/$(SWARM_CONFIGURATION)/pipeline-swarm --seeds $(SEEDS) --from $(FROM)
	@.build/$(SWARM_CONFIGURATION)/pipeline-swarm --shards --seeds $(SEEDS) --from $(FROM)

planted: build ## Plant bugs in the engine, one at a time, and in journals, and search for what finds each (changes sources, then restores them)
	@Tests/Hostile/hostile --plant --rounds 5
	@Tests/Swarm/planted --release

mutants: deps ## Mutate the machine in all places, or in COUNT, one at a time, and check whether its tests notice
	@Tests/Mutants/mutants $(if $(COUNT),--count $(COUNT)) $(MUTANTS)

transcripts: deps ## Print side by side where the recorded walks of the machine at commit FROM and at TO, or as it is now, differ
	@Tests/transcripts $(if $(filter-out 1,$(FROM)),$(FROM),HEAD) $(TO)

iofaults: build ## Fail, delay or kill the program at each call that makes its store durable (needs strace)
	@Tests/Faults/iofaults $(IOFAULTS)

ROUNDS ?= 100

hostile: build ## Run ROUNDS rounds, starting with FROM, against a server that lies, killing both sides, and check its journal
	@Tests/Hostile/hostile --rounds $(ROUNDS) --from $(FROM) $(HOSTILE)

scale-out: build ## Run a pipeline in shards as a Slurm job array, with killed tasks (needs root and Debian)
	@Tests/ScaleOut/slurm

WORKERS ?=

workers: build ## Kill, stop and cut off workers on one run in PostgreSQL, add bad machines, and check the server's journal; WORKERS='--files 20000' and others
	@Tests/Servers/postgresql Tests/ScaleOut/workers $(WORKERS)
	@Tests/Servers/postgresql Tests/ScaleOut/workers --files 600 --workers 6 --shards 24 --blows 60 --sever --body-rate 1kB
	@Tests/Servers/postgresql Tests/ScaleOut/workers --files 600 --workers 3 --shards 24 --blows 0 --bad

failover: build ## Kill and cut off the primary of a PostgreSQL cluster under load (needs root and Debian)
	@Tests/ScaleOut/failover $(FAILOVER)

servers: release ## Run the catalogue against servers that others wrote, with kills (installs them); SERVERS=--light takes a few minutes, SERVERS=--faults has a bad network instead of kills
	@for one in tus gcs oci oci_image webdav lfs s3 s3_presigned mirror device_oauth oauth_assertions nightly refusals refusals_each; do Tests/Servers/$$one.py $(SERVERS) || exit 1; done

# What CI runs: the servers that take the least time, with the program that the tests use. It is slower to store a response, and so
# is a busy machine: whether the files are whole is checked all the same.
servers-light: build ## Run a part of the catalogue against light servers that others wrote, with kills (installs them)
	@for one in tus oci webdav s3; do SERVERS_SOON=2 Tests/Servers/$$one.py --light --pipeline $(DEBUG_BIN) || exit 1; done

servers-large: release ## Send 1 GiB to those servers that take it in pieces, and kill the program five times
	@for one in tus gcs s3; do \
		Tests/Servers/$$one.py --files 1 --large 1073741824 --kills 5 --pause 1 --no-restart || exit 1; done

comparison: build ## Run each command of docs/comparison.md
	@Tests/Comparison/check --pipeline $(DEBUG_BIN)

assumed: build ## Verify each file of the catalogue, and compare the table of assumptions in docs/catalogue.md
	@Tests/Catalogue/assumed.py --pipeline $(DEBUG_BIN)

view: build ## Use the page of runs in Chromium, with faults, kills and axe-core (needs chromium); VIEW='--images docs/images' writes screenshots
	@Tests/View/page $(VIEW)

editors: build ## Run the language server in VS Code's interface, Neovim and Emacs, as docs/editors/README.md says (installs them)
	@bash .ci/install-dependencies editors
	@Tests/Editors/run --pipeline $(DEBUG_BIN) --require-all

sarif: build ## Read the findings in SARIF with programs that others wrote (installs them)
	@Tests/SARIF/check --pipeline $(DEBUG_BIN)

FUZZ_SECONDS ?= 600
SEED ?= $(shell date +%s)

fuzz: build ## Read random documents, expressions, schemas, responses and stores for FUZZ_SECONDS, starting with SEED, and print the figures
	@echo "fuzz: $(FUZZ_SECONDS) s, starting with SEED=$(SEED)"
	@set -o pipefail; FUZZ_SECONDS=$(FUZZ_SECONDS) SEED=$(SEED) Tests/run --no-parallel \
		--filter '$(FUZZ)' 2>&1 | tee .build/fuzz.log | grep -E '^fuzz:|recorded an issue|Fatal error|crashed' ; status=$$?; \
		tail -1 .build/fuzz.log; exit $$status

bench: release ## Print the figures of docs/benchmarks.md
	@swift build $(RELEASE_FLAGS) --product pipeline-benchmarks $(SWIFT_FLAGS)
	@bash Tests/Benchmarks/run

format: ## Format all Swift files in place
	@swift format --in-place --recursive --parallel Sources Plugins Tests Package.swift

lint: ## Check the format of all Swift files
	@swift format lint --strict --recursive --parallel Sources Plugins Tests Package.swift

docs: deps ## Write docs/checks.md, the page of each check
	@swift build --product pipeline $(SWIFT_FLAGS)
	@.ci/checks-page $(DEBUG_BIN)

site: deps ## Build the site of docs/ in .build/site, with a page for each command, key and check
	@bash .ci/install-dependencies site
	@swift build --product pipeline $(SWIFT_FLAGS)
	@[ -x .build/mkdocs/bin/mkdocs ] || { python3 -m venv .build/mkdocs && .build/mkdocs/bin/pip install -q mkdocs-material; }
	@NO_MKDOCS_2_WARNING=1 .build/mkdocs/bin/mkdocs build --quiet --strict --config-file .ci/mkdocs.yml

# The suites that compare files with what the code makes; TranscriptTests and WideWalkTests keep their files in KeptWalks.swift.
GENERATORS = $(shell grep -rlE '"UPDATE_(GENERATED|FIXTURES)"' Tests --include='*Tests.swift' | sed -E 's|.*/||; s|\.swift||' | sort | tr '\n' '|')TranscriptTests|WideWalkTests

generated: build ## Regenerate files (schema, fixtures, reference pages)
	@UPDATE_GENERATED=1 UPDATE_FIXTURES=1 EXPLORE=wide Tests/run --filter '$(GENERATORS)'

clean: ## Remove build products
	@rm -rf .build
