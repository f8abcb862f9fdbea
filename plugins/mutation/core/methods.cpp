#include "core/methods.hpp"

#include <gantry/json.hpp>

#include <algorithm>

namespace mutation {
namespace {

using gantry::Json;

std::string text_at(const Json& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? value->as_string().value_or("") : std::string();
}

MethodEntry entry_of(const Json& item) {
  const auto previews = item.find("supports_dry_run");
  return {text_at(item, "class"), text_at(item, "name"), text_at(item, "permission"),
          previews && previews->as_bool().value_or(false)};
}

std::string_view operation_for(std::string_view tier) {
  if (tier == "admin") return "delete";
  return tier == "write" ? "update" : "find";
}

}  // namespace

std::optional<MethodEntry> find_method(std::string_view methods, std::string_view class_name,
                                       std::string_view name) {
  const auto list = Json::parse(methods);
  if (!list) return std::nullopt;
  for (const Json item : list->elements()) {
    MethodEntry entry = entry_of(item);
    if (entry.class_name == class_name && entry.name == name) return entry;
  }
  return std::nullopt;
}

std::string no_method(std::string_view class_name, std::string_view name,
                      std::string_view methods) {
  const std::string of_class = "the class '" + std::string(class_name) + "'";
  std::string known;
  const auto list = Json::parse(methods);
  if (list) {
    for (const Json item : list->elements()) {
      const MethodEntry entry = entry_of(item);
      if (entry.class_name == class_name) known += (known.empty() ? "" : ", ") + entry.name;
    }
  }
  const std::string none = "There is no method '" + std::string(name) + "' of " + of_class;
  return known.empty() ? none + ", nor another that this agent may call"
                       : none + "; it has: " + known;
}

std::string lacks_permission(std::string_view access, const MethodEntry& method) {
  const std::string_view needed = operation_for(method.permission);
  const auto meta = Json::parse(access);
  for (const std::string_view list : {"operations", "writes"}) {
    const auto operations = meta ? meta->find(list) : std::nullopt;
    if (!operations) continue;
    for (const Json each : operations->elements()) {
      if (each.as_string() == needed) return {};
    }
  }
  return "The permissions of class '" + method.class_name + "' do not allow '" +
         std::string(needed) + "' to this agent, which the method '" + method.name + "' needs";
}

std::optional<std::int64_t> rows_of(std::string_view preview) {
  const auto json = Json::parse(preview);
  const auto rows = json ? json->find("rows") : std::nullopt;
  return rows ? rows->as_integer() : std::nullopt;
}

}  // namespace mutation
