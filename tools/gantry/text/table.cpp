#include "tools/gantry/text/table.hpp"

#include <locale.h>
#include <sys/ioctl.h>
#include <wchar.h>

#include <algorithm>
#include <cwchar>
#include <string_view>

namespace gantry::cli {
namespace {

// Reads text as UTF-8 while it lives, whatever the user's locale is.
class Utf8 {
 public:
  Utf8() : before_(::uselocale(locale())) {}
  ~Utf8() { ::uselocale(before_); }
  Utf8(const Utf8&) = delete;
  Utf8& operator=(const Utf8&) = delete;

 private:
  static locale_t locale() {
    static const locale_t kUtf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return kUtf8 == nullptr ? LC_GLOBAL_LOCALE : kUtf8;
  }
  const locale_t before_;
};

struct Character {
  std::size_t bytes, columns;
};

// The character at the begin of `text`, which is not empty. Bytes that are none take a column each.
Character first_character(std::string_view text) {
  wchar_t character = 0;
  std::mbstate_t state{};
  const std::size_t bytes = std::mbrtowc(&character, text.data(), text.size(), &state);
  if (bytes == 0 || bytes > text.size()) return {1, 1};
  const int columns = ::wcwidth(character);
  return {bytes, columns < 0 ? 0 : static_cast<std::size_t>(columns)};
}

std::size_t width(std::string_view text) {
  const Utf8 utf8;
  std::size_t out = 0;
  while (!text.empty()) {
    const Character one = first_character(text);
    out += one.columns;
    text.remove_prefix(one.bytes);
  }
  return out;
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

// Takes columns from the widest until all fit. False: they do not.
bool narrow(Widths& widths, std::size_t columns) {
  std::size_t all = kGap * (widths.size() - 1);
  for (const std::size_t one : widths) all += one;
  while (all > columns) {
    auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrow) return false;
    --*widest;
    --all;
  }
  return true;
}

void cut(std::string& text, std::size_t columns) {
  if (width(text) <= columns) return;
  const Utf8 utf8;
  std::size_t end = 0, used = 0;
  while (end < text.size()) {
    const Character one = first_character(std::string_view(text).substr(end));
    if (used + one.columns + 1 > columns) break;
    used += one.columns;
    end += one.bytes;
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

bool can_fit(const std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  Widths widths = widths_of(rows);
  return columns == 0 || widths.empty() || narrow(widths, columns);
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
