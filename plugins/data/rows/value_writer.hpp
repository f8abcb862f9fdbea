// rows/value_writer.hpp: one stored value as JSON.
//
// A value that does not fit its column's kind is written as what it is; invalid UTF-8 as Bytes.
// Writers append to a caller's buffer and cannot fail. Pure functions; any thread.
#pragma once

#include <sqlite3.h>

#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "sql/matcher.hpp"

namespace gantry::data {

// A view of a column of the current row, valid until the statement steps on.
StoredValue view_column(sqlite3_stmt* stmt, int column);

// null, 1, 1.0, "text", {"__type":"Bytes","base64":"…"}.
void append_value(const StoredValue& value, std::string& out);

// The instant a value of a date column stands for, in milliseconds; empty when it is none.
std::optional<std::int64_t> instant_of(const StoredValue& value, DateForm form);

// "2026-11-21T20:00:00.000Z", and the same inside {"__type":"Date","iso":…}.
void append_instant(const StoredValue& value, DateForm form, std::string& out);
void append_date(const StoredValue& value, DateForm form, std::string& out);

void append_boolean(const StoredValue& value, std::string& out);

// Stored JSON as it stands, without what is internal at any depth; text that is not JSON as a
// string, null where it may name what is internal.
void append_json(const StoredValue& value, std::string& out);

}  // namespace gantry::data
