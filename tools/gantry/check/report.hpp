// tools/gantry/check/report.hpp: sends the findings of one check to the parent process.
//
// Each finding is one line and is written at once, so that a crash loses none of the earlier ones.
// The last line says that the check ended. Any thread.
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
  // A call of this tool begins: a crash from now on is told with its name.
  void calling(std::string_view tool) { line("calling", tool); }
  void done() { line("done", ""); }

 private:
  void line(std::string_view word, std::string_view text);

  int descriptor_;
  std::mutex mutex_;
};

// The other end: false when the text does not end with done().
bool read_report(std::string_view text, Outcome& outcome);

}  // namespace gantry::cli
