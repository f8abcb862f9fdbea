#include "write/special.hpp"

#include <rapidjson/document.h>

#include <algorithm>

#include "values/ascii.hpp"
#include "values/base64.hpp"
#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "write/dates.hpp"

namespace gantry::data::write {
namespace {

using Json = rapidjson::Value;

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

std::string_view text_at(const Json& json, const char* name) {
  const auto found = json.FindMember(name);
  return found != json.MemberEnd() && found->value.IsString() ? text_of(found->value)
                                                              : std::string_view();
}

void become(Cell& cell, Cell::Type type, std::string_view text) {
  std::string kept(text);
  cell = {};
  cell.type = type;
  cell.text = std::move(kept);
}

void become_pointer(Cell& cell, const Json& json) {
  const std::string target(text_at(json, "className"));
  const std::string_view id = text_at(json, "objectId");
  if (target.empty() || id.empty()) return;
  become(cell, Cell::Type::pointer, id);
  cell.target = target;
}

// Dates, bytes and numbers as the data engine reads them.
void become_value(Cell& cell, const Value& value) {
  if (value.is_date()) {
    const std::int64_t when = value.integer();
    become(cell, Cell::Type::date, "");
    cell.integer = when;
  } else if (value.is_bytes()) {
    become(cell, Cell::Type::bytes, value.text());
  } else if (value.is_integral()) {
    const std::int64_t number = value.integer();
    become(cell, Cell::Type::integer, "");
    cell.integer = number;
  } else if (value.is_real()) {
    const double number = value.real();
    become(cell, Cell::Type::real, "");
    cell.real = number;
  }
}

void become_bytes(Cell& cell, const Json& base64) {
  const auto bytes = base64.IsString() ? decode_base64(text_of(base64)) : std::nullopt;
  if (bytes) become(cell, Cell::Type::bytes, *bytes);
}

// A double always keeps fifteen digits.
void become_decimal(Cell& cell, std::string_view text) {
  const auto digits = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_digit));
  const Cell number = number_cell(text);
  if (digits <= 15 && !number.is(Cell::Type::big_number)) {
    cell = number;
  } else {
    become(cell, Cell::Type::big_number, text);
  }
}

void become_wrapped(Cell& cell, const Json& json) {
  if (json.MemberCount() == 1) {
    if (const auto id = text_at(json, "$oid"); !id.empty()) {
      return become(cell, Cell::Type::text, id);
    }
    if (const auto decimal = text_at(json, "$numberDecimal"); !decimal.empty()) {
      return become_decimal(cell, decimal);
    }
    if (const auto bytes = json.FindMember("$base64"); bytes != json.MemberEnd()) {
      return become_bytes(cell, bytes->value);
    }
  }
  const std::string_view date = text_at(json, json.HasMember("$date") ? "$date" : "iso");
  if (is_finer_than_milliseconds(date) && parse_iso_date(date)) {
    return become(cell, Cell::Type::text, date);
  }
  become_value(cell, read_extended(json, {.parse_types = true}));
}

}  // namespace

void read_special(Cell& cell) {
  rapidjson::Document json;
  json.Parse(cell.text.data(), cell.text.size());
  if (json.HasParseError() || !json.IsObject()) return;
  const std::string type(text_at(json, "__type"));
  if (type == "Pointer") return become_pointer(cell, json);
  if (type == "Relation") return become(cell, Cell::Type::relation, text_at(json, "className"));
  if (type.empty() || type == "Date" || type == "Bytes") become_wrapped(cell, json);
}

}  // namespace gantry::data::write
