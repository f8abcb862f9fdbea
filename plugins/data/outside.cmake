# What this folder uses of the build of Gantry's own tree, for a copy of this folder where only the installed
# SDK is. Tests stay behind.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_library(gantry_options INTERFACE)  # the tree's warnings

function(gantry_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_DEPS})
endfunction()

function(gantry_test)
endfunction()
