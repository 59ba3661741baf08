# What `make install` puts where: the program with man page and completion; the models and their headers as CMake
# package `warpsieve` (targets warpsieve::block_<name>, warpsieve::schemes, ...); the RTL with a file list per module
# (paths relative to the list, for `verilator -F`) and FuseSoC cores. The target `installable` builds all of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Every library of this project that linking `target` needs, `target` included, into the variable ws_needed.
function(ws_need target)
  if(target IN_LIST ws_needed)
    return()
  endif()
  list(APPEND ws_needed ${target})
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  foreach(link IN LISTS links)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" link "${link}")
    if(TARGET ${link})
      get_target_property(foreign ${link} IMPORTED)
      if(NOT foreign)
        ws_need(${link})
      endif()
    endif()
  endforeach()
  set(ws_needed ${ws_needed} PARENT_SCOPE)
endfunction()

get_property(blocks GLOBAL PROPERTY WARPSIEVE_BLOCKS)
set(ws_needed)
foreach(target IN ITEMS program schemes workloads LISTS blocks)
  ws_need(${target})
endforeach()
# The models behind the blocks are built with them; an installed target must say so itself.
foreach(target IN LISTS ws_needed)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL FALSE)
  endif()
endforeach()
install(TARGETS ${ws_needed} EXPORT warpsieveTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpsieve)
install(EXPORT warpsieveTargets NAMESPACE warpsieve:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpsieve)
configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/warpsieveConfig.cmake.in
  ${PROJECT_BINARY_DIR}/warpsieveConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpsieve
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpsieveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpsieveConfig.cmake ${PROJECT_BINARY_DIR}/warpsieveConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpsieve)
# Not the headers of the program's own parts, nor those of toml++, which no installed header needs.
set(unexported)
foreach(name IN ITEMS cli run sweep claims report cost trace validate configs data toml.h toml_reader.h)
  list(APPEND unexported PATTERN ${name} EXCLUDE)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim_cpp/ DESTINATION include/warpsieve FILES_MATCHING PATTERN "*.h" ${unexported})
install(FILES ${PROJECT_SOURCE_DIR}/sim_cpp/cli/program.h DESTINATION include/warpsieve/cli)

file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/*/*.f)
list(FILTER lists EXCLUDE REGEX "/rtl/lists/")  # of the tree; installed lists are relative to rtl as they are
install(FILES ${lists} DESTINATION ${CMAKE_INSTALL_DATADIR}/warpsieve/rtl)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rtl/ DESTINATION ${CMAKE_INSTALL_DATADIR}/warpsieve/rtl
        FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh" PATTERN "*.core" PATTERN "Bender.yml" PATTERN "README.md" PATTERN "*.svg")
install(FILES ${PROJECT_SOURCE_DIR}/sim_cpp/schemes/DECISIONS.md ${PROJECT_SOURCE_DIR}/sim_cpp/GLOSSARY.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpsieve)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpsieve)
foreach(part IN ITEMS sweep trace report)  # what the help and the man page refer to
  install(FILES ${PROJECT_SOURCE_DIR}/sim_cpp/${part}/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpsieve/${part})
endforeach()

set(pages ${PROJECT_BINARY_DIR}/help)
file(MAKE_DIRECTORY ${pages})
add_custom_command(OUTPUT ${pages}/warpsieve.1 ${pages}/warpsieve ${pages}/_warpsieve ${pages}/warpsieve.fish
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/help_pages --program $<TARGET_FILE:warpsieve> --man ${pages}/warpsieve.1
          --completion ${pages}/warpsieve --zsh ${pages}/_warpsieve --fish ${pages}/warpsieve.fish
  DEPENDS warpsieve ${PROJECT_SOURCE_DIR}/scripts/help_pages ${PROJECT_SOURCE_DIR}/scripts/lib/shell_completion.py
  COMMENT "man page and completion of bash, zsh and fish" VERBATIM)
add_custom_target(help_pages ALL DEPENDS ${pages}/warpsieve.1 ${pages}/warpsieve ${pages}/_warpsieve ${pages}/warpsieve.fish)
install(TARGETS warpsieve RUNTIME)
install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/site/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpsieve/html OPTIONAL)
install(FILES ${pages}/warpsieve.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/warpsieve DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
# Debian's zsh reads the first folder below /usr/local, the second below /usr.
install(FILES ${pages}/_warpsieve DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${pages}/_warpsieve DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${pages}/warpsieve.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/python/warpsieve DESTINATION lib/python3/dist-packages COMPONENT python
        FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/scripts/python/README.md ${PROJECT_SOURCE_DIR}/scripts/python/example.ipynb
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpsieve/python COMPONENT python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim_cpp/configs/sweeps DESTINATION ${CMAKE_INSTALL_DATADIR}/warpsieve)

add_custom_target(installable DEPENDS help_pages)
add_dependencies(installable warpsieve)
foreach(target IN LISTS ws_needed)
  add_dependencies(installable ${target})
endforeach()

# `make package`: all of it as one Debian package in the build folder, warpsieve_VERSION_ARCHITECTURE.deb.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpsieve)
set(CPACK_PACKAGE_CONTACT "The Warpsieve maintainers <maintainers@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "blocks that remove redundant traffic from a GPU's memory system, and a simulator")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "SystemVerilog blocks with cycle-exact C++ models, and a cycle-level simulator of a GPU's\nmemory system with real data. A Python package runs it and draws figures.")
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # from dpkg-dev
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3)
# What a CMake project needs that links the models, and the package's figures.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, libcli11-dev, libfmt-dev, libspdlog-dev, nlohmann-json3-dev, libssl-dev, \
libsqlite3-dev, liblzma-dev, libpng-dev, zlib1g-dev, robin-map-dev, python3-pandas, python3-matplotlib")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)
