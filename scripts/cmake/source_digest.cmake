# cmake -DROOT=dir -DVERSION=x -DOUT=file -P source_digest.cmake: writes warpsieve::run::source_version(), which changes with
# every source that can change a simulated figure. The file is touched only when the digest changes.
cmake_minimum_required(VERSION 3.25)
set(text "")
set(files "")
# GLOB_RECURSE looks for the last part of the pattern, a file's name, in every folder below the rest.
foreach(pattern IN ITEMS sim_cpp/core/* sim_cpp/cosim/* sim_cpp/blocks/* sim_cpp/inputs/* sim_cpp/simt/* sim_cpp/memsys/*
                         sim_cpp/workloads/* sim_cpp/schemes/* sim_cpp/trace/* sim_cpp/configs/* sim_cpp/run/simulate.*
                         rtl/*.sv* rtl/*.f rtl/points.txt)
  file(GLOB_RECURSE some LIST_DIRECTORIES false RELATIVE ${ROOT} ${ROOT}/${pattern})
  if(NOT some)
    message(FATAL_ERROR "source_digest: no file matches ${pattern}")
  endif()
  list(APPEND files ${some})
endforeach()
list(REMOVE_DUPLICATES files)
list(SORT files)
foreach(name IN LISTS files)
  # Sweeps and suites name points, they do not change one. rtl/lists is made from the lists of the blocks.
  if(name MATCHES "^sim_cpp/configs/.*/|^rtl/lists/|CMakeLists.txt$|\\.md$")
    continue()
  endif()
  file(SHA256 ${ROOT}/${name} digest)
  string(APPEND text "${name} ${digest}\n")
endforeach()
string(SHA256 digest "${text}")
string(SUBSTRING ${digest} 0 16 digest)
file(CONFIGURE OUTPUT ${OUT} CONTENT
  "#include \"run/version.h\"\n\nstd::string warpsieve::run::source_version() { return \"@VERSION@+@digest@\"; }\n" @ONLY)
