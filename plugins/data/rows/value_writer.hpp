// rows/value_writer.hpp: one stored value as JSON.
//
// A value that does not fit its column's kind is written as what it is; invalid UTF-8 as Bytes.
// Writers cannot fail. Pure functions; any thread.
#pragma once

#include <sqlite3.h>

#include <optional>

#include "catalog/catalog.hpp"
#include "sql/matcher.hpp"
#include "values/json_appender.hpp"

namespace gantry::data {

// A view of a column of the current row, valid until the statement steps on.
StoredValue view_column(sqlite3_stmt* stmt, int column);

// null, 1, 1.0, "text", {"__type":"Bytes","base64":"…"}.
void write_value(const StoredValue& value, JsonAppender& out);

// About as many bytes as write_value() would write of a text or BLOB, without writing: what escapes
// add to a text is not looked for.
std::size_t json_bytes(const StoredValue& value);

// The instant a value of a date column stands for, in milliseconds; empty when it is none.
std::optional<std::int64_t> instant_of(const StoredValue& value, DateForm form);

// "2026-11-21T20:00:00.000Z", and the same inside {"__type":"Date","iso":…}.
void write_instant(const StoredValue& value, DateForm form, JsonAppender& out);
void write_date(const StoredValue& value, DateForm form, JsonAppender& out);

void write_boolean(const StoredValue& value, JsonAppender& out);

// Stored JSON as it stands, without what is internal at any depth; text that is not JSON as a
// string, null where it may name what is internal.
void write_json(const StoredValue& value, JsonAppender& out);

// The objectId of one column, and that of a pointer, as a JSON string.
void write_id(const StoredValue& value, JsonAppender& out);

}  // namespace gantry::data
