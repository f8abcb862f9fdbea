// tools/gantry/check/sample.hpp: the smallest value that satisfies a JSON Schema.
//
// Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::cli {

// JSON text, checked against the schema. Empty when the generator found no value; it does not cover
// every schema.
std::optional<std::string> sample(std::string_view schema);

}  // namespace gantry::cli
