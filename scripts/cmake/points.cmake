# rtl/<block>/points.txt, a line per point: `point module latency rate Name=value...`.
#   latency  cycles from the one that takes the smallest item, into the empty module, to the first that offers the
#            answer; 0 is combinational, - is none in particular
#   rate     most such items per cycle over a long run: 1, 1/3; - is none in particular
# tb/sim/blocks compares them with the models.

# ws_point_lines(<root> <block> <out>): the lines that name a point, without comments.
function(ws_point_lines root block out)
  file(STRINGS ${root}/rtl/${block}/points.txt lines REGEX "^[a-z]")
  list(TRANSFORM lines REPLACE "#.*$" "")
  list(TRANSFORM lines STRIP)
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

# ws_split_point(<root> <block> <line>): sets point, module, latency, rate and params (a list of Name=value).
function(ws_split_point root block line)
  set(where "rtl/${block}/points.txt")
  separate_arguments(words UNIX_COMMAND "${line}")
  list(LENGTH words count)
  if(count LESS 4)
    message(FATAL_ERROR "${where}: expected 'point module latency rate Name=value...', found '${line}'")
  endif()
  list(POP_FRONT words point module latency rate)
  if(NOT latency MATCHES "^(-|[0-9]+)$" OR NOT rate MATCHES "^(-|1|[1-9][0-9]*/[1-9][0-9]*)$")
    message(FATAL_ERROR "${where}: ${module}@${point}: expected a latency (5 or -) and a rate (1, 1/3 or -), "
                        "found '${latency} ${rate}'")
  endif()
  foreach(word IN LISTS words)
    if(NOT word MATCHES "^[A-Z][A-Za-z0-9_]*=[0-9]+$")
      message(FATAL_ERROR "${where}: ${module}@${point}: expected Name=number, found '${word}'")
    endif()
  endforeach()
  set(params ${words})
  return(PROPAGATE point module latency rate params)
endfunction()

# ws_point_verilated(<module> <point> <out>): whether the build makes a model of it (WARPSIEVE_RTL_POINTS).
function(ws_point_verilated module point out)
  set(${out} ON)
  if(DEFINED WARPSIEVE_RTL AND NOT WARPSIEVE_RTL)
    set(${out} OFF)
  elseif(WARPSIEVE_RTL_POINTS AND NOT "${module}@${point}" IN_LIST WARPSIEVE_RTL_POINTS)
    set(${out} OFF)
  endif()
  return(PROPAGATE ${out})
endfunction()
