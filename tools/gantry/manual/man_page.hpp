// tools/gantry/manual/man_page.hpp: the manual page of a command, as roff for man(1).
//
// Pure functions.
#pragma once

#include <string>

#include "tools/gantry/manual/syntax.hpp"

namespace gantry::cli {

// The file's name without its section: "gantry-plugin-list".
std::string man_page_name(const Command& command);

// The page in section 1. `parent` is the command above it; null: there is none.
std::string man_page(const Command& command, const Command* parent, const std::string& version);

}  // namespace gantry::cli
