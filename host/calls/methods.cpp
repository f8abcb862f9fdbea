#include "host/calls/methods.hpp"

#include <algorithm>

#include "host/approvals/policy.hpp"
#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/base/json_of.hpp"
#include "host/calls/call.hpp"
#include "host/calls/members.hpp"
#include "host/registry/find.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;

const Value& given_arguments(const Value& entry) {
  static const Value kNone(rapidjson::kObjectType);
  const Value* const found = member(entry, "arguments");
  return found == nullptr ? kNone : *found;
}

// Without a list of its own, a method takes the parameters that it declares.
bool takes(const ItemSpec& method, const Value& properties, std::string_view name) {
  if (!method.permitted_keys) return member(properties, name) != nullptr;
  const auto& keys = *method.permitted_keys;
  return std::find(keys.begin(), keys.end(), name) != keys.end();
}

Output::Failure invalid(std::string message) {
  return {"invalid_argument", std::move(message), ""};
}

std::optional<Output::Failure> unknown_argument(const ItemSpec& method, const Value& arguments) {
  rapidjson::Document schema;
  static const Value kNone(rapidjson::kObjectType);
  const bool readable = parse_exact(method.input_schema, schema) && schema.IsObject();
  const Value* const declared = readable ? member(schema, "properties") : nullptr;
  const Value& properties = declared != nullptr && declared->IsObject() ? *declared : kNone;
  for (const auto& each : arguments.GetObject()) {
    const std::string name(each.name.GetString(), each.name.GetStringLength());
    if (takes(method, properties, name)) continue;
    return invalid("The method '" + method.key() + "' does not take the argument '" + name +
                   "': leave it out");
  }
  return std::nullopt;
}

}  // namespace

const Item* named_method(const Snapshot& snapshot, const Item& tool, const Value& arguments) {
  if (!is_call_method(tool.spec) || !arguments.IsObject()) return nullptr;
  std::string name(text_member(arguments, "class_name"));
  name.append(".").append(text_member(arguments, "method_name"));
  return find_item(snapshot.method_by_name, name);
}

const Item* named_method(const Snapshot& snapshot, const Item& tool, std::string_view arguments) {
  if (!is_call_method(tool.spec)) return nullptr;
  rapidjson::Document given;
  return parse_exact(arguments, given) ? named_method(snapshot, tool, given) : nullptr;
}

Tier tier_of(const Item& tool, const Item* method) {
  return method == nullptr ? tool.spec.tier : std::max(method->spec.tier, tool.spec.tier);
}

Tier tier_of(const CallTarget& target) {
  return target.item == nullptr ? Tier::readonly : tier_of(*target.item, target.method);
}

std::optional<Output::Failure> wrong_entry(const Item& method, const Value& entry) {
  const ItemSpec& spec = method.spec;
  if (!entry.IsObject()) return invalid("A method is entered with an object");
  const bool has_object = !text_member(entry, "object_id").empty();
  if (has_object == spec.on_class) {
    return invalid("The method '" + spec.key() +
                   (spec.on_class ? "' belongs to the class: call it without object_id"
                                  : "' needs the object_id of the object to call it on"));
  }
  const Value& arguments = given_arguments(entry);
  if (!arguments.IsObject()) return invalid("The arguments of a method are an object");
  if (auto unknown = unknown_argument(spec, arguments)) return unknown;
  if (method.input && !method.input->validate(arguments)) {
    return invalid(schema::explain(method.input->errors(arguments)));
  }
  return std::nullopt;
}

std::string structural_preview(const Item& method, const Value& entry) {
  const ItemSpec& spec = method.spec;
  const std::string_view id = text_member(entry, "object_id");
  std::string call = "{";
  append_text_member(call, "class", spec.class_name);
  append_text_member(call, "method", spec.name);
  append_text_member(call, "type", spec.on_class ? "class" : "instance");
  if (!id.empty()) append_text_member(call, "object_id", id);
  append_json_member(call, "args", json_of(given_arguments(entry)));
  call += '}';
  std::string out = "{";
  append_text_member(out, "class_name", spec.class_name);
  append_text_member(out, "method", spec.name);
  if (!id.empty()) append_text_member(out, "object_id", id);
  append_json_member(out, "dry_run", "true");
  append_json_member(out, "supports_real_dry_run", "false");
  append_json_member(out, "would_call", call);
  append_text_member(out, "note",
                     "The method has no preview of its own and was not run; this is the call that "
                     "would be made");
  return out += '}';
}

}  // namespace gantry::host
