# ws_verilate_block(<block>): one static library per line of rtl/<block>/points.txt.
#
# A line of it (points.cmake) gives the library and class V<module>_<point> (header V<module>_<point>.h), made from
# rtl/<block>/<module>.f. The Verilator runtime is built once
# (target verilator_runtime) instead of once per model as CMake's verilate() would.

include(${CMAKE_CURRENT_LIST_DIR}/points.cmake)
find_program(VERILATOR verilator REQUIRED)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VERILATOR_ROOT
                OUTPUT_STRIP_TRAILING_WHITESPACE)
set(VERILATOR_INCLUDE ${VERILATOR_ROOT}/include)

# scripts/coverage builds with it: line, toggle and user (cover) points in the RTL, gcov counters in the blocks.
option(WARPSIEVE_COVERAGE "Count coverage of the RTL and of the C++ blocks" OFF)
set(vm_coverage 0)
if(WARPSIEVE_COVERAGE)
  set(vm_coverage 1)
endif()

# Models that have a clock_gate are verilated with its latch. The inputs of a cycle settle before its edge then.
option(WARPSIEVE_GATED_CLOCKS "Define WARPSIEVE_CLOCK_GATE for the verilated models" OFF)

# The verilated models of a finished build stand in for those that would be built here: all of them, runtime included,
# for `make sanitize` and `make fuzz`, which look at this project's own sources; those that are not measured for
# scripts/mutate and scripts/coverage, or have no gated clock.
set(WARPSIEVE_RTL_FROM "" CACHE PATH "Build folder whose verilated models are used")
function(ws_import_model block name)
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION ${WARPSIEVE_RTL_FROM}/rtl/lib${name}.a
    INTERFACE_INCLUDE_DIRECTORIES ${WARPSIEVE_RTL_FROM}/rtl/${block}/${name}
    INTERFACE_LINK_LIBRARIES verilator_runtime)
endfunction()
set(WARPSIEVE_MUTANTS "" CACHE STRING "Block whose mutated netlists (scripts/mutate) stand in for its sources")
if(WARPSIEVE_RTL_FROM AND NOT WARPSIEVE_MUTANTS AND NOT WARPSIEVE_COVERAGE AND NOT WARPSIEVE_GATED_CLOCKS)
  add_library(verilator_runtime STATIC IMPORTED GLOBAL)
  set_target_properties(verilator_runtime PROPERTIES
    IMPORTED_LOCATION ${WARPSIEVE_RTL_FROM}/rtl/libverilator_runtime.a
    INTERFACE_INCLUDE_DIRECTORIES "${VERILATOR_INCLUDE};${VERILATOR_INCLUDE}/vltstd"
    INTERFACE_COMPILE_DEFINITIONS "VL_USER_STOP;VM_TRACE=1;VM_TRACE_FST=1;VM_COVERAGE=0"
    INTERFACE_LINK_LIBRARIES "ZLIB::ZLIB;Threads::Threads")
  function(ws_verilate_block block)
    set(names)
    ws_point_lines(${PROJECT_SOURCE_DIR} ${block} lines)
    foreach(line IN LISTS lines)
      ws_split_point(${PROJECT_SOURCE_DIR} ${block} "${line}")
      ws_import_model(${block} V${module}_${point})
      list(APPEND names V${module}_${point})
    endforeach()
    add_library(rtl_${block} INTERFACE)
    target_link_libraries(rtl_${block} INTERFACE ${names})
  endfunction()
  return()
endif()

add_library(verilator_runtime STATIC
  ${VERILATOR_INCLUDE}/verilated.cpp ${VERILATOR_INCLUDE}/verilated_fst_c.cpp
  ${VERILATOR_INCLUDE}/verilated_threads.cpp ${VERILATOR_INCLUDE}/verilated_cov.cpp
  ${PROJECT_SOURCE_DIR}/sim_cpp/cosim/vl_stop.cpp)
target_include_directories(verilator_runtime SYSTEM PUBLIC ${VERILATOR_INCLUDE} ${VERILATOR_INCLUDE}/vltstd)
target_compile_definitions(verilator_runtime PUBLIC VL_USER_STOP VM_TRACE=1 VM_TRACE_FST=1 VM_COVERAGE=${vm_coverage})
target_compile_options(verilator_runtime PRIVATE -w)
if(WARPSIEVE_GATED_CLOCKS)
  target_compile_definitions(verilator_runtime PRIVATE WARPSIEVE_CLOCK_GATE)
endif()
target_link_libraries(verilator_runtime PUBLIC ZLIB::ZLIB Threads::Threads PRIVATE $<BUILD_INTERFACE:headers_cosim>)

# scripts/mutate builds one block's tests against sources that hold mutants: in the build folder, the netlist
# netlists/V<module>_<point>.sv or the files that netlists/V<module>_<point>.list names stand in for those of that class.
if(WARPSIEVE_MUTANTS)
  add_library(mutant_select STATIC ${PROJECT_SOURCE_DIR}/scripts/cmake/mutant_select.cpp)
endif()
if(WARPSIEVE_COVERAGE)
  add_library(coverage_sum STATIC ${PROJECT_SOURCE_DIR}/scripts/cmake/coverage_sum.cpp)
  target_link_libraries(coverage_sum PRIVATE verilator_runtime)
endif()

# g++ takes twice as long for a model at -O2 as at -O1. Only CMD's blocks get that time back: kmeans under `cmd` with RTL
# is a seventh slower at -O1; under `bpc`, `dpc` and `avc` the difference is within noise.
set(WARPSIEVE_FAST_MODULES dedup hash_store line_hasher metadata_cache)

function(ws_verilate_block block)
  add_library(rtl_${block} INTERFACE)  # everything of one block behind one name
  target_link_libraries(rtl_${block} INTERFACE verilator_runtime)  # also without models: it writes waveforms
  set(dir ${PROJECT_SOURCE_DIR}/rtl/${block})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dir}/points.txt)
  ws_point_lines(${PROJECT_SOURCE_DIR} ${block} lines)
  foreach(line IN LISTS lines)
    ws_split_point(${PROJECT_SOURCE_DIR} ${block} "${line}")
    set_property(GLOBAL APPEND PROPERTY WARPSIEVE_POINTS ${module}@${point})
    ws_point_verilated(${module} ${point} verilated)
    if(NOT verilated)
      continue()
    endif()
    list(TRANSFORM params PREPEND -G)
    set(name V${module}_${point})
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${block}/${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dir}/${module}.f)
    file(STRINGS ${dir}/${module}.f listed REGEX "^[a-z]")
    set(sources)
    foreach(file IN LISTS listed)
      list(APPEND sources ${PROJECT_SOURCE_DIR}/rtl/${file})
    endforeach()
    set(netlist ${PROJECT_BINARY_DIR}/netlists/${name}.sv)
    set(mutant_list ${PROJECT_BINARY_DIR}/netlists/${name}.list)
    set(environment)
    set(mutated OFF)
    if(block STREQUAL WARPSIEVE_MUTANTS AND (EXISTS ${netlist} OR EXISTS ${mutant_list}))
      set(mutated ON)
    endif()
    set(gated OFF)
    if(WARPSIEVE_GATED_CLOCKS AND "common/clock_gate.sv" IN_LIST listed)
      set(gated ON)
      list(APPEND params +define+WARPSIEVE_CLOCK_GATE)
    endif()
    if(WARPSIEVE_RTL_FROM AND NOT mutated AND NOT gated AND NOT (WARPSIEVE_COVERAGE AND WARPSIEVE_TEST STREQUAL "rtl/${block}"))
      ws_import_model(${block} ${name})
      target_link_libraries(rtl_${block} INTERFACE ${name})
      continue()
    endif()
    if(mutated)
      if(EXISTS ${mutant_list})
        file(STRINGS ${mutant_list} sources)
      else()
        set(sources ${netlist})
        set(params)
      endif()
      set(environment ${CMAKE_COMMAND} -E env "WS_VERILATOR_EXTRA=-Wno-fatal -Wno-lint -Wno-style")
    endif()
    if(WARPSIEVE_COVERAGE)
      configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/coverage_final.sv.in ${out}.final.sv @ONLY)
      list(APPEND sources ${out}.final.sv)
      set(environment ${CMAKE_COMMAND} -E env
          "WS_VERILATOR_EXTRA=--coverage-line --coverage-toggle --coverage-user --coverage-max-width 64 -Wno-fatal -Wno-DECLFILENAME")
    endif()
    add_custom_command(
      OUTPUT ${out}/${name}__ALL.cpp ${out}/${name}.h
      COMMAND ${environment} ${PROJECT_SOURCE_DIR}/scripts/verilate ${VERILATOR} ${out} ${name} ${module} ${params} -- ${sources}
      DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/scripts/verilate
      COMMENT "Verilating ${block}/${module} at ${point}" VERBATIM)
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${out}/${name}__ALL.cpp)
    target_include_directories(${name} SYSTEM PUBLIC $<BUILD_INTERFACE:${out}>)
    set(level -O1)
    if(module IN_LIST WARPSIEVE_FAST_MODULES AND NOT WARPSIEVE_COVERAGE)
      set(level -O2)
    endif()
    target_compile_options(${name} PRIVATE -w ${level})
    target_link_libraries(${name} PUBLIC verilator_runtime)
    if(WARPSIEVE_COVERAGE)
      target_link_libraries(${name} PUBLIC coverage_sum)
    elseif(environment)
      target_link_libraries(${name} PUBLIC mutant_select)
    endif()
    set_property(GLOBAL APPEND PROPERTY WARPSIEVE_VERILATED ${name})
    target_link_libraries(rtl_${block} INTERFACE ${name})
  endforeach()
endfunction()
