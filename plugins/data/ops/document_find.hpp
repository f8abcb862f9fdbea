// ops/document_find.hpp: finds objects of a document class by where, order, bounds and keys.
#pragma once

#include <string_view>
#include <vector>

#include "plan/pipeline_run.hpp"

namespace gantry::data {

struct Finding {
  Value where;  // see document_where.hpp; missing: all
  std::string_view order;
  std::int64_t skip = 0, limit = 100;
  std::vector<std::string_view> keys;  // empty: all fields
};

// Whether the objects are sorted by distance, see document_near.hpp.
bool is_near(const Finding& finding);

// The pipeline of a finding that is not is_near(): $match, $sort, $skip, $limit, $project.
Pipeline finding_pipeline(const ClassView& cls, const Finding& finding);

// At most `limit` documents, each with objectId first. A projection to keys also keeps _id,
// objectId, createdAt and updatedAt; dotted keys work as in MongoDB's projection. Throws
// QueryError.
Documents find_documents(const Request& request, const ClassView& cls, const Finding& finding);

// The documents with these objectIds, each once: if several documents have the same one, that whose
// _id is exactly the text, else the first. In the order of the rows.
Array find_by_ids(const Request& request, const ClassView& cls,
                  const std::vector<std::string_view>& ids,
                  const std::vector<std::string_view>& keys);

// The number of documents that satisfy `where` (missing: all).
std::int64_t count_found(const Request& request, const ClassView& cls, const Value& where);

// Adds "-createdAt,name" as a $sort, unless it is empty. objectId sorts by _id.
void add_sort(std::string_view order, Array& stages);

}  // namespace gantry::data
