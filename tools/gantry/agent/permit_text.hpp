// tools/gantry/agent/permit_text.hpp: verdicts of agent.permit as rows, JSON and a table.
//
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

namespace gantry::cli {

struct PermitRow {
  std::string agent, tool, cls;   // no class: the call names none
  std::string denied_at, reason;  // empty: permitted
};
using PermitRows = std::vector<PermitRow>;

// From the host's answer for one profile; at least one row.
Result<PermitRows> permit_rows(const std::string& agent, const rapidjson::Value& answer);

// {agent, tool, class?, allowed, reason?, denied_at?}, the first three only if `is_named`.
std::string verdict_json(const PermitRow& row, bool is_named);
std::string permit_table(const PermitRows& rows);

}  // namespace gantry::cli
