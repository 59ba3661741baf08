# Warpsieve: the commands. `make` lists them.
#   BLOCK=name POINT=name   narrow test, lint, formal, synth, mutate, coverage, regress
#   LIBERTY=file CELLS=json another library for synth (LIBERTY="a.lib b.lib": one library in several files)
#   JOBS=n                  processes at a time (default: all processors)
BLOCK   ?=
POINT   ?=
LIBERTY ?=
CELLS   ?=
BUILD   ?= build
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

ONLY := $(if $(BLOCK),--block $(BLOCK))
SELECT := $(if $(BLOCK),--block $(BLOCK)) $(if $(POINT),--point $(POINT))

.DEFAULT_GOAL := help
.PHONY: help bootstrap build run test lint synth formal mutate coverage table regress wavedrom clean

help:  ## this list
	@echo "Targets (BLOCK= narrows test to regress, POINT= lint and synth; LIBERTY= CELLS= for synth; JOBS=):"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap:  ## install the Debian packages that are missing (group core)
	@scripts/bootstrap core

build: bootstrap  ## everything, tests included (with BLOCK=, that block's test program)
	@cmake -S . -B $(BUILD) -G Ninja --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS) $(if $(BLOCK),--target test_rtl_$(BLOCK))

run: bootstrap  ## the main job: build, lint, synthesis, proof, co-simulation, one summary
	@scripts/run_main --build $(BUILD) --jobs $(JOBS)

test: build  ## the default test suite
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS) $(if $(BLOCK),-R '^rtl/$(BLOCK)/')

lint: bootstrap  ## Verilator -Wall and Yosys at every point of every block, layering
	@scripts/lint $(SELECT) --jobs $(JOBS)

synth: bootstrap  ## gates and critical path of every point, drift against the baseline
	@scripts/synth $(SELECT) --jobs $(JOBS) $(foreach file,$(LIBERTY),--liberty $(file)) $(if $(CELLS),--cells $(CELLS))

formal: bootstrap  ## every proof, cover and planted bug
	@scripts/formal $(ONLY) --jobs $(JOBS)

mutate: bootstrap  ## faults in the RTL of every block against its tests (200 per block), recorded in tb/mutation
	@scripts/mutate $(ONLY) --jobs $(JOBS) --record

coverage: bootstrap  ## lines, toggles and cover points that the tests of every block reach, recorded in tb/coverage
	@scripts/coverage $(ONLY) --jobs $(JOBS) --record

table:  ## refresh the table of rtl/README.md from the committed results
	@scripts/table

regress: lint formal build  ## all of it in full, a million shadow transactions per block; fails on drift from the baseline
	@scripts/regress --build $(BUILD) $(ONLY) --jobs $(JOBS)
	@scripts/synth --check $(ONLY) --jobs $(JOBS)

wavedrom:  ## render the waveforms of the READMEs (needs npm: scripts/bootstrap docs)
	@scripts/wavedrom

clean:  ## remove the build folder
	rm -rf -- "$(BUILD)"
