// tests/host/observe/exposition.hpp: reads the text of the metrics.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include "host/observe/metrics.hpp"

namespace gantry::host::metrics_test {

// The value of a sample in the exposition, as it is written; "" when there is none.
inline std::string value_of(const std::string& text, std::string_view sample) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto space = line.rfind(' ');
    if (std::string_view(line).substr(0, space) == sample) return line.substr(space + 1);
  }
  return {};
}

inline std::string value_of(const Metrics& metrics, std::string_view sample) {
  return value_of(metrics.text(), sample);
}

// How many samples of one metric there are.
inline long samples_of(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  long found = 0;
  for (std::string line; std::getline(lines, line);) found += line.starts_with(name + "{");
  return found;
}

}  // namespace gantry::host::metrics_test
