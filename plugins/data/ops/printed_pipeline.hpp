// ops/printed_pipeline.hpp: the answer of a pipeline printed straight from the database's rows,
// where what the planner left is at most a plain $lookup, an $unwind of what it joined, and bounds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ops/class_source.hpp"
#include "ops/pipeline_run.hpp"
#include "ops/plan.hpp"
#include "ops/row_printer.hpp"

namespace gantry::data {

struct Printed {
  std::string rows = "[";                      // the JSON array
  std::uint64_t count = 0;                     // of its documents
  bool has_more = false;                       // than `most`
  std::map<std::string, std::string> classes;  // of pointers that were written as ids, by field
};

// At most `most` documents of what is planned, in the very bytes in which run_pipeline(),
// dress_documents(), compact_pointers() (with Pointers::ids) and documents_json() would write them.
// Nothing: they have to be made to say what the answer is, or that it is too large; nothing was
// lost by asking here. Throws QueryError.
std::optional<Printed> print_pipeline(const Request& request, const Pipeline& what,
                                      ClassSource& source, const Plan& plan, std::uint64_t most,
                                      RowPrinter::Pointers pointers);

}  // namespace gantry::data
