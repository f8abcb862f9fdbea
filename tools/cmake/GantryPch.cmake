# Precompiled headers for the sanitized builds: the standard library, RapidJSON and GoogleTest
# are most of what a small file there takes to compile. Builds without sanitizers have none, so a
# missing #include does not pass the tests of this tree.
#
# A precompiled header serves only files with its own optimization level, code model and definitions
# of GoogleTest: one each for libraries and for tests, and for the folder that has its own level.
set(gantry_pch_folder ${CMAKE_CURRENT_LIST_DIR})

# Settings that ccache needs to reuse objects of files with precompiled headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(gantry_pch_flags -Xclang -fno-pch-timestamp)
else()
  # With precompiled headers g++ 12 warns of overflows in std::string that do not exist; the
  # other builds look for them.
  set(gantry_pch_flags -fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow
      -Wno-stringop-overread)
endif()

# ccache tells a precompiled header by its content, which holds the path of the checkout. The file
# NAME.sum beside it stands for it instead: the same headers make the same objects in every checkout.
file(SHA256 ${gantry_pch_folder}/pch.hpp gantry_pch_sum)
execute_process(
  COMMAND dpkg-query -W libc6-dev libstdc++-12-dev rapidjson-dev libgtest-dev libgmock-dev
  OUTPUT_VARIABLE gantry_pch_packages ERROR_QUIET)
function(gantry_sum_pch target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(kind pch)
  else()
    set(kind gch)
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.${kind}.sum
       CONTENT "${target} ${gantry_pch_sum} ${CMAKE_CXX_COMPILER_VERSION}\n${gantry_pch_packages}")
endfunction()

function(gantry_make_pch name level)
  add_library(${name}_lib OBJECT ${gantry_pch_folder}/pch.cpp)
  target_precompile_headers(${name}_lib PRIVATE ${gantry_pch_folder}/pch.hpp)
  set(targets ${name}_lib)
  if(GANTRY_BUILD_TESTS)
    add_executable(${name}_test EXCLUDE_FROM_ALL ${gantry_pch_folder}/pch.cpp)
    target_link_libraries(${name}_test PRIVATE GTest::gtest)
    target_precompile_headers(${name}_test PRIVATE ${gantry_pch_folder}/pch.hpp <gtest/gtest.h>)
    list(APPEND targets ${name}_test)
  endif()
  foreach(target ${targets})
    target_link_libraries(${target} PRIVATE gantry_options)
    target_compile_options(${target} PRIVATE ${level} ${gantry_pch_flags})
    gantry_sum_pch(${target})
  endforeach()
endfunction()

# Call it after every target is declared. A target can use one when it has C++ sources and, as a
# program, GoogleTest.
function(gantry_use_pch)
  gantry_make_pch(gantry_pch "")
  gantry_make_pch(gantry_pch_optimized -O1)
  gantry_targets_below(${PROJECT_SOURCE_DIR} targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    get_target_property(folder ${target} SOURCE_DIR)
    if(target MATCHES "^gantry_pch|^abi_v1_|^fixture_" OR NOT "${sources}" MATCHES "\\.cpp(;|$)")
      continue()
    elseif(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
      set(kind lib)
    elseif(type STREQUAL "EXECUTABLE" AND "${libraries}" MATCHES "GTest::")
      set(kind test)
    else()
      continue()
    endif()
    get_property(options DIRECTORY ${folder} PROPERTY COMPILE_OPTIONS)
    set(from gantry_pch)
    if("${options}" MATCHES "-O0.*-O1")
      set(from gantry_pch_optimized)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${from}_${kind})
    target_compile_options(${target} PRIVATE ${gantry_pch_flags})
  endforeach()
endfunction()
