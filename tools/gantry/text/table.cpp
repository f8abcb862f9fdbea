#include "tools/gantry/text/table.hpp"

#include <sys/ioctl.h>

#include <algorithm>

namespace gantry::cli {
namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

using Widths = std::vector<std::size_t>;

constexpr std::size_t kNarrow = 4, kGap = 2;

Widths widths_of(const std::vector<std::vector<std::string>>& rows) {
  Widths widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  return widths;
}

// Takes columns from the widest until all fit.
void narrow(Widths& widths, std::size_t columns) {
  std::size_t all = kGap * (widths.size() - 1);
  for (const std::size_t one : widths) all += one;
  while (all > columns) {
    auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrow) return;
    --*widest;
    --all;
  }
}

void cut(std::string& text, std::size_t columns) {
  if (width(text) <= columns) return;
  std::size_t end = 0;
  for (std::size_t left = columns; end < text.size(); ++end) {
    if ((text[end] & 0xc0) != 0x80 && left-- == 1) break;
  }
  text = text.substr(0, end) + "…";
}

}  // namespace

std::vector<std::vector<std::string>> fitted(std::vector<std::vector<std::string>> rows,
                                             std::size_t columns) {
  Widths widths = widths_of(rows);
  if (columns == 0 || widths.empty()) return rows;
  narrow(widths, columns);
  for (auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) cut(row[i], widths[i]);
  }
  return rows;
}

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(1, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  const Widths widths = widths_of(rows);
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] + kGap - width(row[i]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace gantry::cli
