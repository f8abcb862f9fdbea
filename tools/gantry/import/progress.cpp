#include "tools/gantry/import/progress.hpp"

#include <array>
#include <cstdio>

namespace gantry::cli::importing {

std::string progress_line(const char* what, std::uint64_t bytes, std::uint64_t all,
                          std::size_t rows) {
  constexpr std::size_t kWidth = 24;
  std::string line = what;
  line.resize(9, ' ');
  if (all > 0) {
    const double part = static_cast<double>(bytes) / static_cast<double>(all);
    const auto full = static_cast<std::size_t>(part * kWidth);
    line += "[" + std::string(full, '#') + std::string(kWidth - full, '-') + "] ";
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%3d %%", static_cast<int>(part * 100));
    line += text.data();
  }
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "  %.1f MB", static_cast<double>(bytes) / 1e6);
  line += text.data();
  return rows > 0 ? line + "  " + std::to_string(rows) + " rows" : line;
}

void Progress::show(const char* what, std::uint64_t bytes, std::uint64_t all, std::size_t rows) {
  if (!is_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (is_shown_ && now - shown_at_ < std::chrono::milliseconds(100)) return;
  is_shown_ = true;
  shown_at_ = now;
  std::fprintf(stderr, "\r%s\033[K", progress_line(what, bytes, all, rows).c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
  is_shown_ = false;
}

}  // namespace gantry::cli::importing
