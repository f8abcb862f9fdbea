// ops/change/written.hpp: the journal of writes as operators read it, as JSON.
//
// A write: {id, time, agent, user?, tool, correlation_id?, operation, classes, rows, undoable,
// reason?, undone_by?, undoes?}. It is no part of gantry.data/1. Never throws; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "errors/error.hpp"
#include "ops/service.hpp"

namespace gantry::data {

struct WritesQuestion {
  std::size_t limit = 50;
  std::string agent, class_name;  // empty: any
  std::string cursor;             // the `next_cursor` of another answer
};

// {writes, next_cursor?}: the newest first.
Outcome<std::string> list_writes(Service& service, const WritesQuestion& question,
                                 const Budget& budget);
// A write, with changes: [{class_name, object_id, operation, by_foreign_key?, before?, after?}],
// and `left_out`, the number of those beyond the size of an answer. The rows have all columns; the
// values of internal ones are {"__redacted":true}, long ones {"__bytes":number}.
Outcome<std::string> show_write(Service& service, const std::string& id, const Budget& budget);

}  // namespace gantry::data
