// plan/stage_outputs.hpp: the fields that a stage produces, derived from its specification.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data {

struct StageOutputs {
  // Root fields of the output documents.
  std::set<std::string, std::less<>> afterwards;
  // Those of them that the stage also reads, because it writes nested fields into them.
  std::set<std::string, std::less<>> at_once;
  // Paths that it removes; they must exist in its input.
  std::set<std::string, std::less<>> removed;
  // Output documents may have any fields.
  bool is_anything = false;
};

// `spec` must be accepted by the stage's parser.
StageOutputs outputs_of(std::string_view stage, const Value& spec);

}  // namespace gantry::data
