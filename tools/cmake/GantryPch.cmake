# Precompiled headers for the sanitized builds: the standard library, RapidJSON and GoogleTest
# are most of what a small file there takes to compile. Builds without sanitizers have none, so a
# missing #include does not pass the tests of this tree.
#
# A precompiled header serves only files with its own optimization level, code model and definitions
# of GoogleTest: one for tests, one for libraries, and one for those of the folder that has its own level.
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

# Tests' own sources are not optimized, whatever they test is: that takes half of the time.
set(gantry_pch_test_level "")
if(NOT gantry_sanitized_level STREQUAL "-O0")
  set(gantry_pch_test_level -O0)
endif()

# gantry_make_pch(TARGET OPTIONS): for users of the target's headers that have these compile options.
function(gantry_make_pch target options)
  target_precompile_headers(${target} PRIVATE ${gantry_pch_folder}/pch.hpp ${ARGN})
  target_link_libraries(${target} PRIVATE gantry_options)
  target_compile_options(${target} PRIVATE ${options} ${gantry_pch_flags})
  gantry_sum_pch(${target})
endfunction()

# Call it after every target is declared. A target can use one when it has C++ sources and, as a
# program, GoogleTest.
function(gantry_use_pch)
  add_library(gantry_pch_lib OBJECT ${gantry_pch_folder}/pch.cpp)
  gantry_make_pch(gantry_pch_lib "")
  add_library(gantry_pch_optimized_lib OBJECT ${gantry_pch_folder}/pch.cpp)
  gantry_make_pch(gantry_pch_optimized_lib -O1)
  if(GANTRY_BUILD_TESTS)
    add_executable(gantry_pch_test EXCLUDE_FROM_ALL ${gantry_pch_folder}/pch.cpp)
    target_link_libraries(gantry_pch_test PRIVATE GTest::gtest)
    gantry_make_pch(gantry_pch_test "${gantry_pch_test_level}" <gtest/gtest.h>)
  endif()
  gantry_targets_below(${PROJECT_SOURCE_DIR} targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    get_target_property(folder ${target} SOURCE_DIR)
    get_property(options DIRECTORY ${folder} PROPERTY COMPILE_OPTIONS)
    if(target MATCHES "^gantry_pch|^abi_v1_|^fixture_" OR NOT "${sources}" MATCHES "\\.cpp(;|$)")
      continue()
    elseif(type STREQUAL "EXECUTABLE" AND "${libraries}" MATCHES "GTest::")
      set(from gantry_pch_test)
      if("${options}" MATCHES "-O1")
        target_compile_options(${target} PRIVATE SHELL:-O0)  # CMake drops a second -O0
      endif()
    elseif(NOT type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
      continue()
    elseif("${options}" MATCHES "-O0.*-O1")
      set(from gantry_pch_optimized_lib)
    else()
      set(from gantry_pch_lib)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${from})
    target_compile_options(${target} PRIVATE ${gantry_pch_flags})
  endforeach()
endfunction()
