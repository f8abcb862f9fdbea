#include "tools/gantry/import/document.hpp"

#include <utility>

#include "values/extended_json.hpp"

namespace gantry::cli::importing {
namespace {

using data::Value;

bool is_oid(const Value& value) {
  return value.is_object() && value.members().size() == 1 && value.members()[0].name == "$oid" &&
         value.members()[0].value.is_string();
}

// Nested no deeper than the reader allows.
Value without_oids(Value value) {
  if (is_oid(value)) return value.members()[0].value;
  if (value.is_array()) {
    for (Value& element : value.own_elements()) element = without_oids(std::move(element));
  } else if (value.is_object()) {
    for (data::Member& member : value.own_members()) {
      member.value = without_oids(std::move(member.value));
    }
  }
  return value;
}

}  // namespace

Result<std::string> document_of(std::string_view json, IdMaker& ids) {
  auto read = data::read_extended(json, {.parse_types = true});
  if (!read) return read.status();
  Value document = without_oids(*std::move(read));
  if (!document.is_object()) return Status::invalid("is one value, not an object");
  if (document.find("_id").is(Value::Type::null)) return Status::invalid("_id: is null");
  if (document.find("_id").is_missing()) {
    const Value& given = document.find("objectId");
    Value id = given.is_missing() ? Value::string(ids.next()) : given;
    auto& members = document.own_members();
    members.insert(members.begin(), {"_id", std::move(id)});
  }
  std::string text;
  data::append_value_json(document, data::Dress::extended, text);
  return text;
}

}  // namespace gantry::cli::importing
