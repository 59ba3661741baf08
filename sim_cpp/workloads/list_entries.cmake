# cmake -DOUTPUT=FILE -P list_entries.cmake FILE.cpp...: writes a source file that calls every function
# `WorkloadEntry NAME_entry()` the files define, so that no list of workloads is kept by hand.
set(declarations "")
set(calls "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(NOT "${CMAKE_ARGV${i}}" MATCHES "^[^-].*\\.cpp$")
    continue()
  endif()
  file(STRINGS "${CMAKE_ARGV${i}}" found REGEX "^WorkloadEntry [a-z0-9_]+_entry\\(\\)")
  foreach(line IN LISTS found)
    string(REGEX REPLACE "^WorkloadEntry ([a-z0-9_]+)\\(\\).*" "\\1" name "${line}")
    string(APPEND declarations "WorkloadEntry ${name}();\n")
    string(APPEND calls "          ${name}(),\n")
  endforeach()
endforeach()
file(WRITE "${OUTPUT}" "// Generated from the workload files.
#include \"workloads/registry.h\"

namespace warpsieve::workloads {
${declarations}
std::vector<WorkloadEntry> all_entries() {
  return {
${calls}  };
}
}  // namespace warpsieve::workloads
")
