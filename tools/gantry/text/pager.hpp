// tools/gantry/text/pager.hpp: text that is longer than the terminal.
//
// Main thread.
#pragma once

#include <string>

namespace gantry::cli {

// Writes the text to standard output. On a terminal that has fewer lines it goes through $PAGER,
// else less -FRX, unless that cannot be run or is "cat".
void show_paged(const std::string& text);

}  // namespace gantry::cli
