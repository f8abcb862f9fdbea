# How every target of this repository is built: warnings, sanitizers, where outputs go, and the
# two functions the folders' CMakeLists use. Nothing here is installed; authors of plugins use
# sdk/cmake/ instead.

# Interface target with the compiler flags of all code of this repository.
add_library(gantry_options INTERFACE)
target_compile_features(gantry_options INTERFACE cxx_std_20)
target_compile_options(gantry_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  -Wno-sign-conversion -Werror
  # g++ 12 warns of overlaps in `"literal" + std::string` at -O2 that do not exist.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

set(GANTRY_SANITIZE "" CACHE STRING "Sanitizers for everything: 'address,undefined' or 'thread'")
if(GANTRY_SANITIZE)
  # ASan and UBSan without the optimizer build in little more than half the time; what runs long under
  # TSan, or is fuzzed, wants it.
  if(GANTRY_SANITIZE MATCHES "thread" OR GANTRY_BUILD_FUZZERS)
    set(gantry_sanitized_level -O1)
  else()
    set(gantry_sanitized_level -O0)
  endif()
  add_compile_options(-fsanitize=${GANTRY_SANITIZE} -fno-omit-frame-pointer -g1
                      ${gantry_sanitized_level})
  add_link_options(-fsanitize=${GANTRY_SANITIZE})
  # No cache keeps what was linked, and lld takes a third of the time for it.
  find_program(GANTRY_LLD ld.lld)
  if(GANTRY_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
  if(GANTRY_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=all)
  endif()
  # At a fixed address nothing is relocated at the start, which the tables of these sanitizers make long.
  # GCC guards each of UBSan's records as a global variable of its own: four fifths of a library's data,
  # which every test server hashes, copies, relocates and registers at its start. Without the guards UBSan
  # still checks the bounds of arrays, and the fuzz build (clang) guards globals.
  if(GANTRY_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options("SHELL:--param asan-globals=0")
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_options(-g1 -Og)
else()
  # What other libraries may call says so in its source. The rest is neither called nor replaced from
  # outside, so the compiler may inline it in -fPIC code.
  target_compile_options(gantry_options INTERFACE -fno-semantic-interposition -fvisibility=hidden
    $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
endif()

# Everything a fuzz target links is instrumented, so that coverage guides it there.
if(GANTRY_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "libFuzzer is clang's: configure with `cmake --preset fuzz`.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link
    -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/tests/fuzz/sanitizer_ignore.txt)
endif()

find_program(GANTRY_CCACHE ccache)
if(GANTRY_CCACHE)
  # Precompiled headers (GantryPch.cmake): ccache tells them apart by their sums.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${GANTRY_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${GANTRY_CCACHE})
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_EXTENSIONS OFF)

# gantry_module(NAME SOURCES a.cpp … [DEPS targets…])
# A static library whose includes are spelled from the repository's root ("host/rpc/message/era.hpp").
# Without SOURCES it is header-only. DEPS are public.
function(gantry_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${arg_DEPS} PRIVATE gantry_options)
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${arg_DEPS})
  endif()
endfunction()

# Only for sources that need them: ccache does not find an object from another checkout when its
# command names the path of this one.
set(gantry_places "GANTRY_(SOURCE|BINARY)_DIR")  # or a header of the tests that names them
string(APPEND gantry_places "|[/\"](plugin_files|loader_fixture|live_fixture|worker_fixture|in_worker|program)\\.hpp\"")
function(gantry_define_places)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source)
    file(STRINGS ${source} found REGEX "${gantry_places}" LIMIT_COUNT 1)
    if(found)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS
        GANTRY_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GANTRY_BINARY_DIR="${CMAKE_BINARY_DIR}")
    endif()
  endforeach()
endfunction()

# gantry_add_ctest(NAME PROGRAM [PARTS n] [LABELS l…])
# ctest's entry NAME runs every test of a GoogleTest program in one process: a sanitized program takes
# longer to start than most of its tests. ASan keeps 16 MB of freed memory unused in place of 256: pages
# that are always new take half of the time of what allocates much. PARTS n: n entries, NAME.1 … NAME.n, share the tests of a
# program that waits longer than it computes; a program without keeps a processor busy, which counts as
# two of `ctest -j`.
set(gantry_asan_options ASAN_OPTIONS=quarantine_size_mb=16)
function(gantry_add_ctest name program)
  cmake_parse_arguments(arg "" "PARTS" "LABELS" ${ARGN})
  set(processors 1)
  if(NOT arg_PARTS)
    set(arg_PARTS 1)
    set(processors 2)
  endif()
  foreach(part RANGE 1 ${arg_PARTS})
    set(entry ${name})
    if(arg_PARTS GREATER 1)
      set(entry ${name}.${part})
    endif()
    math(EXPR index "${part} - 1")
    add_test(NAME ${entry} COMMAND ${program})
    set_tests_properties(${entry} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600
      PROCESSORS ${processors}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_PARTS};GTEST_SHARD_INDEX=${index};${gantry_asan_options}")
  endforeach()
endfunction()

# gantry_test(NAME SOURCES a_test.cpp … [DEPS targets…] [THREADS] [MOCK] [PARTS n] [LABELS l…])
# One GoogleTest executable. THREADS: also built under TSan; a test without it is left out of the
# `tsan` preset. MOCK links gmock. PARTS: see gantry_add_ctest(). Sources that name GANTRY_SOURCE_DIR or
# GANTRY_BINARY_DIR, or include a header that does, get these definitions.
function(gantry_test name)
  cmake_parse_arguments(arg "THREADS;MOCK" "PARTS" "SOURCES;DEPS;LABELS;DEFINITIONS" ${ARGN})
  if(NOT GANTRY_BUILD_TESTS OR (GANTRY_SANITIZE STREQUAL "thread" AND NOT arg_THREADS))
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gtest_main gantry_options)
  if(arg_MOCK)
    target_link_libraries(${name} PRIVATE GTest::gmock)
  endif()
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  gantry_define_places(${arg_SOURCES})
  gantry_add_ctest(${name} ${name} PARTS ${arg_PARTS} LABELS unit ${arg_LABELS})
endfunction()

# Every target of FOLDER and of those below it.
function(gantry_targets_below folder out)
  get_property(all DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(part IN LISTS below)
    gantry_targets_below(${part} more)
    list(APPEND all ${more})
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

# The target `unit_tests`: every GoogleTest executable and its dependencies, nothing else.
function(gantry_collect_unit_tests)
  add_custom_target(unit_tests)
  gantry_targets_below(${PROJECT_SOURCE_DIR} targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(type STREQUAL "EXECUTABLE" AND "${libraries}" MATCHES "GTest::")
      add_dependencies(unit_tests ${target})
    endif()
  endforeach()
endfunction()

# The target `serve`: the server, its worker, the built-in plugins and the command line. It is what
# tools/run.sh builds.
function(gantry_collect_server)
  add_custom_target(serve DEPENDS gantryd gantry gantry-worker)
  gantry_targets_below(${PROJECT_SOURCE_DIR}/plugins targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "MODULE_LIBRARY")
      add_dependencies(serve ${target})
    endif()
  endforeach()
endfunction()
