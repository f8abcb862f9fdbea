// tools/gantry/writes/writes.hpp: `gantry writes` and `gantry undo`: what agents wrote, and taking
// it back.
#pragma once

#include <string>

#include <rapidjson/document.h>

#include "tools/gantry/command.hpp"
#include "tools/gantry/host/host.hpp"

namespace gantry::cli {

void declare_writes(CLI::App& app, Run& run);  // list, show
void declare_undo(CLI::App& app, Run& run);

// Of {writes: […]}: one line for each under a heading; one sentence when there are none. Its lines
// take at most `width` columns (0: any number).
std::string write_table(const rapidjson::Value& answer, std::size_t width);
// Of one with its changes, in lines.
std::string write_text(const rapidjson::Value& write);

}  // namespace gantry::cli
