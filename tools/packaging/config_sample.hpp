// tools/packaging/config_sample.hpp: the configuration file that a package installs.
//
// Every key of the schema stands in it with its description and its default, commented out. Pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::packaging {

// A plugin with the JSON Schema of its configuration.
struct PluginSchema {
  std::string name, schema;
};

// `schema`: the configuration's, a JSON Schema. `defaults`: the configuration with all defaults and
// with one plugin NAME, as gantryd prints it. `plugins`: the built-in ones that have a
// configuration. An error when a text is no JSON.
Result<std::string> config_sample(std::string_view schema, std::string_view defaults,
                                  const std::vector<PluginSchema>& plugins);

}  // namespace gantry::packaging
