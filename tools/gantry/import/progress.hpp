// tools/gantry/import/progress.hpp: a bar on the terminal of standard error, or nothing. Main
// thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gantry::cli::importing {

class Progress {
 public:
  // Without a terminal nothing is ever written.
  explicit Progress(bool is_terminal) : is_terminal_(is_terminal) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws at most ten times a second. `all` 0: the size is unknown.
  void show(const char* what, std::uint64_t bytes, std::uint64_t all, std::size_t rows);
  void clear();  // before other lines

 private:
  bool is_terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point shown_at_;
};

// "Reading  [#######-------]  50 %  12.5 MB  1000 rows"
std::string progress_line(const char* what, std::uint64_t bytes, std::uint64_t all,
                          std::size_t rows);

}  // namespace gantry::cli::importing
