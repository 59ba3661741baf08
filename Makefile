# Warpsieve: the commands. `make` lists them.
#   BLOCK=name POINT=name   narrow lint, synth, formal and mutate (POINT not formal)
#   LIBERTY=file CELLS=json another library for synth
#   JOBS=n                  processes at a time (default: all processors)
BLOCK   ?=
POINT   ?=
LIBERTY ?=
CELLS   ?=
BUILD   ?= build
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

SELECT := $(if $(BLOCK),--block $(BLOCK)) $(if $(POINT),--point $(POINT))

.DEFAULT_GOAL := help
.PHONY: help bootstrap build run test lint synth formal mutate table regress clean

help:  ## this list
	@echo "Targets (BLOCK= POINT= narrow lint, synth, formal; LIBERTY= CELLS= for synth; JOBS=):"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap:  ## install the Debian packages that are missing (group core)
	@scripts/bootstrap core

build: bootstrap  ## everything, tests included
	@cmake -S . -B $(BUILD) -G Ninja --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS)

run: bootstrap  ## the main job: build, lint, synthesis, proof, co-simulation, one summary
	@scripts/run_main --build $(BUILD) --jobs $(JOBS)

test: build  ## the default test suite
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

lint: bootstrap  ## Verilator -Wall and Yosys at every point of every block, layering
	@scripts/lint $(SELECT) --jobs $(JOBS)

synth: bootstrap  ## gates and critical path of every point, drift against the baseline
	@scripts/synth $(SELECT) --jobs $(JOBS) $(if $(LIBERTY),--liberty $(LIBERTY)) $(if $(CELLS),--cells $(CELLS))

formal: bootstrap  ## every proof, cover and planted bug
	@scripts/formal $(if $(BLOCK),--block $(BLOCK)) --jobs $(JOBS)

mutate: bootstrap  ## faults in the RTL of every block against its tests (200 per block), recorded in tb/mutation
	@scripts/mutate $(if $(BLOCK),--block $(BLOCK)) --jobs $(JOBS) --record

table:  ## refresh the table of rtl/README.md from the committed results
	@scripts/table

regress: lint formal build  ## all of it in full, long tests too; fails on drift from the synthesis baseline
	@cd $(BUILD) && WARPSIEVE_LONG=1 ctest --output-on-failure -j $(JOBS)
	@scripts/synth --check --jobs $(JOBS)

clean:  ## remove the build folder
	rm -rf -- "$(BUILD)"
