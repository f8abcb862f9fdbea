# gantry_plugin_keys(TARGET a/gantryd.json …)
# The library TARGET, which defines builtin_plugin_keys() of host/config/plugin_keys.hpp from the
# files. A member of a file is a member of the struct, so the compiler refuses one it does not know;
# a key has to be in the schema of the manifest beside the file.
function(gantry_plugin_keys target)
  set(code "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    gantry_check_keys_(${file} "${text}")
    gantry_assign_json_("${text}" plugin assignments)
    string(APPEND code "  {\n    PluginKeys& plugin = out.emplace_back();\n${assignments}  }\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp @ONLY CONTENT [[
#include "host/config/plugin_keys.hpp"
namespace gantry::host {
std::vector<PluginKeys> builtin_plugin_keys() {
  std::vector<PluginKeys> out;
@code@  return out;
}
}  // namespace gantry::host
]])
  gantry_module(${target} SOURCES ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp DEPS gantry_config)
endfunction()

function(gantry_check_keys_ file text)
  cmake_path(REPLACE_FILENAME file manifest.json OUTPUT_VARIABLE manifest)
  file(READ ${manifest} manifest)
  string(JSON count LENGTH "${text}" keys)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON key GET "${text}" keys ${index} key)
    string(JSON type ERROR_VARIABLE problem TYPE "${manifest}" config properties ${key})
    if(problem)
      message(FATAL_ERROR "${file}: the manifest's config has no property '${key}'")
    endif()
  endforeach()
endfunction()

# Statements that assign the members of the JSON object `json`, texts and arrays, to those of `to`.
function(gantry_assign_json_ json to out)
  set(code "")
  string(JSON count LENGTH "${json}")
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON name MEMBER "${json}" ${index})
    string(JSON type TYPE "${json}" ${name})
    string(JSON value GET "${json}" ${name})
    if(type STREQUAL "STRING")
      string(APPEND code "    ${to}.${name} = R\"gantry(${value})gantry\";\n")
    elseif(type STREQUAL "ARRAY")
      gantry_append_json_("${value}" ${to} ${name} appends)
      string(APPEND code "${appends}")
    else()
      message(FATAL_ERROR "gantryd.json: '${name}' is neither a text nor an array")
    endif()
  endforeach()
  set(${out} "${code}" PARENT_SCOPE)
endfunction()

# Statements that append the elements of the JSON array `json` to the member `name` of `to`.
function(gantry_append_json_ json to name out)
  set(code "")
  string(JSON count LENGTH "${json}")
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON type TYPE "${json}" ${index})
    string(JSON value GET "${json}" ${index})
    if(type STREQUAL "OBJECT")
      gantry_assign_json_("${value}" ${name} assignments)
      string(APPEND code "    {\n    auto& ${name} = ${to}.${name}.emplace_back();\n${assignments}    }\n")
    else()
      string(APPEND code "    ${to}.${name}.push_back(R\"gantry(${value})gantry\");\n")
    endif()
  endforeach()
  set(${out} "${code}" PARENT_SCOPE)
endfunction()
