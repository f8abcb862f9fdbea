// The schemas of an item: where they come from, and what they must be.
#include <gantry/schema/validator.hpp>

#include "sdk/contract/fields.hpp"
#include "sdk/contract/header_annotations.hpp"
#include "sdk/contract/item_reader.hpp"

namespace gantry::contract {

using JsonKind = RawJson::Kind;

// From the manifest's "schemas"; what stands in the item itself wins.
Status ItemReader::take_schemas(const RawJson& schemas) {
  if (!is_kind(item_.kind, kSchemas)) return Status::ok();
  const auto pair = schemas.find(item_.name);
  if (!pair) return Status::ok();
  const std::string place = "schemas[\"" + item_.name + "\"]";
  if (!pair->is(JsonKind::object)) return wrong_field(place, "an object", *pair);
  for (const auto& [side, text] : pair->members()) {
    std::string* target = side == "input"    ? &item_.input_schema
                          : side == "output" ? &item_.output_schema
                                             : nullptr;
    if (!target) return Status::invalid(place + " holds \"input\" and \"output\" only");
    if (!target->empty()) continue;
    if (Status status = take_text(place + "." + side, text, JsonKind::object, *target); !status) {
      return status;
    }
  }
  return Status::ok();
}

Status ItemReader::check_schemas() {
  if (item_.kind == "tool") {
    if (Status status = check_input(); !status) return status;
  }
  if (Status status = compile("inputSchema", item_.input_schema, item_.compiled.input); !status) {
    return status;
  }
  return compile("outputSchema", item_.output_schema, item_.compiled.output);
}

Status ItemReader::check_input() const {
  const std::string place = place_ + ".inputSchema";
  if (item_.input_schema.empty()) {
    return Status::invalid(place +
                           " is missing; a tool without arguments has {\"type\":\"object\"}");
  }
  const RawJson schema = RawJson::parse(item_.input_schema).value();
  const auto type = schema.find("type");
  if (!type || !type->is(JsonKind::string) || type->string() != "object") {
    return Status::invalid(place + " must have \"type\": \"object\" at its root");
  }
  if (Status status = check_header_annotations(schema); !status) {
    return Status::invalid(place + ": " + status.message());
  }
  return Status::ok();
}

Status ItemReader::compile(const char* which, const std::string& text,
                           std::shared_ptr<const schema::Validator>& out) const {
  if (text.empty()) return Status::ok();
  Result<schema::Validator> validator = schema::Validator::compile(text);
  if (!validator) {
    return Status::invalid(place_ + "." + which + ": " + validator.message());
  }
  out = std::make_shared<const schema::Validator>(std::move(validator).value());
  return Status::ok();
}

}  // namespace gantry::contract
