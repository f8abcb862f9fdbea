// where/regex.hpp: makes the Pattern of a constraint; an invalid one is a Refusal.
#pragma once

#include <string_view>

#include "values/pattern.hpp"

namespace gantry::data::where {

class Regex : public Pattern {
 public:
  Regex(std::string_view pattern, std::string_view options);
};

}  // namespace gantry::data::where
