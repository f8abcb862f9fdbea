// ops/document_ids.hpp: which rows of a document class may have one of some objectIds, as SQL.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "sql/fragment.hpp"

namespace gantry::data {

// A condition that every row with one of these ids satisfies, and few others: those whose _id is
// neither text nor a whole number, or that hold no JSON, are for the caller to look at.
Fragment documents_with_ids(const ClassInfo& cls, const std::vector<std::string_view>& ids);

}  // namespace gantry::data
