// ops/group_ops.hpp: the operations behind group_by, group_by_date and distinct: pipelines that
// are made from a few arguments.
//
// `where` is one of the query tools and runs in the database. Pointers come as bare ids where all
// lead to one class. `dry_run` answers with the pipeline, ready for aggregate, after all checks:
// no rows, meta {dry_run, parameters, pipeline, hint}.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {class_name, field, operation?, value_field?, where?, sort?, limit?, flatten_arrays?, dry_run?}
// -> rows: [{key, value}]; meta {field, operation, group_count, limit, pointer_class?, truncated?}.
// Operations: count (default), sum, avg or average, min, max; all but count need value_field.
// Sort: value_desc (default), value_asc, key_desc, key_asc. Limit: 200, at most 1,000.
Outcome<Reply> group_by(const Request& request);

// The same by parts of time: {…, interval, timezone?}, without flatten_arrays; sorted key_asc by
// default. Keys are "2026", "2026-11", "2026-W47", "2026-11-21", "2026-11-21 20:00", …, null for
// rows without a date. Meta has interval and timezone too.
Outcome<Reply> group_by_date(const Request& request);

// {class_name, field, where?, sort?, limit?, dry_run?} -> rows: the values; meta {field, count,
// pointer_class?, truncated?}. Arrays count by their elements; rows without a value are left out.
// Sort: asc (default), desc. Limit: 1,000, at most 5,000.
Outcome<Reply> distinct(const Request& request);

}  // namespace gantry::data
