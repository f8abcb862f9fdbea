#include "ops/group_ops.hpp"

#include "ops/model_echo.hpp"

#include "ops/documents_reply.hpp"
#include "ops/group_spec.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

std::string json_of(const Value& value) {
  std::string json;
  append_value_json(value, JsonDialect::plain, json);
  return json;
}

std::string member(std::string_view name, const Value& value) {
  return ",\"" + std::string(name) + "\":" + json_of(value);
}

Reply dry_run(const Request& request, const Grouping& grouping) {
  check_read(request, grouping.read);
  Reply reply;
  reply.meta = "{\"dry_run\":true" + member("parameters", grouping.parameters) +
               member("pipeline",
                      Value::array(with_canonical(grouping.read.view, grouping.shown.elements()))) +
               ",\"hint\":\"Nothing was read. Call aggregate with this pipeline to change it, or "
               "this tool without dry_run.\"}";
  return reply;
}

// The documents of a grouping; pointers of one class are replaced by bare ids.
struct Groups {
  Array list;
  std::vector<std::string> classes;  // of each field's keys, if they were pointers; else empty
  bool is_truncated = false;
};

// The class that the key of the field at this place points to; empty if it is no pointer.
std::string class_of_key(const typing::TypePtr& key) {
  const bool is_pointer = key && key->is(typing::Type::Kind::key) && key->column != nullptr &&
                          key->column->kind == Kind::pointer;
  return is_pointer ? key->target : "";
}

Groups read_groups(const Request& request, const Grouping& grouping) {
  Documents found = read_documents(request, grouping.read, capped_rows(request, grouping.limit));
  Groups groups{std::move(found.list), {}, found.has_more};
  const typing::TypePtr key = typing::member(*documents_of(request, grouping.read), "_id");
  const auto compacted = compact_pointers(groups.list);
  const auto class_at = [&](const std::string& path, const typing::TypePtr& type) {
    const auto found_class = compacted.find(path);
    return found_class == compacted.end() ? class_of_key(type) : found_class->second;
  };
  if (grouping.names.empty()) groups.classes.push_back(class_at("_id", key));
  for (const std::string& name : grouping.names) {
    groups.classes.push_back(class_at("_id." + name, key ? typing::member(*key, name) : nullptr));
  }
  return groups;
}

// {field: class} of the fields that are pointers; missing if there is none.
Value pointer_classes(const Grouping& grouping, const Groups& groups) {
  ObjectBuilder classes;
  bool has_any = false;
  for (std::size_t i = 0; i < grouping.names.size(); ++i) {
    if (groups.classes[i].empty()) continue;
    classes.add(grouping.fields[i], Value::string(groups.classes[i]));
    has_any = true;
  }
  return has_any ? classes.build() : Value();
}

std::string notes(const Grouping& grouping, const Groups& groups) {
  std::string json;
  const Value classes = pointer_classes(grouping, groups);
  if (!classes.is_missing()) json += member("pointer_classes", classes);
  if (grouping.names.empty() && !groups.classes.front().empty()) {
    json += member("pointer_class", Value::string(groups.classes.front()));
  }
  return groups.is_truncated ? json + ",\"truncated\":true" : json;
}

Value value_or_null(const Value& value) { return value.is_missing() ? Value::null() : value; }

// The key of a group, with the fields' own names.
Value key_of(const Grouping& grouping, const Value& id) {
  if (grouping.names.empty()) return value_or_null(id);
  ObjectBuilder key;
  for (std::size_t i = 0; i < grouping.names.size(); ++i) {
    key.add(grouping.fields[i], value_or_null(id.find(grouping.names[i])));
  }
  return key.build();
}

std::string fields_of(const Grouping& grouping) {
  if (grouping.names.empty())
    return "{\"field\":" + json_of(Value::string(grouping.fields.front()));
  return "{\"fields\":" + json_of(grouping.parameters.find("fields"));
}

Reply answer_groups(const Request& request, const Grouping& grouping) {
  if (optional_flag(request, "dry_run", false)) return dry_run(request, grouping);
  Groups groups = read_groups(request, grouping);
  for (Value& group : groups.list) {
    group = ObjectBuilder()
                .add("key", key_of(grouping, group.find("_id")))
                .add("value", value_or_null(group.find("value")))
                .build();
  }
  Reply reply;
  reply.rows = documents_json(request, groups.list,
                              dialect_of(grouping.read.view, request.settings.row_form));
  reply.meta = fields_of(grouping) + member("operation", Value::string(grouping.operation));
  for (const char* name : {"interval", "timezone", "sort"}) {
    const Value& value = grouping.parameters.find(name);
    if (!value.is_missing()) reply.meta += member(name, value);
  }
  reply.meta += ",\"group_count\":" + std::to_string(groups.list.size()) +
                ",\"limit\":" + std::to_string(capped_rows(request, grouping.limit)) +
                notes(grouping, groups) + "}";
  return reply;
}

}  // namespace

Reply group_by(const Request& request) { return answer_groups(request, read_group_by(request)); }

Reply group_by_date(const Request& request) {
  return answer_groups(request, read_group_by_date(request));
}

Reply distinct(const Request& request) {
  const Grouping grouping = read_distinct(request);
  if (optional_flag(request, "dry_run", false)) return dry_run(request, grouping);
  Groups groups = read_groups(request, grouping);
  for (Value& group : groups.list) group = value_or_null(group.find("_id"));
  Reply reply;
  reply.rows = documents_json(request, groups.list,
                              dialect_of(grouping.read.view, request.settings.row_form));
  reply.meta = fields_of(grouping) + ",\"count\":" + std::to_string(groups.list.size()) +
               notes(grouping, groups) + "}";
  return reply;
}

}  // namespace gantry::data
