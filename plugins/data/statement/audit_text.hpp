// statement/audit_text.hpp: a caller's statement as an operator's record may hold it.
//
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

// The statement without its literals: each text, number and value in quotes is "?", comments are
// left out, and what is longer than 1,500 bytes ends with "…". A name in quotes stays if it is one
// of `names`, in any ASCII case: others may be texts in the wrong quotes.
std::string audit_text(std::string_view sql, const std::vector<std::string_view>& names);

}  // namespace gantry::data
