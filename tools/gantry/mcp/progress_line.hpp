// tools/gantry/mcp/progress_line.hpp: the line of standard error about a running call.
//
// Main thread.
#pragma once

#include <string>

#include <rapidjson/fwd.h>

namespace gantry::cli {

// Without a terminal it shows nothing but a call that waits for approval, which keeps its line.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // The params of a notifications/progress.
  void show(const rapidjson::Value& params);
  void clear();

 private:
  void show_line(const std::string& text);

  const bool is_terminal_;
  bool is_shown_ = false;
};

// What the params of a notifications/progress say of a call that waits for approval; empty: it does
// not wait.
std::string waiting_text(const rapidjson::Value& params);

}  // namespace gantry::cli
