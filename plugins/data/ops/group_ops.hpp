// ops/group_ops.hpp: group_by, group_by_date and distinct: pipelines made from a few arguments.
//
// `where` is that of the query tools and runs in the database. Pointers are returned as bare ids if
// all lead to one class. `dry_run` does all checks and returns the pipeline, ready for aggregate:
// no rows, meta {dry_run, parameters, pipeline, hint}.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {class_name, field, operation?, value_field?, where?, sort?, limit?, flatten_arrays?, dry_run?}
// -> rows: [{key, value}]; meta {field, operation, group_count, limit, pointer_class?, truncated?}.
// With `fields`, up to three, in place of `field` a key is an object with all of them, null where a
// row has none; meta has fields and pointer_classes {field: class}.
// Operations: count (default), sum, avg or average, min, max; all but count need value_field.
// Sort: value_desc (default), value_asc, key_desc, key_asc. Limit: 200, at most 1,000.
Reply group_by(const Request& request);

// The same by date intervals: {…, interval, timezone?}, without flatten_arrays; default sort
// key_asc. Keys are "2026", "2026-11", "2026-W47", "2026-11-21", "2026-11-21 20:00", …, and null
// for rows without a date. Meta also has interval and timezone.
Reply group_by_date(const Request& request);

// {class_name, field, where?, sort?, limit?, dry_run?} -> rows: the values; meta {field, count,
// pointer_class?, truncated?}. The elements of arrays are separate values; rows without a value are
// left out. Sort: asc (default), desc. Limit: 1,000, at most 5,000.
Reply distinct(const Request& request);

}  // namespace gantry::data
