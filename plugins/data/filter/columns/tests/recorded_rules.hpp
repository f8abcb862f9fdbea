// The intended differences between our answers and MongoDB's, by rule. Ours are always stricter.
#pragma once

#include <string_view>

namespace gantry::data::testing {

// The rule that explains this answer to `where`; empty if there is none.
std::string_view difference(std::string_view where, std::string_view answer);

}  // namespace gantry::data::testing
