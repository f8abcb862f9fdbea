// ops/stage_outputs.hpp: which fields a stage makes, from what stands behind its name.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data {

struct StageOutputs {
  // Root fields of the documents that come out.
  std::set<std::string, std::less<>> afterwards;
  // Those that the stage also counts among the fields it reads, because it fills in below them.
  std::set<std::string, std::less<>> at_once;
  // Paths that it takes out, which must be there to begin with.
  std::set<std::string, std::less<>> removed;
  // Documents may hold anything then.
  bool is_anything = false;
};

// `spec` is one that the stage's reader accepts.
StageOutputs outputs_of(std::string_view stage, const Value& spec);

}  // namespace gantry::data
