#include "ops/change/write.hpp"

#include <algorithm>

#include <rapidjson/document.h>

#include "errors/query_error.hpp"
#include "values/base64.hpp"
#include "values/utf8.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

using JsonValue = rapidjson::Value;

std::string_view string_in(const JsonValue& json, const char* name, const std::string& place,
                           bool is_required) {
  const JsonValue* const value = member_of(json, name);
  if (value == nullptr && !is_required) return {};
  if (value == nullptr) refuse_argument(place + "'" + name + "' is missing");
  if (!value->IsString()) refuse_argument(place + "'" + name + "' must be a string");
  return text_of(*value);
}

void refuse_unknown_member(const JsonValue& json, std::initializer_list<std::string_view> names,
                           const std::string& place) {
  for (const auto& [name, value] : json.GetObject()) {
    if (std::find(names.begin(), names.end(), text_of(name)) != names.end()) continue;
    refuse_argument(place + "there is no member '" + std::string(text_of(name)) +
                    "'. Members: " + joined(names));
  }
}

// Empty: no bytes.
std::string id_of_bytes(const JsonValue& json) {
  const JsonValue* const text =
      json.IsObject() && json.MemberCount() == 1 ? member_of(json, "$base64") : nullptr;
  if (text == nullptr || !text->IsString()) return {};
  const auto bytes = decode_base64(text_of(*text));
  return bytes ? id_text({.type = StoredValue::Type::blob, .bytes = *bytes}) : std::string();
}

std::string id_in(const JsonValue& json, const std::string& place) {
  const JsonValue* const value = member_of(json, "object_id");
  if (value == nullptr) refuse_argument(place + "'object_id' is missing");
  if (value->IsString()) return std::string(text_of(*value));
  if (value->IsInt64()) return std::to_string(value->GetInt64());
  std::string id = id_of_bytes(*value);
  if (id.empty())
    refuse_argument(place + "'object_id' must be a string, an integer or {\"$base64\": …}");
  return id;
}

// Empty: not given.
std::string_view version_in(const JsonValue& json, const std::string& place) {
  const std::string_view version = string_in(json, "if_unchanged", place, false);
  if (version.empty() && member_of(json, "if_unchanged") != nullptr) {
    refuse_argument(place +
                    "'if_unchanged' is empty. Give the version that a read gave, or leave it out");
  }
  return version;
}

// `json`: an object with the members of one write.
Write write_in(const JsonValue& json, ClassOp op, std::string_view class_name, std::string place) {
  Write write{op, class_name};
  write.place = std::move(place);
  const bool is_create = op == ClassOp::create;
  if (!is_create) {
    write.object_id = id_in(json, write.place);
    write.if_unchanged = version_in(json, write.place);
  }
  if (op == ClassOp::remove) return write;
  write.data = member_of(json, "data");
  if (write.data == nullptr) refuse_argument(write.place + "'data' is missing");
  if (!write.data->IsObject()) refuse_argument(write.place + "'data' must be an object of fields");
  if (!is_create && write.data->ObjectEmpty())
    refuse_argument(write.place + "'data' names no field");
  return write;
}

const JsonValue& list_in(const Request& request, const char* name) {
  const JsonValue* const list = member_of(request.arguments, name);
  if (list == nullptr || !list->IsArray() || list->Empty()) {
    refuse_argument(std::string("'") + name + "' must be an array of at least one object");
  }
  if (list->Size() > kMostWrites) {
    refuse_argument(std::string("'") + name + "' has " + std::to_string(list->Size()) +
                    " elements; one transaction takes at most " + std::to_string(kMostWrites));
  }
  return *list;
}

std::string place_in_list(const char* list, std::size_t at) {
  return std::string(list) + "[" + std::to_string(at) + "]: ";
}

const JsonValue& object_at(const JsonValue& list, rapidjson::SizeType at,
                           const std::string& place) {
  if (!list[at].IsObject()) refuse_argument(place + "must be an object");
  return list[at];
}

ClassOp op_named(std::string_view name, const std::string& place) {
  for (const ClassOp op : {ClassOp::create, ClassOp::update, ClassOp::remove}) {
    if (op_name(op) == name) return op;
  }
  refuse_argument(place + "'op' must be create, update or delete");
}

Writes with_options(const Request& request) {
  Writes writes;
  writes.is_dry_run = optional_flag(request, "dry_run", false);
  writes.expect = optional_string(request, "expect");
  if (writes.is_dry_run && !writes.expect.empty()) {
    refuse_argument("'expect' belongs to the write itself, not to its dry_run");
  }
  return writes;
}

}  // namespace

Writes requested_writes(const Request& request, ClassOp op) {
  Writes writes = with_options(request);
  const std::string_view class_name = required_string(request, "class_name");
  if (member_of(request.arguments, "objects") == nullptr) {
    writes.list.push_back(write_in(request.arguments, op, class_name, ""));
    return writes;
  }
  for (const char* single : {"object_id", "data", "if_unchanged"}) {
    if (member_of(request.arguments, single) != nullptr) {
      refuse_argument(std::string("'") + single + "' belongs into the elements of 'objects'");
    }
  }
  const JsonValue& list = list_in(request, "objects");
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) {
    const std::string place = place_in_list("objects", i);
    const JsonValue& one = object_at(list, i, place);
    refuse_unknown_member(one, {"object_id", "data", "if_unchanged"}, place);
    writes.list.push_back(write_in(one, op, class_name, place));
  }
  return writes;
}

Writes requested_transaction(const Request& request) {
  Writes writes = with_options(request);
  const JsonValue& list = list_in(request, "writes");
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) {
    const std::string place = place_in_list("writes", i);
    const JsonValue& one = object_at(list, i, place);
    refuse_unknown_member(one, {"op", "class_name", "object_id", "data", "if_unchanged"}, place);
    const ClassOp op = op_named(string_in(one, "op", place, true), place);
    const std::string_view class_name = string_in(one, "class_name", place, true);
    writes.list.push_back(write_in(one, op, class_name, place));
  }
  return writes;
}

WriteTier tier_of(const Writes& writes) {
  const bool removes = std::any_of(writes.list.begin(), writes.list.end(),
                                   [](const Write& write) { return write.op == ClassOp::remove; });
  return removes ? WriteTier::admin : WriteTier::write;
}

}  // namespace gantry::data
