// tools/gantry/mcp/progress_line.hpp: the line of standard error about a running call.
//
// Main thread.
#pragma once

#include <rapidjson/document.h>

namespace gantry::cli {

// Without a terminal it shows nothing.
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
  const bool is_terminal_;
  bool is_shown_ = false;
};

}  // namespace gantry::cli
