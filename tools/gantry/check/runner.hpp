// tools/gantry/check/runner.hpp: runs one check in its own process.
//
// The process and its children are killed when they take too long. Main thread.
#pragma once

#include <string>
#include <vector>

#include "tools/gantry/check/checks.hpp"

namespace gantry::cli {

// Runs this program with `arguments`, which make it run the check and report to the descriptor
// kReportDescriptor. Its printed output is shown only when the check does not end.
Outcome run_check(const Check& check, const std::vector<std::string>& arguments, int seconds);

inline constexpr int kReportDescriptor = 3;

}  // namespace gantry::cli
