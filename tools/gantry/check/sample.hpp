// tools/gantry/check/sample.hpp: the least value that satisfies a JSON Schema.
//
// Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::cli {

// JSON text, checked against the schema; nothing when none was found: some schemas cannot be
// guessed.
std::optional<std::string> sample(std::string_view schema);

}  // namespace gantry::cli
