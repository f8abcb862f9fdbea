// Writes values as relaxed Extended JSON, or in the form of typed classes.
#include <cmath>
#include <limits>

#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

void append_wrapped(std::string_view name, std::string_view text, std::string& out) {
  out.append("{\"").append(name).append("\":\"").append(text).append("\"}");
}

void append_long(std::int64_t value, JsonDialect dialect, std::string& out) {
  using Limits = std::numeric_limits<std::int32_t>;
  const bool reads_back_as_int = value >= Limits::min() && value <= Limits::max();
  if (dialect == JsonDialect::extended && reads_back_as_int) {
    append_wrapped("$numberLong", std::to_string(value), out);
  } else {
    append_json_integer(value, out);
  }
}

void append_real(double value, JsonDialect dialect, std::string& out) {
  const bool is_bare = dialect != JsonDialect::extended || std::isfinite(value);
  if (is_bare) return append_json_double(value, out);
  const std::string_view text = std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  append_wrapped("$numberDouble", text, out);
}

void append_date(std::int64_t value, JsonDialect dialect, std::string& out) {
  if (!fits_iso_date(value)) {
    out += "{\"$date\":";
    append_wrapped("$numberLong", std::to_string(value), out);
    out += '}';
    return;
  }
  if (dialect == JsonDialect::plain) {
    out += '"';
    append_short_iso_date(value, out);
    out += '"';
    return;
  }
  out += dialect == JsonDialect::parse ? R"({"__type":"Date","iso":")" : R"({"$date":")";
  append_iso_date(value, out);
  out += "\"}";
}

struct Around {
  std::string_view before, after;
};
Around around_bytes(JsonDialect dialect) {
  switch (dialect) {
    case JsonDialect::parse:
      return {R"({"__type":"Bytes","base64":")", "\"}"};
    case JsonDialect::plain:
      return {R"({"$base64":")", "\"}"};
    case JsonDialect::extended:
      break;
  }
  return {R"({"$binary":{"base64":")", R"(","subType":"00"}})"};
}

void append_bytes(std::string_view bytes, JsonDialect dialect, std::string& out) {
  const auto [before, after] = around_bytes(dialect);
  out += before;
  append_base64(bytes, out);
  out += after;
}

// Text that is not UTF-8 cannot be a JSON string; it is written as binary data.
void append_text(std::string_view text, JsonDialect dialect, std::string& out) {
  if (!append_json_string(text, out)) append_bytes(text, dialect, out);
}

void append_array(const Array& elements, JsonDialect dialect, std::string& out) {
  out += '[';
  for (const Value& element : elements) {
    append_value_json(element, dialect, out);
    out += ',';
  }
  if (out.back() == ',') out.pop_back();
  out += ']';
}

void append_object(const Members& members, JsonDialect dialect, std::string& out) {
  out += '{';
  for (const Member& member : members) {
    if (!append_json_string(member.name, out)) out += "\"\"";
    out += ':';
    append_value_json(member.value, dialect, out);
    out += ',';
  }
  if (out.back() == ',') out.pop_back();
  out += '}';
}

}  // namespace

void append_value_json(const Value& value, JsonDialect dialect, std::string& out) {
  switch (value.type()) {
    case Value::Type::missing:
    case Value::Type::null:
      return void(out += "null");
    case Value::Type::int32:
      return append_json_integer(value.integer(), out);
    case Value::Type::int64:
      return append_long(value.integer(), dialect, out);
    case Value::Type::real:
      return append_real(value.real(), dialect, out);
    case Value::Type::string:
      return append_text(value.text(), dialect, out);
    case Value::Type::object:
      return append_object(value.members(), dialect, out);
    case Value::Type::array:
      return append_array(value.elements(), dialect, out);
    case Value::Type::bytes:
      return append_bytes(value.text(), dialect, out);
    case Value::Type::boolean:
      return void(out += value.truth() ? "true" : "false");
    case Value::Type::date:
      return append_date(value.integer(), dialect, out);
  }
}

}  // namespace gantry::data
