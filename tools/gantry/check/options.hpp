// tools/gantry/check/options.hpp: options of `check` and `test` about the plugin's surroundings.
#pragma once

#include <string>
#include <vector>

#include "tools/gantry/check/subject.hpp"
#include "tools/gantry/command.hpp"

namespace gantry::cli {

// As they were typed: the process of a check gets the same words.
struct SurroundingOptions {
  std::string config;
  std::vector<std::string> secrets, arguments;
  int seconds = 20;

  std::vector<std::string> words() const;
};

void declare_surroundings(CLI::App& command, SurroundingOptions& options);
Result<Surroundings> read_surroundings(const SurroundingOptions& options);

}  // namespace gantry::cli
