// tools/gantry/text/ask.hpp: asks the user at the terminal. Main thread.
#pragma once

#include <cstdio>
#include <string>

namespace gantry::cli {

// Whether the user answers the question, which goes to `out`, with y or yes.
bool confirmed(const std::string& question, std::FILE* out = stdout);

}  // namespace gantry::cli
