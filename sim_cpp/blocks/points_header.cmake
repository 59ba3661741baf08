cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../scripts/cmake/points.cmake)
# ws_points_headers(<root> <block> <out>): one header rtl_points/<block>/<module>.h per module of rtl/<block>/points.txt,
# which names the verilated class and the columns of each of its points; cosim/rtl_points.h chooses among them. It also gives each signal of the module by its name, for cosim/rtl_block.h.
# A parameter that a line leaves out has the default that the module's source gives it.
# Also: cmake -DROOT=dir -DBLOCK=name -DOUT=dir -P points_header.cmake
function(ws_points_headers root block out)
  set(points ${root}/rtl/${block}/points.txt)
  ws_point_lines(${root} ${block} lines)
  set(modules)
  foreach(line IN LISTS lines)
    ws_split_point(${root} ${block} "${line}")
    if(NOT module IN_LIST modules)
      list(APPEND modules ${module})
      set(${module}_points)
      set(${module}_names)
    endif()
    list(APPEND ${module}_points ${point})
    set(${module}_${point}_latency ${latency})
    set(${module}_${point}_rate ${rate})
    foreach(word IN LISTS params)
      string(REGEX MATCH "^(.*)=(.*)$" word ${word})
      set(${module}_${point}_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
      if(NOT CMAKE_MATCH_1 IN_LIST ${module}_names)
        list(APPEND ${module}_names ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endforeach()
  foreach(module IN LISTS modules)
    set(includes "")
    set(models)
    set(entries)
    list(LENGTH ${module}_names count)
    list(LENGTH ${module}_points point_count)
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
      string(REPLACE "/" ", " rate ${${module}_${point}_rate})
      string(REPLACE "-" "0" rate ${rate})
      string(REPLACE "-" "-1" latency ${${module}_${point}_latency})
      ws_point_verilated(${module} ${point} verilated)
      if(verilated)
        string(APPEND includes "#include <V${module}_${point}.h>\n")
        list(APPEND models "V${module}_${point}")
      else()
        list(APPEND models "NotVerilated")
      endif()
      list(APPEND entries "      {\"${point}\", {${values}}, ${latency}, {${rate}}}")
    endforeach()
    list(JOIN entries ",\n" entries)
    list(JOIN models ", " models)
    set(signals "")
    set(streams)
    file(STRINGS ${root}/rtl/${block}/${module}.sv ports REGEX "^ +(input|output) ")
    foreach(port IN LISTS ports)
      if(NOT port MATCHES "[] ]([a-z][a-z0-9_]*) *,? *(//.*)?$")
        message(FATAL_ERROR "rtl/${block}/${module}.sv: expected one port on a line, found '${port}'")
      endif()
      set(port ${CMAKE_MATCH_1})
      string(APPEND signals "  static auto& at(auto& top, PortTag<\"${port}\">) { return top.${port}; }\n")
      if(port MATCHES "^(.*)_valid_[io]$")
        list(APPEND streams "\"${CMAKE_MATCH_1}\"")
      endif()
    endforeach()
    list(LENGTH streams stream_count)
    list(JOIN streams ", " streams)
    list(TRANSFORM ${module}_names REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE names)
    list(JOIN names ", " names)
    set(text "// Made from rtl/${block}/points.txt.
#pragma once

${includes}
#include \"cosim/ports.h\"
#include \"cosim/rtl_points.h\"

namespace warpsieve::rtl_points {

struct ${module} {
  static constexpr std::string_view name = \"${module}\", source = \"rtl/${block}/points.txt\";
  static constexpr std::array<std::string_view, ${count}> parameters{${names}};
  static constexpr std::array<RtlPoint<${count}>, ${point_count}> points{{
${entries}}};
  using Models = RtlModels<${models}>;  // of the points, in their order
  static constexpr std::array<std::string_view, ${stream_count}> streams{${streams}};
${signals}};

}  // namespace warpsieve::rtl_points
")
    file(CONFIGURE OUTPUT ${out}/rtl_points/${block}/${module}.h CONTENT "${text}" @ONLY)
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  ws_points_headers(${ROOT} ${BLOCK} ${OUT})
endif()
