// In what our answers differ from MongoDB's, on purpose, by rule. Ours are always the stricter.
#pragma once

#include <string_view>

namespace gantry::data::testing {

// The rule that explains why `where` got this answer; empty when there is none.
std::string_view difference(std::string_view where, std::string_view answer);

}  // namespace gantry::data::testing
