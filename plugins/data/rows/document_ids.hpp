// rows/document_ids.hpp: SQL for the rows of a document class that may have given objectIds.
#pragma once

#include <string_view>
#include <vector>

#include "values/fragment.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// A condition that every row with one of these ids satisfies. It also selects rows whose _id is
// neither text nor a whole number, and rows without valid JSON; the caller must check those.
Fragment documents_with_ids(const ClassView& cls, const std::vector<std::string_view>& ids);

}  // namespace gantry::data
