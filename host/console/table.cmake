# gantry_console_table(OUT_SOURCES): the files of host/console/web as a C++ source, so that gantryd needs no
# installed files for its console. CMake runs again when one of them comes, goes or changes.

# Content types by the end of the name; a file with another end is an error.
set(gantry_console_types
  html text/html css text/css js text/javascript svg image/svg+xml json application/json txt text/plain
  png image/png)

# The bytes of a text as they are sent, in hex: without indentation, without lines that are only comments, and without
# blanks around the operators below, so that what explains the code costs a page nothing. The lines keep their numbers.
function(gantry_console_text file ending out)
  file(READ ${file} text)
  string(REGEX REPLACE "\n[ \t]+" "\n" text "\n${text}")
  if(ending STREQUAL "js")
    string(REGEX REPLACE "\n(//|/\\*\\*|\\*)[^\n]*" "\n" text "${text}")
    string(REGEX REPLACE " (=>|===|!==|&&|=|\\?\\?|\\|\\|) " "\\1" text "${text}")
  elseif(ending STREQUAL "css")
    string(REGEX REPLACE "\n/\\*[^\n]*" "\n" text "${text}")
    string(REGEX REPLACE "([:;,]) " "\\1" text "${text}")
    string(REGEX REPLACE " ?([{}]) ?" "\\1" text "${text}")
  endif()
  string(SUBSTRING "${text}" 1 -1 text)
  string(HEX "${text}" bytes)
  set(${out} "${bytes}" PARENT_SCOPE)
endfunction()

function(gantry_console_table out)
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/web)
  file(GLOB_RECURSE files RELATIVE ${root} CONFIGURE_DEPENDS ${root}/*)
  list(FILTER files EXCLUDE REGEX "(^|/)(README\\.md|\\.[^/]*)$")
  set(paths "")
  foreach(file IN LISTS files)
    if(file STREQUAL "index.html")
      list(APPEND paths "/ ${file}")
    else()
      list(APPEND paths "/console/${file} ${file}")
    endif()
  endforeach()
  list(SORT paths)  # the blank is less than every character of a path
  set(arrays "")
  set(rows "")
  set(number 0)
  foreach(entry IN LISTS paths)
    string(REPLACE " " ";" entry "${entry}")
    list(GET entry 0 path)
    list(GET entry 1 file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/${file})
    string(REGEX MATCH "[^.]*$" ending ${file})
    list(FIND gantry_console_types "${ending}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "host/console/web/${file}: no content type is known for .${ending}; add it to table.cmake")
    endif()
    math(EXPR at "${at} + 1")
    list(GET gantry_console_types ${at} type)
    if(type MATCHES "^text/")
      string(APPEND type "; charset=utf-8")
      gantry_console_text(${root}/${file} ${ending} bytes)
    else()
      file(READ ${root}/${file} bytes HEX)
    endif()
    string(SHA256 hash "${bytes}")
    string(SUBSTRING ${hash} 0 32 hash)
    string(LENGTH "${bytes}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "constexpr char kFile${number}[] = {${bytes}'\\0'};\n")
    string(APPEND rows "    {\"${path}\", \"${type}\", \"\\\"${hash}\\\"\", {kFile${number}, ${size}}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/table.cpp @ONLY CONTENT [[
#include "host/console/files.hpp"
namespace gantry::host::console {
namespace {
@arrays@
}  // namespace
std::span<const File> files() {
  static constexpr File kFiles[] = {
@rows@  };
  return kFiles;
}
}  // namespace gantry::host::console
]])
  set(${out} ${CMAKE_CURRENT_BINARY_DIR}/table.cpp PARENT_SCOPE)
endfunction()
