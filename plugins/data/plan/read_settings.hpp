// plan/read_settings.hpp: the operator's settings for reads. Plain values.
#pragma once

#include <cstddef>

#include "values/budget.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {

struct ReadSettings {
  bool pushdown = true;          // false: the engine runs the stages and compares the values itself
  bool refuse_collscan = false;  // full scans are refused
  bool expose_explain = false;   // SQL and the database's query plans are shown to callers
  std::size_t answer_cache_bytes = 16u << 20;       // memory of the answer cache; 0: no cache
  std::size_t query_memory_bytes = Budget::kBytes;  // memory of the values of one query
  JsonDialect row_form = JsonDialect::plain;        // or parse: of the rows of classes with columns
  bool sql = true;                                  // callers may write SQL
};

}  // namespace gantry::data
