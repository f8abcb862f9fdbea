// tools/gantry/check/checks.hpp: the rules of the contract, one check each.
//
// A check runs in a process of its own, which it may take down: run_one() is that process's work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/gantry/check/report.hpp"
#include "tools/gantry/check/subject.hpp"

namespace gantry::cli {

struct Check {
  std::string name, about;
};

// What the file says, without running anything of it.
Outcome check_file(const std::filesystem::path& file, const Surroundings& surroundings);

// The checks of a plugin as a whole. The first, "life", also says what is offered; without it the
// others make no sense.
std::vector<Check> plugin_checks(const Subject& subject);
// One for each item that was offered.
std::vector<Check> item_checks(const std::vector<Offered>& offered);

// In the process of the check. False: there is no check of this name.
bool run_one(std::string_view check, const Subject& subject, Report& report);

}  // namespace gantry::cli
