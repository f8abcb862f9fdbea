// tools/gantry/model/given_names.hpp: common given names of several languages.
//
// Names that are common words or places too (Mark, Rose, Paris) are left out. Pure; any thread.
#pragma once

#include <string_view>

namespace gantry::cli {

// Exact, with its capital: "Ada". Of a double name ("Hans-Peter") the first part decides.
bool is_common_given_name(std::string_view name);

}  // namespace gantry::cli
