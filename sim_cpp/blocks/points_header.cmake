cmake_minimum_required(VERSION 3.25)
# ws_points_headers(<root> <block> <out>): one header rtl_points/<block>/<module>.h per module of rtl/<block>/points.txt,
# which names the verilated class and the parameters of each of its points; cosim/rtl_points.h chooses among them.
# A parameter that a line leaves out has the default that the module's source gives it.
# Also: cmake -DROOT=dir -DBLOCK=name -DOUT=dir -P points_header.cmake
function(ws_points_headers root block out)
  set(points ${root}/rtl/${block}/points.txt)
  file(STRINGS ${points} lines REGEX "^[a-z]")
  set(modules)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "#.*$" "" line "${line}")
    separate_arguments(words UNIX_COMMAND "${line}")
    list(LENGTH words count)
    if(count LESS 2)
      message(FATAL_ERROR "${points}: expected 'point module Name=value...', found '${line}'")
    endif()
    list(POP_FRONT words point module)
    if(NOT module IN_LIST modules)
      list(APPEND modules ${module})
      set(${module}_points)
      set(${module}_names)
    endif()
    list(APPEND ${module}_points ${point})
    foreach(word IN LISTS words)
      if(NOT word MATCHES "^([A-Z][A-Za-z0-9_]*)=([0-9]+)$")
        message(FATAL_ERROR "${points}: ${module}@${point}: expected Name=number, found '${word}'")
      endif()
      set(${module}_${point}_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
      if(NOT CMAKE_MATCH_1 IN_LIST ${module}_names)
        list(APPEND ${module}_names ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endforeach()
  foreach(module IN LISTS modules)
    set(includes "")
    set(entries "")
    list(LENGTH ${module}_names count)
    foreach(point IN LISTS ${module}_points)
      set(values "")
      foreach(name IN LISTS ${module}_names)
        if(NOT DEFINED ${module}_${point}_${name})
          file(STRINGS ${root}/rtl/${block}/${module}.sv default REGEX "parameter [a-z ]*[ ]${name} *= *[0-9]+")
          if(NOT default MATCHES " ${name} *= *([0-9]+)")
            message(FATAL_ERROR "${points}: ${module}@${point}: ${name} is missing, and ${module}.sv has no number for it")
          endif()
          set(${module}_${point}_${name} ${CMAKE_MATCH_1})
        endif()
        list(APPEND values ${${module}_${point}_${name}})
      endforeach()
      list(JOIN values ", " values)
      string(APPEND includes "#include <V${module}_${point}.h>\n")
      list(APPEND entries "        RtlPoint<V${module}_${point}, ${count}>{\"${point}\", {${values}}}")
    endforeach()
    if(DEFINED WARPSIEVE_RTL AND NOT WARPSIEVE_RTL)
      set(includes "")
      set(entries "")
    endif()
    list(JOIN entries ",\n" entries)
    list(TRANSFORM ${module}_names REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE names)
    list(JOIN names ", " names)
    set(text "// Made from rtl/${block}/points.txt.
#pragma once

${includes}
#include \"cosim/rtl_points.h\"

namespace warpsieve::rtl_points {

struct ${module} {
  static constexpr std::string_view name = \"${module}\", source = \"rtl/${block}/points.txt\";
  static constexpr std::array<std::string_view, ${count}> parameters{${names}};
  static constexpr auto points() {
    return std::tuple{
${entries}};
  }
};

}  // namespace warpsieve::rtl_points
")
    file(CONFIGURE OUTPUT ${out}/rtl_points/${block}/${module}.h CONTENT "${text}" @ONLY)
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  ws_points_headers(${ROOT} ${BLOCK} ${OUT})
endif()
