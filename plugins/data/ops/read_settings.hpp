// ops/read_settings.hpp: what the operator decides about reads. Plain values.
#pragma once

#include <cstddef>

#include "values/budget.hpp"

namespace gantry::data {

struct ReadSettings {
  bool pushdown = true;          // false: pipelines run in the engine, stage by stage
  bool refuse_collscan = false;  // reads of whole classes are refused
  bool expose_explain = false;   // SQL and the database's own plans are shown to callers
  std::size_t answer_cache_bytes = 16u << 20;       // for answers that are kept; 0: none are
  std::size_t query_memory_bytes = Budget::kBytes;  // of the values of one query
};

}  // namespace gantry::data
