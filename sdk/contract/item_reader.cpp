#include "sdk/contract/item_reader.hpp"

#include <utility>

#include "sdk/contract/fields.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/item_members.hpp"
#include "sdk/contract/item_schemas.hpp"
#include "sdk/contract/names.hpp"

namespace gantry::contract {
namespace {

constexpr std::size_t kMaxResourceName = 256;

// First: it decides what else may be there.
Status take_kind(const std::string& place, const RawJson& json, Item& item,
                 std::vector<std::string>& warnings) {
  if (const auto value = json.find("kind")) {
    return take_item_member(place, "kind", *value, item, warnings);
  }
  return Status::invalid(place + ".kind is missing: " + quoted_list(kItems));
}

Status check_name(const std::string& place, const Item& item) {
  const auto wrong = [&](const std::string& wanted) {
    return Status::invalid(place + ".name must be " + wanted + "; it is \"" + item.name + "\"");
  };
  if (item.kind == "service") {
    return is_service_id(item.name) ? Status::ok()
                                    : wrong("a service with its revision such as \"acme.words/1\"");
  }
  if (is_kind(item.kind, kRead)) {
    const bool good = !item.name.empty() && item.name.size() <= kMaxResourceName;
    return good ? Status::ok() : wrong("1 to 256 bytes");
  }
  if (item.kind == "completion") {
    const std::string wanted = "the prompt or the URI template whose arguments it completes";
    return item.name.empty() ? wrong(wanted) : Status::ok();
  }
  if (item.kind == "method") {
    return is_method_name(item.name) ? Status::ok() : wrong("1 to 64 of A-Z a-z 0-9 _");
  }
  return is_tool_name(item.name) ? Status::ok() : wrong("1 to 64 of A-Z a-z 0-9 _ . -");
}

Status check_whole(const std::string& place, const Item& item) {
  if (Status status = check_name(place, item); !status) return status;
  if (item.kind == "resource" && item.uri.empty()) {
    return Status::invalid(place + ".uri is missing: a URI such as \"app://config/main\"");
  }
  if (item.kind == "resource_template" && item.uri.empty()) {
    return Status::invalid(place + ".uriTemplate is missing: such as \"app://log/{day}\"");
  }
  if (item.blocking && item.non_blocking) {
    return Status::invalid(place + ".flags cannot hold both \"blocking\" and \"non_blocking\"");
  }
  return Status::ok();
}

// A method's gates and its key follow from what it says.
Status complete_method(const std::string& place, Item& item) {
  if (item.kind != "method") return Status::ok();
  if (item.class_name.empty()) {
    return Status::invalid(place + ".class is missing: the class whose method it is");
  }
  item.qualified_name = item.class_name + "." + item.name;
  if (item.tier == Tier::write) item.gates = kWriteTools;
  if (item.tier == Tier::admin) item.gates = kSchemaOps;
  if (item.input_schema.empty()) item.input_schema = R"({"type":"object"})";
  return Status::ok();
}

}  // namespace

Result<Item> read_item(const std::string& place, const RawJson& json,
                       const std::optional<RawJson>& schemas, std::vector<std::string>& warnings) {
  if (!json.is(RawJson::Kind::object)) return wrong_field(place, "an object", json);
  Item item;
  if (Status status = take_kind(place, json, item, warnings); !status) return status;
  for (const auto& [name, value] : json.members()) {
    Status status = take_item_member(place, name, value, item, warnings);
    if (!status) return status;
  }
  if (Status status = check_whole(place, item); !status) return status;
  if (Status status = complete_method(place, item); !status) return status;
  if (schemas) {
    if (Status status = take_schemas(*schemas, item); !status) return status;
  }
  if (Status status = compile_schemas(place, item); !status) return status;
  return item;
}

}  // namespace gantry::contract
