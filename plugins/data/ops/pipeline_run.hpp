// ops/pipeline_run.hpp: runs a pipeline over classes of the request's scope.
//
// Everything here throws QueryError; answer_or_error() ends that where an operation answers.
#pragma once

#include <functional>
#include <limits>

#include "ops/request.hpp"
#include "values/query_error.hpp"
#include "values/value.hpp"

namespace gantry::data {

class ClassSource;
struct Plan;

// A pipeline: the rows of `cls` that satisfy `where` go through `stages`.
struct Pipeline {
  const ClassInfo* cls = nullptr;  // null: it begins with $documents
  Fragment where;
  Value stages;            // as written, an array
  bool shows_ids = false;  // documents of document classes begin with their objectId
};

struct Documents {
  Array list;
  bool has_more = false;  // than the bound
};

// Takes a document, which it may change or keep; false: no more are wanted.
using VisitDocument = std::function<bool(Value& document)>;

// Asked before documents are made: true when it has read the rows of the plan itself, and there are
// none to make.
using TakePlan = std::function<bool(ClassSource& source, const Plan& plan)>;

// Shows `visit` the documents one by one, as they are made; it looks at no more than `most`. Fields
// are checked first, see field_check.hpp; then the database gets its part, see plan.hpp.
void visit_pipeline(const Request& request, const Pipeline& pipeline, const VisitDocument& visit,
                    std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// The same; `source` serves other reads over the run's own connection between documents.
using VisitBeside = std::function<bool(Value& document, ClassSource& source)>;
void visit_pipeline_beside(const Request& request, const Pipeline& pipeline,
                           const VisitBeside& visit,
                           std::uint64_t most = std::numeric_limits<std::uint64_t>::max(),
                           const TakePlan& take = {});

// At most `most` documents of them.
Documents run_pipeline(const Request& request, const Pipeline& pipeline,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max(),
                       const TakePlan& take = {});

// Refuses what run_pipeline() would refuse before it reads a row.
void check_pipeline(const Request& request, const Pipeline& pipeline);

// A JSON argument as a value: "invalid_argument" when it is nested more than 200 deep.
Value value_of(const rapidjson::Value& json);

// What `operation` returns, or the error it throws.
Outcome<Reply> answer_or_error(const Request& request, Reply (*operation)(const Request&));

// The value of an Outcome, or its error as QueryError.
template <class T>
T value_or_throw(Outcome<T> outcome) {
  if (!outcome) throw QueryError(outcome.error());
  return std::move(*outcome);
}

}  // namespace gantry::data
