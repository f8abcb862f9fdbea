#include "expr/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>

#include "errors/query_error.hpp"
#include "expr/numbers.hpp"
#include "expr/registry.hpp"
#include "values/ascii.hpp"
#include "values/iso_date.hpp"

namespace gantry::data::expr {
namespace {

std::string six_digits(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%g", value);
  std::string text(buffer.data(), static_cast<std::size_t>(length));
  std::replace(text.begin(), text.end(), ',', '.');  // independent of the locale
  return text;
}

constexpr std::size_t kPart = std::size_t{64} << 10;  // bytes between two steps

// Calls `work` on all of the text, part by part.
template <class Text, class Work>
void by_parts(Text text, Work work) {
  for (std::size_t at = 0; at < text.size(); at += kPart) {
    Spending::step_current();
    work(text.subspan(at, std::min(kPart, text.size() - at)));
  }
}

std::string with_each(std::string_view text, char (*change)(char)) {
  std::string result(text);
  by_parts(std::span<char>(result), [change](std::span<char> part) {
    std::transform(part.begin(), part.end(), part.begin(), change);
  });
  return result;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

}  // namespace

std::size_t count_characters(std::string_view text) {
  std::ptrdiff_t count = 0;
  by_parts(std::span<const char>(text), [&count](std::span<const char> part) {
    count +=
        std::count_if(part.begin(), part.end(), [](char c) { return !continues_character(c); });
  });
  return static_cast<std::size_t>(count);
}

std::size_t skip_characters(std::string_view text, std::size_t at, std::size_t count) {
  for (std::size_t skipped = 0; skipped < count && at < text.size(); ++skipped) {
    if (skipped % kPart == kPart - 1) Spending::step_current();
    at = next_character(text, at);
  }
  return at;
}

// memmem() is linear. It is called window by window, with a step between two. A window is at least
// as long as `part`, because each call preprocesses `part`.
std::size_t find_text(std::string_view text, std::string_view part, std::size_t from) {
  if (from > text.size()) return kNotFound;
  constexpr std::size_t kWindow = std::size_t{256} << 10;
  const std::size_t window = std::max(kWindow, part.size());
  for (std::size_t at = from; at <= text.size() && part.size() <= text.size() - at; at += window) {
    if (text.size() - at > kPart) Spending::step_current();
    const std::size_t size = std::min(text.size() - at, window + part.size());
    const void* found = ::memmem(text.data() + at, size, part.data(), part.size());
    if (found != nullptr)
      return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  }
  return kNotFound;
}

std::string ascii_lower(std::string_view text) { return with_each(text, lower_char); }
std::string ascii_upper(std::string_view text) { return with_each(text, upper); }

std::string coerce_to_text(std::string_view op, const Value& value) {
  if (value.is_string()) return std::string(value.text());
  if (value.is_nullish()) return {};
  if (value.is_integral()) return std::to_string(value.integer());
  if (value.is_real()) return six_digits(value.real());
  if (value.is_date()) return date_text(op, value.integer());
  refuse_type(op, "strings, numbers or dates", value);
}

std::string_view view_as_text(std::string_view op, const Value& value, std::string& made) {
  if (value.is_string()) return value.text();
  return made = coerce_to_text(op, value);
}

std::string date_text(std::string_view op, std::int64_t milliseconds) {
  if (!fits_iso_date(milliseconds)) {
    throw QueryError(std::string(op) + " writes dates of the years 0 to 9999 only.");
  }
  std::string text;
  append_iso_date(milliseconds, text);
  return text;
}

void check_text_size(std::string_view op, std::size_t size) {
  if (size <= kLongestText) return;
  throw QueryError(std::string(op) + " would make more than " + std::to_string(kLongestText >> 20) +
                   " MiB of text.");
}

std::int32_t whole_int(std::string_view whose, const Value& value) {
  if (!value.is_number()) refuse_type(whose, "a whole number", value);
  const auto whole = whole_long(value);
  if (!whole || *whole < INT32_MIN || *whole > INT32_MAX) {
    throw QueryError(std::string(whose) + " needs a whole number of 32 bits.");
  }
  return static_cast<std::int32_t>(*whole);
}

}  // namespace gantry::data::expr
