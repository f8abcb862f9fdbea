#include "write/document.hpp"

#include <rapidjson/document.h>

#include <utility>

#include "values/extended_json.hpp"
#include "values/iso_date.hpp"
#include "values/utf8.hpp"
#include "write/convert.hpp"
#include "write/dates.hpp"

namespace gantry::data::write {
namespace {

using Json = rapidjson::Value;

// The text of a date finer than milliseconds, at any depth; empty: there is none.
std::string_view finer_date(const Json& json) {
  if (json.IsArray()) {
    for (const Json& element : json.GetArray()) {
      if (const auto found = finer_date(element); !found.empty()) return found;
    }
  }
  if (!json.IsObject()) return {};
  for (const auto& [name, value] : json.GetObject()) {
    const std::string_view key(name.GetString(), name.GetStringLength());
    if ((key == "$date" || key == "iso") && value.IsString()) {
      const std::string_view text(value.GetString(), value.GetStringLength());
      const bool is_date = key == "$date" || json.HasMember("__type");
      if (is_date && is_finer_than_milliseconds(text) && parse_iso_date(text)) return text;
    }
    if (const auto found = finer_date(value); !found.empty()) return found;
  }
  return {};
}

// Documents keep milliseconds. Nested no deeper than the reader allows.
Status check_dates(std::string_view json) {
  const bool may_hold = json.find("\"$date\"") != json.npos || json.find("\"__type\"") != json.npos;
  if (!may_hold) return {};
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  const std::string_view date = finer_date(document);
  if (date.empty()) return {};
  return Status::invalid("the date " + excerpt(date) +
                         " says more than milliseconds, which is all that documents keep of one; "
                         "write it as text");
}

}  // namespace

Result<std::string> stored_value_of(std::string_view json) {
  if (Status numbers = check_numbers(json, false); !numbers) return numbers;
  auto read = read_extended(json, {.parse_types = true});
  if (!read) return read.status();
  if (Status dates = check_dates(json); !dates) return dates;
  std::string text;
  append_value_json(*read, JsonDialect::extended, text);
  return text;
}

Result<std::string> document_of(std::string_view json, IdMaker& ids) {
  if (Status numbers = check_numbers(json, false); !numbers) return numbers;
  auto read = read_extended(json, {.parse_types = true});
  if (!read) return read.status();
  if (Status dates = check_dates(json); !dates) return dates;
  Value document = *std::move(read);
  if (!document.is_object()) return Status::invalid("is one value, not an object");
  if (document.find("_id").is(Value::Type::null)) return Status::invalid("_id: is null");
  if (document.find("_id").is_missing()) {
    const Value& given = document.find("objectId");
    Value id = given.is_missing() ? Value::string(ids.next()) : given;
    auto& members = document.own_members();
    members.insert(members.begin(), {"_id", std::move(id)});
  }
  std::string text;
  append_value_json(document, JsonDialect::extended, text);
  return text;
}

}  // namespace gantry::data::write
