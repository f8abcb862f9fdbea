// plan/pipeline_run.hpp: runs a pipeline over classes of the request's scope.
//
// Functions here throw QueryError.
#pragma once

#include <functional>
#include <limits>

#include "errors/query_error.hpp"
#include "pipeline/stage.hpp"
#include "plan/context.hpp"
#include "sql/predicate.hpp"
#include "values/value.hpp"

namespace gantry::data {

class ClassSource;
struct Plan;

// A pipeline: the rows of `cls` that satisfy `where` go through `stages`.
struct Pipeline {
  const ClassView* cls = nullptr;  // null: it begins with $documents
  Predicate where;
  Value stages;            // as written, an array
  bool shows_ids = false;  // documents of document classes begin with their objectId
};

struct Documents {
  Array list;
  bool has_more = false;  // more than the bound
};

// Receives a document, which it may modify or keep; false stops the run.
using VisitDocument = std::function<bool(Value& document)>;

// Called before documents are made. True: it has read the plan's rows itself and no documents are
// needed.
using TakePlan = std::function<bool(ClassSource& source, const Plan& plan)>;

// Calls `visit` for each document as it is made, at most `most` times. First the fields are checked
// (field_check.hpp), then the pipeline is split between database and engine (plan.hpp).
void visit_pipeline(const ReadContext& context, const Pipeline& pipeline,
                    const VisitDocument& visit,
                    std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// The same; between documents `source` can do other reads over the run's own connection.
using VisitBeside = std::function<bool(Value& document, ClassSource& source)>;
void visit_pipeline_beside(const ReadContext& context, const Pipeline& pipeline,
                           const VisitBeside& visit,
                           std::uint64_t most = std::numeric_limits<std::uint64_t>::max(),
                           const TakePlan& take = {});

// Collects at most `most` documents.
Documents run_pipeline(const ReadContext& context, const Pipeline& pipeline,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max(),
                       const TakePlan& take = {});

// The pipeline's stages with their fields checked. Throws the errors that run_pipeline() throws
// before it reads a row.
pipeline::Stages parse_checked(const ReadContext& context, const Pipeline& pipeline,
                               pipeline::Reading& reading);
// The same for a caller that runs nothing.
void check_pipeline(const ReadContext& context, const Pipeline& pipeline);

}  // namespace gantry::data
