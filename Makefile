# Warpsieve: the commands. `make` lists them.
#   BLOCK=name              narrows build, test, lint, synth, fpga, energy, formal, mutate, coverage, regress, sanitize to a
#                           block; layout: a block or a module
#   POINT=name              narrows lint, synth and layout to a line of its points.txt
#   LIBERTY=file CELLS=json another library for synth (LIBERTY="a.lib b.lib": one library in several files)
#   FAST=1                  synth: also mapped for a clock of 45 FO4
#   PREFIX=dir              where install puts things (default: /usr/local; DESTDIR as usual)
#   SINCE=commit            narrows tidy to what differs from it
#   SECONDS=n READER=name   fuzz: of each reader (default: 60), one alone
#   SANITIZE=thread         sanitize: ThreadSanitizer instead of AddressSanitizer
#   JOBS=n                  processes at a time (default: all processors)
BLOCK   ?=
POINT   ?=
LIBERTY ?=
CELLS   ?=
BUILD   ?= build
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

ONLY := $(if $(BLOCK),--block $(BLOCK))
SELECT := $(if $(BLOCK),--block $(BLOCK)) $(if $(POINT),--point $(POINT))

SECONDS ?= 60
SANITIZE ?=
SINCE   ?=
READER  ?=

# Recipes quote folders, which may have blanks in their names; $(abspath) would take such a name for several.
BUILD_PATH = "$$(realpath -m -- "$(BUILD)")"

.DEFAULT_GOAL := help
.PHONY: help bootstrap build quick run install package test icarus lint tidy synth fpga layout energy formal mutate coverage table regress regress-schemes regress-threads slurm report-bundle wavedrom manual fuzz sanitize clean

help:  ## this list
	@echo "Targets (BLOCK= narrows test to regress, POINT= lint, synth and layout; LIBERTY= CELLS= for synth; JOBS=):"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap:  ## install the Debian packages that are missing (group core)
	@scripts/bootstrap core

build: bootstrap  ## everything, tests included (with BLOCK=, that block's test program)
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING
	@cmake --build "$(BUILD)" -j $(JOBS) $(if $(BLOCK),--target test_rtl_$(BLOCK))

quick: bootstrap  ## first result: the simulator with models only (no RTL, no tests), and the README's first example
	@scripts/run_main --build "$(BUILD)" --jobs $(JOBS) --quick

run: bootstrap  ## the main job: build, lint, synthesis, proof, co-simulation, one summary
	@scripts/run_main --build "$(BUILD)" --jobs $(JOBS)

install: bootstrap  ## program, man page, completion, models with a CMake package, RTL with file lists, into PREFIX
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING
	@cmake --build "$(BUILD)" -j $(JOBS) --target installable
	@cmake --install "$(BUILD)" --prefix "$(PREFIX)" > "$(BUILD)/install.log" && echo "installed into $(PREFIX)"

package: bootstrap  ## a Debian package of what `make install` installs, in $(BUILD)
	@scripts/bootstrap package
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING
	@cmake --build "$(BUILD)" -j $(JOBS) --target installable
	@cd "$(BUILD)" && cpack --config CPackConfig.cmake > package.log || { cat package.log >&2; exit 1; }
	@ls "$(BUILD)"/warpsieve_*.deb

test: build  ## the default test suite
	@cd "$(BUILD)" && ctest --output-on-failure -j $(JOBS) $(if $(BLOCK),-R '^rtl/$(BLOCK)/')

icarus: build  ## the RTL on Icarus Verilog with four-state values: every point elaborates, the tests' waveforms replayed
	@scripts/icarus --build "$(BUILD)" $(ONLY) --jobs $(JOBS)

lint: bootstrap  ## Verilator -Wall and Yosys at every point of every block, layering, decision codes, texts, style
	@scripts/bootstrap lint
	@scripts/lint $(SELECT) --jobs $(JOBS)

# clang-tidy takes minutes of every processor: lint looks only at what differs from the main branch.
tidy: bootstrap  ## clang-tidy over sim_cpp (SINCE=commit: what differs from it), needs the verilated models' headers
	@scripts/bootstrap tidy
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING && $(RTL_READY)
	@cmake -S . -B "$(BUILD)/tidy" -G Ninja --log-level=WARNING -DWARPSIEVE_UNITY=OFF -DWARPSIEVE_RTL_FROM=$(BUILD_PATH)
	@scripts/tidy --build "$(BUILD)/tidy" --jobs $(JOBS) $(if $(SINCE),--since $(SINCE))

synth: bootstrap  ## gates, critical path and clock of every point, drift against the baseline; FAST=1: also mapped for 45 FO4
	@scripts/synth $(SELECT) --jobs $(JOBS) $(if $(FAST),--fast) $(foreach file,$(LIBERTY),--liberty $(file)) $(if $(CELLS),--cells "$(CELLS)")

fpga: bootstrap  ## LUTs, flip-flops and RAM blocks on iCE40 (with MHz), ECP5 and Xilinx, recorded in synth/fpga
	@scripts/bootstrap fpga
	@scripts/fpga $(ONLY) --record

layout: bootstrap  ## placed and routed in OSU 0.18 um cells: area, wires, longest path, a picture, recorded in synth/layout
	@scripts/bootstrap layout
	@scripts/layout $(SELECT) --record

energy: build  ## pJ per event of every block from toggles of its netlist, recorded in synth/energy
	@scripts/energy --build "$(BUILD)" $(ONLY) --jobs $(JOBS) --record

formal: bootstrap  ## every proof, cover and planted bug
	@scripts/formal $(ONLY) --jobs $(JOBS)

# A finished build lends mutate and coverage the verilated models that they do not measure.
MODELS = $(if $(shell test -f "$(BUILD)/build.ninja" && echo yes),--models "$(BUILD)")

mutate: bootstrap  ## faults in the RTL of every block against its tests (200 of gates, others by hand), recorded in tb/mutation
	@scripts/mutate $(ONLY) --jobs $(JOBS) $(MODELS) --record
	@scripts/mutate --semantic $(ONLY) --jobs $(JOBS) $(MODELS) --record

coverage: bootstrap  ## lines, toggles and cover points that the tests of every block reach, recorded in tb/coverage
	@scripts/coverage $(ONLY) --jobs $(JOBS) $(MODELS) --record

table:  ## refresh the table of rtl/README.md and the picture of README.md from the committed results
	@scripts/picture
	@scripts/table

regress: lint formal build  ## all of it in full, a million shadow transactions per block, every workload under every scheme
	@scripts/regress --build "$(BUILD)" $(ONLY) --jobs $(JOBS)
	@$(if $(BLOCK),,$(MAKE) --no-print-directory regress-schemes)
	@scripts/synth --check $(ONLY) --jobs $(JOBS)
	@scripts/energy --check

# Goes on where it was stopped; a change of the simulator's sources starts it anew.
# Runs of every workload side by side would hide what threads do: one after the other.
regress-threads: build  ## every workload of every suite with several threads, compared byte by byte with one (SCALE=, THREADS=)
	@scripts/regress_threads --build "$(BUILD)" $(if $(SCALE),--scale $(SCALE)) $(if $(THREADS),--threads $(THREADS))

regress-schemes: build  ## every workload under every scheme at quarter scale, and with every block in shadow at small scale
	@status=0; for file in sim_cpp/configs/regress/*.toml; do \
	  "$(BUILD)/warpsieve" sweep run $$file --output "$(BUILD)/regress/$$(basename $$file .toml).sweep" --jobs $(JOBS) || status=1; \
	  done; exit $$status

slurm:  ## a sweep on a Slurm of two nodes started here, with a task, a node and the merge killed
	@scripts/bootstrap slurm
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING
	@cmake --build "$(BUILD)" -j $(JOBS) --target warpsieve
	@WARPSIEVE_LONG=1 WARPSIEVE_BUILD=$(BUILD_PATH) python3 tb/flow/test_slurm.py

report-bundle:  ## the script of the report's page from its sources (needs npm: scripts/bootstrap docs)
	@scripts/report_bundle

manual: bootstrap  ## one HTML site with a search, of all READMEs, the manual page and the C++ headers, in $(BUILD)/manual/site
	@scripts/bootstrap docs
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING
	@cmake --build "$(BUILD)" -j $(JOBS) --target warpsieve
	@scripts/manual --build "$(BUILD)"

wavedrom:  ## render the waveforms of the READMEs (needs npm: scripts/bootstrap docs)
	@scripts/wavedrom

# The verilated models come from the normal build: generated code is not looked at.
RTL_READY = cmake --build "$(BUILD)" -j $(JOBS) --target verilated

fuzz: bootstrap  ## every reader under libFuzzer with sanitizers, SECONDS each (READER=name: one); needs clang
	@scripts/bootstrap fuzz
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING && $(RTL_READY)
	@cmake -S . -B "$(BUILD)/fuzz" -G Ninja --log-level=WARNING -DCMAKE_CXX_COMPILER=clang++ -DWARPSIEVE_FUZZ=ON \
	  -DWARPSIEVE_RTL_FROM=$(BUILD_PATH)
	@cmake --build "$(BUILD)/fuzz" -j $(JOBS) --target fuzz_targets
	@scripts/fuzz --build "$(BUILD)/fuzz" --seconds $(SECONDS) --jobs $(JOBS) $(if $(READER),--target $(READER))

# ThreadSanitizer looks at the tests of what runs on several threads.
SANITIZED = $(BUILD)/sanitize$(if $(SANITIZE),-$(SANITIZE))
sanitize: bootstrap  ## the test suite under AddressSanitizer and UndefinedBehaviorSanitizer; SANITIZE=thread: core and memory model under ThreadSanitizer
	@cmake -S . -B "$(BUILD)" -G Ninja --log-level=WARNING && $(RTL_READY)
	@cmake -S . -B "$(SANITIZED)" -G Ninja --log-level=WARNING -DWARPSIEVE_SANITIZE=ON \
	  $(if $(SANITIZE),-DWARPSIEVE_SANITIZERS=$(SANITIZE)) -DWARPSIEVE_RTL_FROM=$(BUILD_PATH)
	@cmake --build "$(SANITIZED)" -j $(JOBS) $(if $(SANITIZE),--target test_sim_core test_sim_memsys)
	@cd "$(SANITIZED)" && ctest --output-on-failure --no-tests=error -j $(JOBS) -E '^flow/|/icarus$$' \
	  $(if $(SANITIZE),-R '^sim/(core|memsys)/',$(if $(BLOCK),-R '^rtl/$(BLOCK)/'))

clean:  ## remove the build folder
	rm -rf -- "$(BUILD)"
