// ops/document_find.hpp: objects of a document class by where, order, bounds and keys.
#pragma once

#include <string_view>
#include <vector>

#include "ops/pipeline_run.hpp"

namespace gantry::data {

struct Finding {
  Value where;  // see document_where.hpp; missing: all
  std::string_view order;
  std::int64_t skip = 0, limit = 100;
  std::vector<std::string_view> keys;  // empty: all fields
};

// Whether they are to come by their distance, see document_near.hpp.
bool is_near(const Finding& finding);

// The pipeline of a finding that is not: $match, $sort, $skip, $limit, $project.
Pipeline finding_pipeline(const ClassInfo& cls, const Finding& finding);

// At most `limit` documents, each with objectId first. Keys keep _id, objectId, createdAt and
// updatedAt, and dotted ones what MongoDB's projection keeps. Throws QueryError.
Documents find_documents(const Request& request, const ClassInfo& cls, const Finding& finding);

// The documents with these objectIds, each once: where several have one, the one whose _id is that
// text, else the first. In the order of the rows.
Array find_by_ids(const Request& request, const ClassInfo& cls,
                  const std::vector<std::string_view>& ids,
                  const std::vector<std::string_view>& keys);

// How many documents satisfy `where` (missing: all).
std::int64_t count_found(const Request& request, const ClassInfo& cls, const Value& where);

// "-createdAt,name" as a $sort, if it names anything; objectId orders as _id.
void add_sort(std::string_view order, Array& stages);

}  // namespace gantry::data
