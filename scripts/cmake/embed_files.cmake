# Texts that are compiled in. OUTPUT gets the path of a generated source file that defines, in NAMESPACE,
# `std::span<const BuiltinText> builtin_<NAME>()` (core/builtin_text.h), in the order of the files' names. A file is
# known by its stem.
#
# ws_embed_toml(FOLDER NAMESPACE NAME OUTPUT): the TOML files of sim_cpp/configs/FOLDER.
# ws_embed_files(PATTERN NAMESPACE NAME OUTPUT): the files that match, counted from the root of the project.
function(ws_embed_files pattern namespace name output)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${pattern})
  set(text "// Generated from ${pattern}.\n#include <span>\n\n#include \"core/builtin_text.h\"\n\n")
  string(APPEND text "namespace ${namespace} {\nstd::span<const BuiltinText> builtin_${name}();\n")
  string(APPEND text "std::span<const BuiltinText> builtin_${name}() {\n  static const BuiltinText files[] = {\n")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file STEM stem)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE shown)
    string(REGEX REPLACE "^sim_cpp/" "" shown ${shown})
    file(READ ${file} body)
    string(APPEND text "  {\"${stem}\", \"${shown}\", R\"text(${body})text\"},\n")
  endforeach()
  string(APPEND text "  };\n  return files;\n}\n}\n")
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/builtin_${name}.cpp)
  file(GENERATE OUTPUT ${generated} CONTENT "${text}")
  set(${output} ${generated} PARENT_SCOPE)
endfunction()

function(ws_embed_toml folder namespace name output)
  cmake_path(SET pattern NORMALIZE sim_cpp/configs/${folder}/*.toml)
  ws_embed_files(${pattern} ${namespace} ${name} generated)
  set(${output} ${generated} PARENT_SCOPE)
endfunction()
