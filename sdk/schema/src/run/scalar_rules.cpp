#include "run/scalar_rules.hpp"

namespace gantry::schema::detail {

bool ScalarRules::number(const Op& op, const Frame& f) const {
  const Program& program = state_.program();
  const Number value = Number::of(f.value);
  bool good = false;
  if (op.code == Code::kMultipleOf) {
    good = is_multiple(value, program.decimals[op.a]);
  } else {
    const int order = compare(value, program.numbers[op.a]);
    good = op.code == Code::kMinimum            ? order >= 0
           : op.code == Code::kMaximum          ? order <= 0
           : op.code == Code::kExclusiveMinimum ? order > 0
                                                : order < 0;
  }
  return good || state_.fail(op, f);
}

// A code point has one to four bytes, so most lengths need no counting.
bool ScalarRules::min_length(std::uint32_t least, std::string_view text) const {
  if (text.size() / 4 >= least) return true;
  return text.size() >= least && state_.spend(text.size() / 64) && code_points(text) >= least;
}

bool ScalarRules::max_length(std::uint32_t most, std::string_view text) const {
  if (text.size() <= most) return true;
  return text.size() / 4 <= most && state_.spend(text.size() / 64) && code_points(text) <= most;
}

bool ScalarRules::string(const Op& op, const Frame& f) const {
  const std::string_view text = view(f.value);
  const bool good = op.code == Code::kPattern     ? state_.matches(op.a, text)
                    : op.code == Code::kMinLength ? min_length(op.a, text)
                                                  : max_length(op.a, text);
  return good || state_.fail(op, f);
}

}  // namespace gantry::schema::detail
