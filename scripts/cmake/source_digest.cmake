# cmake -DROOT=dir -DVERSION=x -DOUT=file -P source_digest.cmake: writes warpsieve::sweep::version(), which changes with
# every source that can change a simulated figure. The file is touched only when the digest changes.
cmake_minimum_required(VERSION 3.25)
set(text "")
set(files "")
foreach(part IN ITEMS core cosim blocks inputs simt memsys workloads schemes trace configs sweep/simulate)
  file(GLOB_RECURSE some LIST_DIRECTORIES false RELATIVE ${ROOT} ${ROOT}/sim_cpp/${part}*)
  list(APPEND files ${some})
endforeach()
file(GLOB_RECURSE some LIST_DIRECTORIES false RELATIVE ${ROOT} ${ROOT}/rtl/*.sv ${ROOT}/rtl/*.svh ${ROOT}/rtl/*.f
     ${ROOT}/rtl/points.txt)
list(APPEND files ${some})
list(REMOVE_DUPLICATES files)
list(SORT files)
foreach(name IN LISTS files)
  # Sweeps and suites name points, they do not change one.
  if(name MATCHES "^sim_cpp/configs/.*/|CMakeLists.txt$|\\.md$")
    continue()
  endif()
  file(SHA256 ${ROOT}/${name} digest)
  string(APPEND text "${name} ${digest}\n")
endforeach()
string(SHA256 digest "${text}")
string(SUBSTRING ${digest} 0 16 digest)
file(CONFIGURE OUTPUT ${OUT} CONTENT
  "#include \"sweep/version.h\"\n\nstd::string warpsieve::sweep::version() { return \"@VERSION@+@digest@\"; }\n" @ONLY)
