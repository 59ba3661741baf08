# cmake -DOUTPUT=FILE -P list_families.cmake FILE.cpp...: writes a source file that names every function
# `std::unique_ptr<SchemeFamily> NAME_family()` the files define, so that no list of schemes is kept by hand.
set(names "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(NOT "${CMAKE_ARGV${i}}" MATCHES "^[^-].*\\.cpp$")
    continue()
  endif()
  file(STRINGS "${CMAKE_ARGV${i}}" found REGEX "^std::unique_ptr<SchemeFamily> [a-z0-9_]+_family\\(\\) {")
  foreach(line IN LISTS found)
    string(REGEX REPLACE "^[^ ]+ ([a-z0-9_]+)\\(\\).*" "\\1" name "${line}")
    list(APPEND names ${name})
  endforeach()
endforeach()
list(SORT names)
# The machine without additions comes first.
list(REMOVE_ITEM names baseline_family)
list(PREPEND names baseline_family)
set(declarations "")
set(makers "")
foreach(name IN LISTS names)
  string(APPEND declarations "std::unique_ptr<SchemeFamily> ${name}();\n")
  string(APPEND makers "          ${name},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from the folders of schemes.
#include \"schemes/scheme.h\"

namespace warpsieve::schemes {
${declarations}
std::vector<FamilyMaker> families_in_tree() {
  return {
${makers}  };
}
}  // namespace warpsieve::schemes
")
