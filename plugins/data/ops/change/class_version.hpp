// ops/change/class_version.hpp: the version of a whole class, for the plan of its deletion.
#pragma once

#include <string>

#include "ops/request.hpp"
#include "store/editor.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// A digest of the class's definition and of all of its rows: of the fields that the agent sees, of
// documents as it reads them. `whole`: the class as the engine sees it. Reads every row, within the
// request's budget. Throws QueryError. 32 hexadecimal digits.
std::string class_version(const Request& request, Edit& edit, const ClassView& shown,
                          const ClassView& whole);

}  // namespace gantry::data
