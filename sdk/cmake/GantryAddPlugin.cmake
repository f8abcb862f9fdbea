# gantry_add_plugin(NAME SOURCES a.cpp … [MANIFEST manifest.json] [SCHEMAS folder-or-family]
#                   [LINK targets…] [TESTS a_test.cpp …] [TEST_ONLY] [THREADS])
#
# Builds the plugin NAME.so from C or C++ sources into ${CMAKE_BINARY_DIR}/plugins, exporting
# exactly the contract's one symbol and carrying its manifest in an ELF note.
#
#   MANIFEST   the manifest's file, default manifest.json beside the CMakeLists.txt.
#   SCHEMAS    where <tool>.input.schema.json and <tool>.output.schema.json are: a folder, or the
#              name of a family whose schemas come with Gantry. They become part of the manifest
#              as they are written.
#   LINK       libraries. Link static ones where you can: a plugin should need little at run time.
#   TESTS      GoogleTest sources, built into NAME_tests with the plugin's sources linked in, when
#              BUILD_TESTING is on. Needs find_package(GantrySDK COMPONENTS testing). They may use
#              GANTRY_PLUGIN_FILE (path of the .so) and GANTRY_PLUGIN_MANIFEST (path of the
#              composed manifest).
#   TEST_ONLY  a fixture: built into ${CMAKE_BINARY_DIR}/test-plugins and never installed.
#   THREADS    the tests are also worth running under ThreadSanitizer.
#
# Targets: NAME (the .so), NAME_objects (its sources compiled once, to link into tests).
# The folder of the CMakeLists.txt is on the include path.

set_property(GLOBAL PROPERTY GANTRY_SDK_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

function(gantry_add_plugin name)
  cmake_parse_arguments(arg "TEST_ONLY;THREADS" "MANIFEST;SCHEMAS" "SOURCES;LINK;TESTS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gantry_add_plugin(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  elseif(NOT name MATCHES "^[a-z0-9][a-z0-9_-]*$")
    message(FATAL_ERROR "gantry_add_plugin(${name}): a plugin's name is lower-case letters, digits, "
                        "'_' and '-', e.g. 'word-count'")
  elseif(NOT arg_SOURCES)
    message(FATAL_ERROR "gantry_add_plugin(${name}): SOURCES is missing")
  endif()

  if(GANTRY_TEST_ONLY_PLUGINS)  # set for a folder whose plugins are copied, not installed
    set(arg_TEST_ONLY TRUE)
  endif()

  add_library(${name}_objects OBJECT ${arg_SOURCES})
  target_link_libraries(${name}_objects PUBLIC gantry::sdk ${arg_LINK})
  target_include_directories(${name}_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  set_target_properties(${name}_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${name}_objects PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  if(TARGET gantry_options)  # inside Gantry's own tree: its warnings
    target_link_libraries(${name}_objects PRIVATE gantry_options)
  endif()

  gantry_plugin_note_(${name} "${arg_MANIFEST}" "${arg_SCHEMAS}" note composed)
  add_library(${name} MODULE $<TARGET_OBJECTS:${name}_objects> ${note})
  target_link_libraries(${name} PRIVATE gantry::sdk ${arg_LINK})
  gantry_plugin_link_(${name} "${arg_TEST_ONLY}")
  if(arg_TESTS)
    gantry_plugin_tests_(${name} "${composed}" "${arg_THREADS}" ${arg_TESTS})
  endif()
endfunction()

# A language this project has: assembler input goes through any compiler driver.
function(gantry_plugin_driver_ out)
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER)
      set(driver ${CMAKE_${language}_COMPILER})
      if(CMAKE_${language}_COMPILER_TARGET)
        list(APPEND driver --target=${CMAKE_${language}_COMPILER_TARGET})
      endif()
      set(${out} ${driver} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "gantry_add_plugin: enable C or CXX in project()")
endfunction()

# Where the schemas named by SCHEMAS are: the author's folder, or a family of Gantry's own.
function(gantry_plugin_schemas_ name schemas out)
  get_property(shared GLOBAL PROPERTY GANTRY_SDK_SCHEMAS_DIR)
  get_filename_component(own "${schemas}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(folder "${own}" "${shared}/tools/${schemas}")
    if(IS_DIRECTORY "${folder}")
      set(${out} ${folder} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "gantry_add_plugin(${name}): SCHEMAS '${schemas}' is neither a folder "
                      "('${own}') nor a family in '${shared}/tools'")
endfunction()

# The object file with the manifest note, made again when any of its inputs changes.
function(gantry_plugin_note_ name manifest schemas out_object out_composed)
  get_property(tools GLOBAL PROPERTY GANTRY_SDK_CMAKE_DIR)
  if(NOT manifest)
    set(manifest manifest.json)
  endif()
  get_filename_component(manifest ${manifest} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${manifest})
    message(FATAL_ERROR "gantry_add_plugin(${name}): there is no manifest '${manifest}'")
  endif()
  set(files "")
  if(schemas)
    gantry_plugin_schemas_(${name} ${schemas} schemas)
    file(GLOB files CONFIGURE_DEPENDS ${schemas}/*.schema.json)
  endif()
  gantry_plugin_driver_(driver)
  set(stem ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(
    OUTPUT ${stem}.note.o ${stem}.manifest.json
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DMANIFEST=${manifest} -DSCHEMAS=${schemas}
            -DOUTPUT=${stem}.manifest.json -DASSEMBLY=${stem}.note.s
            -P ${tools}/GantryManifestNote.cmake
    COMMAND ${driver} -c ${stem}.note.s -o ${stem}.note.o
    DEPENDS ${manifest} ${files} ${tools}/GantryManifestNote.cmake
    COMMENT "Composing the manifest of ${name}" VERBATIM)
  set_source_files_properties(${stem}.note.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${out_object} ${stem}.note.o PARENT_SCOPE)
  set(${out_composed} ${stem}.manifest.json PARENT_SCOPE)
endfunction()

# True when a sanitizer is on: its runtime is resolved from the program, so undefined symbols are
# allowed then.
function(gantry_plugin_sanitized_ out)
  get_directory_property(compile COMPILE_OPTIONS)
  get_directory_property(link LINK_OPTIONS)
  set(all "${compile} ${link} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS} ${CMAKE_MODULE_LINKER_FLAGS}")
  string(FIND "${all}" "-fsanitize" at)
  if(at GREATER_EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Names, places and link flags of the .so.
function(gantry_plugin_link_ name test_only)
  get_property(tools GLOBAL PROPERTY GANTRY_SDK_CMAKE_DIR)
  set(folder plugins)
  if(test_only)
    set(folder test-plugins)
  else()
    install(TARGETS ${name} LIBRARY DESTINATION lib/gantry/plugins)
  endif()
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder}
    LINK_DEPENDS ${tools}/plugin.map)
  get_target_property(sources ${name}_objects SOURCES)
  if(NOT "${sources}" MATCHES "\\.(cc|cpp|cxx|C)(;|$)")
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  else()
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_link_options(${name} PRIVATE
    -Wl,--version-script=${tools}/plugin.map -Wl,-z,relro -Wl,-z,now)
  gantry_plugin_sanitized_(sanitized)
  if(NOT sanitized)
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

function(gantry_plugin_tests_ name composed threads)
  if(DEFINED GANTRY_BUILD_TESTS)  # Gantry's own tree
    set(wanted ${GANTRY_BUILD_TESTS})
    if(GANTRY_SANITIZE STREQUAL "thread" AND NOT threads)
      set(wanted OFF)
    endif()
  else()
    set(wanted ${BUILD_TESTING})
  endif()
  if(NOT wanted)
    return()
  elseif(NOT TARGET gantry::testing)
    message(FATAL_ERROR "gantry_add_plugin(${name}): TESTS needs the test kit; write "
                        "find_package(GantrySDK COMPONENTS testing), or configure with "
                        "-DBUILD_TESTING=OFF")
  endif()
  add_executable(${name}_tests ${ARGN} $<TARGET_OBJECTS:${name}_objects>)
  add_dependencies(${name}_tests ${name})
  target_link_libraries(${name}_tests PRIVATE gantry::testing GTest::gtest_main
    $<TARGET_PROPERTY:${name}_objects,LINK_LIBRARIES>)
  target_include_directories(${name}_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(${name}_tests PRIVATE
    GANTRY_PLUGIN_FILE="$<TARGET_FILE:${name}>" GANTRY_PLUGIN_MANIFEST="${composed}")
  set_target_properties(${name}_tests PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(COMMAND gantry_add_ctest)
    gantry_add_ctest(plugin.${name} ${name}_tests LABELS unit plugin)
  else()
    include(GoogleTest)
    gtest_discover_tests(${name}_tests TEST_PREFIX "plugin.${name}." DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS "unit;plugin" TIMEOUT 120)
  endif()
endfunction()
