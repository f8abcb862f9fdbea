// tools/gantry/doctor/finding.hpp: what a check of gantry doctor found, as a line or as JSON.
//
// Values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/gantry/text/color.hpp"

namespace gantry::cli::doctor {

enum class Verdict : std::uint8_t { ok, warn, fail };

struct Finding {
  Verdict verdict;
  std::string name;      // of the check: "database", "plugin query"
  std::string sentence;  // the fact
  std::string advice{};  // what to do; empty: nothing
};

using Findings = std::vector<Finding>;

// "ok", "warn" or "fail".
const char* word_of(Verdict verdict);

// True when none failed.
bool is_healthy(const Findings& findings);

// A line for each: "warn  state: SENTENCE — ADVICE". Control characters are blanks.
std::string lines_of(const Findings& findings, const Color& color);

// {"healthy":…,"checks":[{"verdict","name","sentence","advice"?}]} on one line.
std::string json_of(const Findings& findings);

}  // namespace gantry::cli::doctor
