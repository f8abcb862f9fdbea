// The schemas of an item: where they come from, and what they must be.
#include <rapidjson/document.h>

#include "host/plugin/fields.hpp"
#include "host/plugin/header_annotations.hpp"
#include "host/plugin/item_reader.hpp"

namespace gantry::host {

using JsonKind = RawJson::Kind;

// From the manifest's "schemas"; what stands in the item itself wins.
Status ItemReader::take_schemas(const RawJson& schemas) {
  if (spec_.kind != "tool" && spec_.kind != "service") return Status::ok();
  const auto pair = schemas.find(spec_.name);
  if (!pair) return Status::ok();
  const std::string place = "schemas[\"" + spec_.name + "\"]";
  if (!pair->is(JsonKind::object)) return wrong_field(place, "an object", *pair);
  for (const auto& [side, text] : pair->members()) {
    std::string* target = side == "input"    ? &spec_.input_schema
                          : side == "output" ? &spec_.output_schema
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
  if (spec_.kind == "tool") {
    if (Status status = check_input(); !status) return status;
  }
  if (Status status = compile("inputSchema", spec_.input_schema, spec_.compiled.input); !status) {
    return status;
  }
  return compile("outputSchema", spec_.output_schema, spec_.compiled.output);
}

Status ItemReader::check_input() const {
  const std::string place = place_ + ".inputSchema";
  if (spec_.input_schema.empty()) {
    return Status::invalid(place +
                           " is missing; a tool without arguments has {\"type\":\"object\"}");
  }
  rapidjson::Document schema;
  schema.Parse(spec_.input_schema.data(), spec_.input_schema.size());
  const auto type = schema.FindMember("type");
  if (type == schema.MemberEnd() || type->value != "object") {
    return Status::invalid(place + " must have \"type\": \"object\" at its root");
  }
  if (Status status = check_header_annotations(schema); !status) {
    return Status::invalid(place + ": " + status.message());
  }
  return Status::ok();
}

Status ItemReader::compile(const char* which, const std::string& text,
                           std::optional<schema::Validator>& out) {
  if (text.empty()) return Status::ok();
  Result<schema::Validator> validator = schema::Validator::compile(text);
  if (!validator) {
    return Status::invalid(place_ + "." + which + ": " + validator.message());
  }
  out = std::move(validator).value();
  return Status::ok();
}

}  // namespace gantry::host
