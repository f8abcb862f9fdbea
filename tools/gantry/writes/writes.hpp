// tools/gantry/writes/writes.hpp: `gantry writes` and `gantry undo`: what agents wrote, and taking
// it back.
#pragma once

#include <string>

#include <rapidjson/fwd.h>

#include "tools/gantry/command.hpp"
#include "tools/gantry/host/host.hpp"

namespace gantry::cli {

void declare_writes(CLI::App& app, Run& run);  // list, show
void declare_undo(CLI::App& app, Run& run);

// The answer {writes: […]} as a table: a heading and one line for each write, or one sentence if
// there is none. The lines have at most `width` columns; 0: any number.
std::string write_table(const rapidjson::Value& answer, std::size_t width);
// One write with its changes, as lines of text.
std::string write_text(const rapidjson::Value& write);

}  // namespace gantry::cli
