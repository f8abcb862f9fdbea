// plan/bound_read.hpp: a read in terms of its class's store.
//
// In a class with columns the filter and the order become SQL that is exact. In a document class
// they become conditions and stages over documents. This is the only place where the two differ
// before rows are read. Functions here throw QueryError.
#pragma once

#include "filter/columns/where.hpp"
#include "pipeline/stage.hpp"
#include "plan/read.hpp"
#include "plan/typing/typed_stages.hpp"
#include "rows/class_reader.hpp"

namespace gantry::data {

struct BoundRead {
  const ClassView* cls = nullptr;  // null: the stages begin with $documents
  Clauses clauses;                 // of the statement that reads the class
  bool is_ordered = false;         // `clauses.order` leaves no ties
  RowOrder order;                  // whose text `clauses.order` is, as long as nothing contradicts
  Value filter;                    // over documents, before the stages; missing: none
  Value stages;                    // an array
  DocumentReader::Ids ids = DocumentReader::Ids::none;
};

// A read's stages in the names and types of its class's documents, see typing/typed_stages.hpp.
TypedStages typed(const ReadContext& context, const ClassView* cls, const Value& stages);

// Runs the sub-queries of the filter whose values the store cannot compare itself.
BoundRead bind(const ReadContext& context, const Read& read);

// The filter as a $match, for a filter with $near or $nearSphere followed by the sort by distance,
// then the stages.
struct ParsedRead {
  Value stages;
  pipeline::Stages parsed;
};
ParsedRead parse_checked(const ReadContext& context, const BoundRead& read,
                         pipeline::Reading& reading);

}  // namespace gantry::data
