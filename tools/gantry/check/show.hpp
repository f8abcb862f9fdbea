// tools/gantry/check/show.hpp: outcomes as text and as JSON. Pure.
#pragma once

#include <string>
#include <vector>

#include "tools/gantry/check/finding.hpp"

namespace gantry::cli {

std::string as_text(const std::string& file, const std::vector<Outcome>& outcomes, bool notes);
// {file, ok, faults, warnings, checks: [{name, about, ok, skipped, seconds, findings: [{level,
// text}]}]}
std::string as_json(const std::string& file, const std::vector<Outcome>& outcomes);
bool all_ok(const std::vector<Outcome>& outcomes);

}  // namespace gantry::cli
