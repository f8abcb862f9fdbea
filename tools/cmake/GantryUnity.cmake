# Unity batches: a compiler reads several sources of one target as one unit. Reading headers takes most
# of the time that a unit takes. So builds that are made whole, the one that users wait for and the fuzz
# targets, have few large units; the others have small ones, in which one changed source compiles
# quickly. A name that is local to a file must be unique in its target. unity_alone.txt lists the sources
# that are compiled alone. C sources are compiled alone: they choose what the system's headers declare.
set(CMAKE_UNITY_BUILD ON)
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR GANTRY_BUILD_FUZZERS)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 64)
else()
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
endif()
# In a batch every source is an included file, for which g++ warns of types of unnamed namespaces.
target_compile_options(gantry_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>>)

# Call it after every target is declared.
function(gantry_leave_out_of_unity)
  file(STRINGS ${PROJECT_SOURCE_DIR}/tools/cmake/unity_alone.txt alone REGEX "^[^#]")
  gantry_targets_below(${PROJECT_SOURCE_DIR} targets)
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
      if(NOT source MATCHES "\\.c(pp)?$" OR source MATCHES "^\\$")
        continue()
      endif()
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
      if(source MATCHES "\\.c$" OR name IN_LIST alone)
        set_source_files_properties(${source} TARGET_DIRECTORY ${target}
          PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
  endforeach()
endfunction()
