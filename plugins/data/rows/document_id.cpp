#include "rows/document_id.hpp"

#include <cmath>

#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kOid = "$oid";

bool is_oid(const Value& id) {
  return id.is_object() && id.members().size() == 1 && id.find(kOid).is_string();
}

std::string hex_of(std::string_view bytes) {
  StoredValue stored;
  stored.type = StoredValue::Type::blob;
  stored.bytes = bytes;
  return id_text(stored);
}

std::string json_of(const Value& value) {
  std::string json;
  append_value_json(value, JsonDialect::extended, json);
  return json;
}

}  // namespace

std::string document_id_text(const Value& id) {
  if (id.is_string()) return std::string(id.text());
  if (id.is_integral()) return std::to_string(id.integer());
  if (id.is_bytes()) return hex_of(id.text());
  if (is_oid(id)) return std::string(id.find(kOid).text());
  if (id.is_date() && fits_iso_date(id.integer())) {
    std::string text;
    append_iso_date(id.integer(), text);
    return text;
  }
  if (id.is_real() && !std::isfinite(id.real())) {
    return std::isnan(id.real()) ? "NaN" : id.real() > 0 ? "Infinity" : "-Infinity";
  }
  return json_of(id);
}

}  // namespace gantry::data
