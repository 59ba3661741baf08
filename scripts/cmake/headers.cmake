# ws_headers(<target> <folder of sim_cpp>): who links to <target>, and nobody else, finds "<folder>/...". Each target has
# a root of its own, with a link to its folder: an include against the order of the folders does not compile.
# headers_<target> gives the headers alone, to a target that needs no object of it.
#
# The root ends in sim_cpp, so that paths in messages and coverage counts read as those of the source tree.
function(ws_headers target folder)
  set(root ${PROJECT_BINARY_DIR}/headers/${target}/sim_cpp)
  cmake_path(GET folder PARENT_PATH parent)
  file(MAKE_DIRECTORY ${root}/${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/sim_cpp/${folder} ${root}/${folder} SYMBOLIC)
  add_library(headers_${target} INTERFACE)
  target_include_directories(headers_${target} INTERFACE ${root})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:headers_${target}>)
  else()
    target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:headers_${target}>)
  endif()
endfunction()
