// tools/gantry/doctor/program.hpp: runs a gantryd that does not serve, and keeps what it prints.
//
// Main thread.
#pragma once

#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli::doctor {

// How gantryd is started: its flags, and the directory in which they hold.
struct Invocation {
  std::vector<std::string> flags;
  std::string directory{};  // empty: this one
};

struct Ended {
  int code = 0;
  std::string output;  // both streams
};

// Runs the gantryd beside this program with the flags and `more` to its end. Errors: there is no
// such program; GANTRY_CANCELLED: the user stopped it; it took longer than a minute.
Result<Ended> run_gantryd(const Invocation& invocation, const std::vector<std::string>& more,
                          const Stop& stop);

// How the process `pid` of this user was started. An error: it cannot be read.
Result<Invocation> invocation_of(std::uint64_t pid);

}  // namespace gantry::cli::doctor
