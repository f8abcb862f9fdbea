#include "ops/schema_ops.hpp"

#include <algorithm>

#include <rapidjson/document.h>

#include <gantry/json_writer.hpp>

#include "errors/query_error.hpp"
#include "ops/class_schema.hpp"
#include "ops/model_echo.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostNames = 1000, kMostDescribed = 20;

bool wanted(const ClassView& cls, const std::vector<std::string_view>& names,
            std::string_view prefix) {
  return cls.name.starts_with(prefix) &&
         (names.empty() || std::find(names.begin(), names.end(), cls.name) != names.end());
}

// The classes that are asked for, in that order, each once.
std::vector<const ClassView*> requested_classes(const Request& request) {
  const auto names = optional_strings(request, "class_names", kMostDescribed);
  if (names.empty()) {
    throw QueryError(invalid_argument("'class_names' must name at least one class"));
  }
  std::vector<const ClassView*> classes;
  for (const std::string_view name : names) {
    const ClassView* const cls = &named_class(request.scope, name);
    if (std::find(classes.begin(), classes.end(), cls) == classes.end()) classes.push_back(cls);
  }
  return classes;
}

bool is_given(const Request& request, const char* name) {
  const auto argument = request.arguments.FindMember(name);
  return argument != request.arguments.MemberEnd() && !argument->value.IsNull();
}

void refuse_both_or_none(bool has_one, bool has_several) {
  if (has_one != has_several) return;
  throw QueryError(invalid_argument(
      has_one ? "Give 'class_name' or 'class_names', not both"
              : "'class_name' is missing: a class, or 'class_names' for up to 20 classes"));
}

void write_classes(const Request& request, UsedKinds& kinds, JsonWriter& json) {
  json.key("classes").begin_array();
  for (const ClassView* const cls : requested_classes(request)) {
    json.begin_object();
    write_class(request, *cls, kinds, json);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

Reply list_classes(const Request& request) {
  const auto names = optional_strings(request, "names", kMostNames);
  const auto prefix = optional_string(request, "prefix");
  std::string built_in_text, custom_text;
  JsonWriter built_in(built_in_text), custom(custom_text);
  built_in.begin_array();
  custom.begin_array();
  std::size_t total = 0, visible = 0;
  for (const ClassView* cls : request.scope.classes()) {
    ++visible;
    if (!wanted(*cls, names, prefix)) continue;
    ++total;
    JsonWriter& json = cls->type == ClassType::built_in ? built_in : custom;
    json.begin_object().key("name").string(cls->name);
    write_description(*cls, json);
    json.key("fields").number(listed_field_count(request, *cls)).end_object();
  }
  built_in.end_array();
  custom.end_array();
  Reply reply;
  JsonWriter out(reply.meta);
  out.begin_object().key("total").number(total);
  out.key("built_in").raw(built_in_text).key("custom").raw(custom_text);
  if (total == 0 && visible > 0) {
    out.key("note").string("No class matches; call without names and prefix to see all " +
                           std::to_string(visible));
  }
  out.end_object();
  return reply;
}

Reply describe_class(const Request& request) {
  const bool has_several = is_given(request, "class_names");
  refuse_both_or_none(is_given(request, "class_name"), has_several);
  Reply reply;
  JsonWriter json(reply.meta);
  json.begin_object();
  UsedKinds kinds;
  if (has_several) {
    write_classes(request, kinds, json);
  } else {
    write_class(request, named_class(request.scope, required_string(request, "class_name")), kinds,
                json);
  }
  write_hints(kinds, json);
  json.end_object();
  return reply;
}

}  // namespace gantry::data
