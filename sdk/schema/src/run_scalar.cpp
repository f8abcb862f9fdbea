// Rules for numbers and strings, const and enum.
#include <algorithm>

#include "runner.hpp"

namespace gantry::schema::detail {
namespace {

std::string_view text_of(const Json& string) {
  return {string.GetString(), string.GetStringLength()};
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

}  // namespace

bool Runner::number_op(const Op& op, const Frame& f) {
  const Number value = Number::of(f.value);
  bool good = false;
  if (op.code == Code::kMultipleOf) {
    good = is_multiple(value, program_.decimals[op.a]);
  } else {
    const int order = compare(value, program_.numbers[op.a]);
    good = op.code == Code::kMinimum            ? order >= 0
           : op.code == Code::kMaximum          ? order <= 0
           : op.code == Code::kExclusiveMinimum ? order > 0
                                                : order < 0;
  }
  return good || fail(op, f);
}

bool Runner::string_op(const Op& op, const Frame& f) {
  const std::string_view text = text_of(f.value);
  if (op.code == Code::kPattern) return matches(op.a, text) || fail(op, f);
  // A code point has one to four bytes, so most lengths need no counting.
  if (op.code == Code::kMinLength) {
    if (text.size() / 4 >= op.a) return true;
    return (text.size() >= op.a && spend(text.size() / 64) && code_points(text) >= op.a) ||
           fail(op, f);
  }
  if (text.size() <= op.a) return true;
  return (text.size() / 4 <= op.a && spend(text.size() / 64) && code_points(text) <= op.a) ||
         fail(op, f);
}

bool Runner::matches(std::uint32_t regex, std::string_view text) {
  if (!spend(10 + text.size() / 64)) return false;
  const auto outcome = matcher_.find(program_.regexes[regex], text, steps_);
  if (outcome == Matcher::Outcome::kTooCostly) {
    return stop("matching a pattern would take too many steps");
  }
  return outcome == Matcher::Outcome::kMatch;
}

bool Runner::constant(const Op& op, const Frame& f) {
  return equal(f.value, program_.literals[op.a], 0) || fail(op, f);
}

bool Runner::enumeration(const Op& op, const Frame& f) {
  const EnumTable& table = program_.enums[op.a];
  if (f.value.IsString()) {
    const std::string_view text = text_of(f.value);
    const auto at = std::lower_bound(
        table.strings.begin(), table.strings.end(), text, [&](Text t, std::string_view wanted) {
          return t.size != wanted.size() ? t.size < wanted.size() : program_.view(t) < wanted;
        });
    return (at != table.strings.end() && program_.view(*at) == text) || fail(op, f);
  }
  for (const std::uint32_t other : table.others) {
    if (equal(f.value, program_.literals[other], 0)) return true;
  }
  return fail(op, f);
}

}  // namespace gantry::schema::detail
