// tools/gantry/check/runner.hpp: one check in a process of its own.
//
// The process is killed with all it started when it takes too long. Main thread.
#pragma once

#include <string>
#include <vector>

#include "tools/gantry/check/checks.hpp"

namespace gantry::cli {

// Runs this very program with `arguments`, which end in a run of the check that reports to the
// descriptor kReportDescriptor. What it prints is shown only when it does not come to its end.
Outcome run_check(const Check& check, const std::vector<std::string>& arguments, int seconds);

inline constexpr int kReportDescriptor = 3;

}  // namespace gantry::cli
