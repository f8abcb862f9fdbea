// tools/gantry/audit/query.hpp: which audit records an operator asks for, and their text.
//
// Pure functions.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "tools/gantry/text/color.hpp"

namespace gantry::cli {

struct AuditQuery {
  std::string from{};           // as the time of a record; empty: any
  std::string tool{}, agent{};  // empty: any
  bool denied = false;          // only calls that the rules refused
  std::size_t limit = 100;
};

// "90s", "30m", "1h" or "2d" before `now`, or a date or time in ISO 8601, as the time of a record.
Result<std::string> moment_of(const std::string& since, std::chrono::system_clock::time_point now);

bool is_wanted(const rapidjson::Value& record, const AuditQuery& query);

// The parameters of audit.search. With a cursor: what came after it, waiting up to a second.
std::string search_of(const AuditQuery& query, const std::string& cursor = {});

// Of a record: time, tool, agent, outcome, milliseconds, bytes; painted by the outcome.
std::string audit_heading();
std::string audit_line(const rapidjson::Value& record, const Color& color);

}  // namespace gantry::cli
