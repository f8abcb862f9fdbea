#include "view/value_writer.hpp"

#include <cmath>

#include "policy/internal.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kBytesBegin = R"({"__type":"Bytes","base64":")", kBytesEnd = "\"}";

void write_bytes(std::string_view bytes, JsonDialect form, JsonAppender& out) {
  out.put(form == JsonDialect::parse ? kBytesBegin : std::string_view(R"({"$base64":")"));
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

void write_value(const StoredValue& value, JsonDialect form, JsonAppender& out) {
  switch (value.type) {
    case StoredValue::Type::null:
      return out.put("null");
    case StoredValue::Type::integer:
      return out.integer(value.integer);
    case StoredValue::Type::real:
      return out.real(value.real);
    case StoredValue::Type::text:
      if (!out.string(value.bytes)) write_bytes(value.bytes, form, out);
      return;
    case StoredValue::Type::blob:
      return write_bytes(value.bytes, form, out);
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

void write_instant(const StoredValue& value, DateForm date, JsonAppender& out) {
  const auto instant = instant_of(value, date);
  if (!instant) return write_value(value, JsonDialect::parse, out);
  out.put('"');
  out.iso_date(*instant);
  out.put('"');
}

void write_date(const StoredValue& value, DateForm date, JsonDialect form, JsonAppender& out) {
  const auto instant = instant_of(value, date);
  if (!instant) return write_value(value, form, out);
  if (form == JsonDialect::plain) {
    out.put('"');
    out.short_iso_date(*instant);
    return out.put('"');
  }
  out.put(R"({"__type":"Date","iso":")");
  out.iso_date(*instant);
  out.put("\"}");
}

bool is_bit(const StoredValue& value) {
  return value.type == StoredValue::Type::integer && (value.integer & ~1) == 0;
}

void write_boolean(const StoredValue& value, JsonDialect form, JsonAppender& out) {
  if (!is_bit(value)) return write_value(value, form, out);
  out.put(value.integer ? "true" : "false");
}

void write_json(const StoredValue& value, const ClassFilter* classes, JsonDialect form,
                JsonAppender& out) {
  const bool is_json =
      value.is_text() && json_shape(value.bytes, kMostStoredLevels) != JsonShape::none;
  if (!is_json) {
    if (may_hold_hidden(value.bytes, classes)) return out.put("null");
    return write_value(value, form, out);
  }
  const auto rest = without_internal(value.bytes, classes);
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
  out.string(id_text(value));
}

}  // namespace gantry::data
