// gantry/testing/reply.hpp: what a call of a plugin's item ended with, as a test looks at it.
//
// Values.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gantry/abi/status.h>

namespace gantry::testing {

struct Progress {
  double done = 0, total = 0;
  std::string note;
};

struct LogLine {
  int level = 0;
  std::string text;
};

struct Reply {
  gantry_status status = GANTRY_OK;  // below zero: failed
  // Type and body of each piece in order: "text", "image/png" (raw bytes), "block" (JSON); of a
  // service each part once, its bodies joined.
  std::vector<std::pair<std::string, std::string>> content;
  std::string structured;                    // JSON, or empty
  std::string error_code, message, details;  // of a failed call
  std::vector<Progress> progress;
  std::vector<LogLine> log;  // lines for the client
  bool timed_out = false;    // the deadline passed before the answer
  bool cancelled = false;

  bool ok() const { return status >= 0; }
  // The text content, joined by newlines.
  std::string text() const;
  // A service's part, "" when it was not written.
  std::string part(std::string_view type) const;
};

std::ostream& operator<<(std::ostream& out, const Reply& reply);

}  // namespace gantry::testing
