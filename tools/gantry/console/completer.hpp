// tools/gantry/console/completer.hpp: what Tab offers.
//
// Main thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/gantry/console/catalog.hpp"

namespace gantry::cli::console {

// The words of the console.
const std::vector<std::string>& console_words();

// The candidates for the word at the end of `before`, sorted: words, then tools, classes, prompts
// or methods, then arguments as "limit=", then their values without the key. Within brackets there
// are none.
std::vector<std::string> candidates_for(std::string_view before, Catalog& catalog);

}  // namespace gantry::cli::console
