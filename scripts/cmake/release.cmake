# ws_release(OUT root default): the release X.Y.Z of the newest tag vX.Y.Z below the commit that is checked out. An
# archive made by `git archive` has the tag in release.txt. Without either, the default: a release that is not yet tagged.
function(ws_release out root default)
  set(text "")
  if(EXISTS ${root}/.git)
    find_program(GIT git)
    if(GIT)
      execute_process(COMMAND ${GIT} -C ${root} describe --tags --abbrev=0 --match v[0-9]*
                      OUTPUT_VARIABLE text ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
  else()
    file(READ ${root}/scripts/cmake/release.txt text)
  endif()
  if(text MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+)([-\n].*)?$")
    set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
  else()
    set(${out} ${default} PARENT_SCOPE)
  endif()
endfunction()
