// The rules for numbers and strings.
#pragma once

#include "run/run_state.hpp"

namespace gantry::schema::detail {

class ScalarRules {
 public:
  explicit ScalarRules(RunState& state) : state_(state) {}

  // minimum, maximum, exclusive*, multipleOf; f.value is a number.
  bool number(const Op& op, const Frame& f) const;
  // minLength, maxLength, pattern; f.value is a string.
  bool string(const Op& op, const Frame& f) const;

 private:
  bool min_length(std::uint32_t least, std::string_view text) const;
  bool max_length(std::uint32_t most, std::string_view text) const;

  RunState& state_;
};

}  // namespace gantry::schema::detail
