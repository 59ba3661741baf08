# ws_sources(<variable> <target> <file>...): what a target compiles. With WARPSIEVE_UNITY, files that include up to
# WARPSIEVE_UNITY_FILES sources each, so that headers are read and templates instantiated once for all of them: a build
# from nothing takes a third of the time. Without, the files themselves.
#
# CMake's own unity files name their sources by absolute paths, which keeps ccache from finding the object of another
# clone; these name them relative to sim_cpp or tb, folders that every target includes from.
#
# Names in unnamed namespaces must then differ within a library.
option(WARPSIEVE_UNITY "Compile several sources at a time (OFF: one at a time, for clang-tidy and coverage)" ON)
set(WARPSIEVE_UNITY_FILES 20 CACHE STRING "Sources compiled at a time with WARPSIEVE_UNITY")

function(ws_sources variable target)
  if(NOT WARPSIEVE_UNITY OR WARPSIEVE_COVERAGE OR WARPSIEVE_MUTANTS)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  # Equal shares: 21 files are 11 and 10, not 20 and 1.
  list(LENGTH ARGN count)
  math(EXPR parts "(${count} + ${WARPSIEVE_UNITY_FILES} - 1) / ${WARPSIEVE_UNITY_FILES}")
  set(out "")
  set(next 0)
  foreach(part RANGE 1 ${parts})
    math(EXPR end "${count} * ${part} / ${parts}")
    math(EXPR share "${end} - ${next}")
    list(SUBLIST ARGN ${next} ${share} files)
    set(next ${end})
    set(text "")
    foreach(file IN LISTS files)
      foreach(root IN ITEMS sim_cpp tb)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/${root} OUTPUT_VARIABLE name)
        if(NOT name MATCHES "^\\.\\./")
          break()
        endif()
      endforeach()
      string(APPEND text "#include \"${name}\"\n")
    endforeach()
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/unity/${target}_${part}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text}" @ONLY)
    list(APPEND out ${unit})
  endforeach()
  set(${variable} ${out} PARENT_SCOPE)
endfunction()
