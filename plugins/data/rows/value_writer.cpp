#include "rows/value_writer.hpp"

#include <cmath>

#include "policy/internal.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

std::string_view bytes_of(sqlite3_stmt* stmt, int column, const void* data) {
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(stmt, column))};
}

void append_bytes(std::string_view bytes, std::string& out) {
  out += R"({"__type":"Bytes","base64":")";
  append_base64(bytes, out);
  out += "\"}";
}

// Milliseconds from a number of them, if it is in the range of four-digit years.
std::optional<std::int64_t> in_range(double milliseconds) {
  constexpr double kBound = 1e15;
  if (!(std::fabs(milliseconds) < kBound)) return std::nullopt;
  const std::int64_t whole = std::llround(milliseconds);
  return fits_iso_date(whole) ? std::optional(whole) : std::nullopt;
}

}  // namespace

StoredValue view_column(sqlite3_stmt* stmt, int column) {
  switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_INTEGER:
      return {StoredValue::Type::integer, sqlite3_column_int64(stmt, column), 0, {}};
    case SQLITE_FLOAT:
      return {StoredValue::Type::real, 0, sqlite3_column_double(stmt, column), {}};
    case SQLITE_TEXT: {
      const void* text = sqlite3_column_text(stmt, column);
      return {StoredValue::Type::text, 0, 0, bytes_of(stmt, column, text)};
    }
    case SQLITE_BLOB: {
      const void* blob = sqlite3_column_blob(stmt, column);
      return {StoredValue::Type::blob, 0, 0, bytes_of(stmt, column, blob)};
    }
    default:
      return {};
  }
}

void append_value(const StoredValue& value, std::string& out) {
  switch (value.type) {
    case StoredValue::Type::null:
      out += "null";
      return;
    case StoredValue::Type::integer:
      append_json_integer(value.integer, out);
      return;
    case StoredValue::Type::real:
      append_json_double(value.real, out);
      return;
    case StoredValue::Type::text:
      if (!append_json_string(value.bytes, out)) append_bytes(value.bytes, out);
      return;
    case StoredValue::Type::blob:
      append_bytes(value.bytes, out);
      return;
  }
}

std::optional<std::int64_t> instant_of(const StoredValue& value, DateForm form) {
  if (form == DateForm::iso_text) {
    const auto parsed = value.is_text() ? parse_iso_date(value.bytes) : std::nullopt;
    return parsed && fits_iso_date(*parsed) ? parsed : std::nullopt;
  }
  if (!value.is_number()) return std::nullopt;
  switch (form) {
    case DateForm::epoch_seconds:
      return in_range(value.number() * 1000);
    case DateForm::epoch_millis:
      return in_range(value.number());
    case DateForm::julian:
      return in_range((value.number() - 2'440'587.5) * 86'400'000);
    default:
      return std::nullopt;
  }
}

void append_instant(const StoredValue& value, DateForm form, std::string& out) {
  const auto instant = instant_of(value, form);
  if (!instant) return append_value(value, out);
  out += '"';
  append_iso_date(*instant, out);
  out += '"';
}

void append_date(const StoredValue& value, DateForm form, std::string& out) {
  const auto instant = instant_of(value, form);
  if (!instant) return append_value(value, out);
  out += R"({"__type":"Date","iso":")";
  append_iso_date(*instant, out);
  out += "\"}";
}

void append_boolean(const StoredValue& value, std::string& out) {
  const bool bit = value.type == StoredValue::Type::integer && (value.integer & ~1) == 0;
  if (!bit) return append_value(value, out);
  out += value.integer ? "true" : "false";
}

void append_json(const StoredValue& value, std::string& out) {
  if (!value.is_text() || json_shape(value.bytes) == JsonShape::none) {
    return may_name_internal(value.bytes) ? void(out += "null") : append_value(value, out);
  }
  const auto rest = without_internal(value.bytes);
  append_json_verbatim(rest ? std::string_view(*rest) : value.bytes, out);
}

}  // namespace gantry::data
