// plan/printed_pipeline.hpp: writes the answer of a pipeline directly from the database's rows, if
// the planner left at most a plain $lookup, an $unwind of its output, and bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan/class_source.hpp"
#include "plan/plan.hpp"
#include "plan/row_printers.hpp"

namespace gantry::data {

struct DirectAnswer {
  std::string rows = "[";   // a JSON array
  std::uint64_t count = 0;  // of its documents
  bool has_more = false;    // more than `most`
};

// At most `most` documents of the plan of a pipeline in the form JsonDialect::plain, byte for byte
// as read_documents() and documents_json() write them. Empty: documents must be made, either for
// the answer or for its size error; nothing was consumed. Throws QueryError.
std::optional<DirectAnswer> direct_aggregate(const ReadContext& context, const ClassView* cls,
                                             ClassSource& source, const Plan& plan,
                                             std::uint64_t most);

}  // namespace gantry::data
