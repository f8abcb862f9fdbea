// host/observe/utc.hpp: times as people and machines read them.
//
// Pure functions; any thread.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace gantry::host {

// "2026-11-22T19:00:00.123Z"
inline std::string utc_time(std::chrono::system_clock::time_point when) {
  using namespace std::chrono;
  const auto now = floor<milliseconds>(when.time_since_epoch());
  const auto second = floor<seconds>(now);
  const auto time = static_cast<std::time_t>(second.count());
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[64];
  std::string out(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts));
  const std::string thousandths = std::to_string((now - second).count());
  return out + std::string(3 - thousandths.size(), '0') + thousandths + "Z";
}

// The number of whole days since 1970 in UTC.
inline std::int64_t utc_day(std::chrono::system_clock::time_point when) {
  return std::chrono::floor<std::chrono::days>(when).time_since_epoch().count();
}

}  // namespace gantry::host
