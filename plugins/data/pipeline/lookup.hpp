// pipeline/lookup.hpp: the parsed operand of a $lookup. Used by lookup.cpp, lookup_reader.cpp and
// lookup_stream.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filter/path.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/sub_pipeline.hpp"

namespace gantry::data::pipeline {

struct Lookup {
  struct Let {
    std::size_t slot;
    expr::ExpressionPtr value;
  };
  // A condition that selects documents of the other class before the sub-pipeline: its field, and
  // the value to equal: a field of this class's document (localField), or a variable that the
  // sub-pipeline's first $match compares it with.
  struct Narrowing {
    filter::Path foreign;
    Path local;  // empty: `variable`
    expr::ExpressionPtr variable;
  };

  Path as;
  std::vector<Let> lets;
  std::optional<Narrowing> narrowing;
  SubPipeline pipeline;
};

Lookup read_lookup(std::string_view name, const Value& spec, Reading& reading);
StreamPtr open_lookup(const Lookup& lookup, StreamPtr input, Run& run, const Array& slots);

}  // namespace gantry::data::pipeline
