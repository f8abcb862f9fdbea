// tools/gantry/check/report.hpp: how the process of one check tells what it found.
//
// A line a finding, written at once, so that what was found before a crash is not lost; the last
// line says that the check came to its end. Any thread.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "tools/gantry/check/finding.hpp"

namespace gantry::cli {

class Report {
 public:
  explicit Report(int descriptor) : descriptor_(descriptor) {}

  void note(std::string_view text) { line("note", text); }
  void warn(std::string_view text) { line("warning", text); }
  void fault(std::string_view text) { line("fault", text); }
  void offered(std::string_view kind, std::string_view name);
  void done() { line("done", ""); }

 private:
  void line(std::string_view word, std::string_view text);

  int descriptor_;
  std::mutex mutex_;
};

// The other end: false when the text does not end with done().
bool read_report(std::string_view text, Outcome& outcome);

}  // namespace gantry::cli
