#include "rows/value_writer.hpp"

#include <cmath>

#include "policy/internal.hpp"
#include "rows/object_id.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

std::string_view bytes_of(sqlite3_value* value, const void* data) {
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

constexpr std::string_view kBytesBegin = R"({"__type":"Bytes","base64":")", kBytesEnd = "\"}";

void write_bytes(std::string_view bytes, JsonAppender& out) {
  out.put(kBytesBegin);
  append_base64(bytes, out.text());
  out.put(kBytesEnd);
}

// Converts to integer milliseconds if the year has four digits.
std::optional<std::int64_t> in_range(double milliseconds) {
  constexpr double kBound = 1e15;
  if (!(std::fabs(milliseconds) < kBound)) return std::nullopt;
  const std::int64_t whole = std::llround(milliseconds);
  return fits_iso_date(whole) ? std::optional(whole) : std::nullopt;
}

}  // namespace

// One lookup per value: each sqlite3_column_*() function would find the value again. No other
// thread uses the connection, so an unprotected value is safe.
StoredValue view_column(sqlite3_stmt* stmt, int column) {
  sqlite3_value* const value = sqlite3_column_value(stmt, column);
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return {StoredValue::Type::integer, sqlite3_value_int64(value), 0, {}};
    case SQLITE_FLOAT:
      return {StoredValue::Type::real, 0, sqlite3_value_double(value), {}};
    case SQLITE_TEXT:
      return {StoredValue::Type::text, 0, 0, bytes_of(value, sqlite3_value_text(value))};
    case SQLITE_BLOB:
      return {StoredValue::Type::blob, 0, 0, bytes_of(value, sqlite3_value_blob(value))};
    default:
      return {};
  }
}

void write_value(const StoredValue& value, JsonAppender& out) {
  switch (value.type) {
    case StoredValue::Type::null:
      return out.put("null");
    case StoredValue::Type::integer:
      return out.integer(value.integer);
    case StoredValue::Type::real:
      return out.real(value.real);
    case StoredValue::Type::text:
      if (!out.string(value.bytes)) write_bytes(value.bytes, out);
      return;
    case StoredValue::Type::blob:
      return write_bytes(value.bytes, out);
  }
}

std::size_t json_bytes(const StoredValue& value) {
  if (value.type != StoredValue::Type::blob) return value.bytes.size() + 2;
  return (value.bytes.size() + 2) / 3 * 4 + kBytesBegin.size() + kBytesEnd.size();
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

void write_instant(const StoredValue& value, DateForm form, JsonAppender& out) {
  const auto instant = instant_of(value, form);
  if (!instant) return write_value(value, out);
  out.put('"');
  out.iso_date(*instant);
  out.put('"');
}

void write_date(const StoredValue& value, DateForm form, JsonAppender& out) {
  const auto instant = instant_of(value, form);
  if (!instant) return write_value(value, out);
  out.put(R"({"__type":"Date","iso":")");
  out.iso_date(*instant);
  out.put("\"}");
}

void write_boolean(const StoredValue& value, JsonAppender& out) {
  const bool bit = value.type == StoredValue::Type::integer && (value.integer & ~1) == 0;
  if (!bit) return write_value(value, out);
  out.put(value.integer ? "true" : "false");
}

void write_json(const StoredValue& value, JsonAppender& out) {
  if (!value.is_text() || json_shape(value.bytes, kMostStoredLevels) == JsonShape::none) {
    return may_name_internal(value.bytes) ? out.put("null") : write_value(value, out);
  }
  const auto rest = without_internal(value.bytes);
  append_json_verbatim(rest ? std::string_view(*rest) : value.bytes, out.text());
}

void write_id(const StoredValue& value, JsonAppender& out) {
  if (value.type == StoredValue::Type::integer) {
    out.put('"');
    out.integer(value.integer);
    out.put('"');
    return;
  }
  if (value.is_text() && out.string(value.bytes)) return;
  std::string id;
  append_id(value, id);
  out.string(id);
}

}  // namespace gantry::data
