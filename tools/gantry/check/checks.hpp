// tools/gantry/check/checks.hpp: the rules of the contract, one check each.
//
// Each check runs in its own process, which the plugin may crash: run_one() is called there.
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

// Checks the file without running any of its code.
Outcome check_file(const std::filesystem::path& file, const Surroundings& surroundings);

// The checks of the whole plugin. The first, "life", also finds the offered items, which the others
// need.
std::vector<Check> plugin_checks(const Subject& subject);
// One for each item that was offered.
std::vector<Check> item_checks(const std::vector<Offered>& offered);

// Called in the process of the check. False: there is no check of this name.
bool run_one(std::string_view check, const Subject& subject, Report& report);

}  // namespace gantry::cli
