// tools/gantry/approvals/approvals.hpp: `gantry approvals`: calls of agents that wait for a person.
#pragma once

#include <string>

#include <rapidjson/fwd.h>

#include "tools/gantry/command.hpp"
#include "tools/gantry/host/host.hpp"

namespace gantry::cli {

void declare_approvals(CLI::App& app, Run& run);

// Of `gantry approvals`.
void declare_approvals_list(CLI::App& approvals, Run& run);
void declare_approvals_answer(CLI::App& approvals, Run& run);  // show, accept, decline

// The answer {approvals: […]} as a table: a heading and one line for each approval, or one sentence
// if there is none.
std::string approval_table(const rapidjson::Value& answer);
// One approval with its arguments and preview, as lines of text.
std::string approval_text(const rapidjson::Value& approval);

}  // namespace gantry::cli
