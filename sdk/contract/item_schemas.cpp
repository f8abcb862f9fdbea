#include "sdk/contract/item_schemas.hpp"

#include <gantry/schema/validator.hpp>

#include "sdk/contract/fields.hpp"
#include "sdk/contract/header_annotations.hpp"
#include "sdk/contract/item_kinds.hpp"

namespace gantry::contract {
namespace {

using JsonKind = RawJson::Kind;

Status check_input(const std::string& place, const std::string& text) {
  if (text.empty()) {
    return Status::invalid(place +
                           " is missing; a tool without arguments has {\"type\":\"object\"}");
  }
  const RawJson schema = RawJson::parse(text).value();
  const auto type = schema.find("type");
  if (!type || !type->is(JsonKind::string) || type->string() != "object") {
    return Status::invalid(place + " must have \"type\": \"object\" at its root");
  }
  if (Status status = check_header_annotations(schema); !status) {
    return Status::invalid(place + ": " + status.message());
  }
  return Status::ok();
}

Status compile(const std::string& place, const std::string& text,
               std::shared_ptr<const schema::Validator>& out) {
  if (text.empty()) return Status::ok();
  Result<schema::Validator> validator = schema::Validator::compile(text);
  if (!validator) {
    return Status::invalid(place + ": " + validator.message());
  }
  out = std::make_shared<const schema::Validator>(std::move(validator).value());
  return Status::ok();
}

}  // namespace

Status take_schemas(const RawJson& schemas, Item& item) {
  if (!is_kind(item.kind, kSchemas)) return Status::ok();
  const auto pair = schemas.find(item.name);
  if (!pair) return Status::ok();
  const std::string place = "schemas[\"" + item.name + "\"]";
  if (!pair->is(JsonKind::object)) return wrong_field(place, "an object", *pair);
  for (const auto& [side, text] : pair->members()) {
    std::string* target = side == "input"    ? &item.input_schema
                          : side == "output" ? &item.output_schema
                                             : nullptr;
    if (!target) return Status::invalid(place + " holds \"input\" and \"output\" only");
    if (!target->empty()) continue;
    if (Status status = take_text(place + "." + side, text, JsonKind::object, *target); !status) {
      return status;
    }
  }
  return Status::ok();
}

Status compile_schemas(const std::string& place, Item& item) {
  const bool is_method = item.kind == "method";
  const std::string input = place + (is_method ? ".parameters" : ".inputSchema");
  if (is_kind(item.kind, kActing)) {
    if (Status status = check_input(input, item.input_schema); !status) return status;
  }
  if (Status status = compile(input, item.input_schema, item.compiled.input); !status) {
    return status;
  }
  return compile(place + ".outputSchema", item.output_schema, item.compiled.output);
}

}  // namespace gantry::contract
