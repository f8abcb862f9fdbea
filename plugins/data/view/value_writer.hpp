// view/value_writer.hpp: writes one stored value as JSON.
//
// A value that does not fit its column's kind is written as its own type; invalid UTF-8 as Bytes.
// Writers cannot fail. Pure functions; any thread.
#pragma once

#include <optional>

#include "catalog/field.hpp"
#include "policy/class_filter.hpp"
#include "values/extended_json.hpp"
#include "values/json_appender.hpp"
#include "values/stored_value.hpp"

namespace gantry::data {

// null, 1, 1.0, "text"; bytes in the form of `form`, which is JsonDialect::plain or parse here as
// everywhere below.
void write_value(const StoredValue& value, JsonDialect form, JsonAppender& out);

// The approximate number of bytes that write_value() would write of a text or BLOB; escapes are not
// counted.
std::size_t json_bytes(const StoredValue& value);

// The instant of a date column's value, in milliseconds; empty if it is not a date.
std::optional<std::int64_t> instant_of(const StoredValue& value, DateForm form);

// "2026-11-21T20:00:00.000Z", {"__type":"Date","iso":…}, and plain "2026-11-21T20:00:00Z".
void write_instant(const StoredValue& value, DateForm date, JsonAppender& out);
void write_date(const StoredValue& value, DateForm date, JsonDialect form, JsonAppender& out);

// Whether a boolean column's value is 0 or 1.
bool is_bit(const StoredValue& value);
void write_boolean(const StoredValue& value, JsonDialect form, JsonAppender& out);

// Stored JSON, unchanged except for what without_internal() removes. Text that is
// not JSON is written as a string, or null if it may contain an internal name. `classes` as in
// policy/internal.hpp.
void write_json(const StoredValue& value, const ClassFilter* classes, JsonDialect form,
                JsonAppender& out);

// The objectId of a one-column key, and that of a pointer, as a JSON string.
void write_id(const StoredValue& value, JsonAppender& out);

}  // namespace gantry::data
