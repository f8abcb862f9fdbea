#include "ops/group_ops.hpp"

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
               member("pipeline", grouping.shown) +
               ",\"hint\":\"Nothing was read. Call aggregate with this pipeline to change it, or "
               "this tool without dry_run.\"}";
  return reply;
}

// The documents of a grouping; pointers of one class are replaced by bare ids.
struct Groups {
  Array list;
  std::string class_name;  // the class of the keys, if they were pointers
  bool is_truncated = false;
};

Groups run(const Request& request, const Grouping& grouping) {
  Documents found = read_documents(request, grouping.read, grouping.limit);
  Groups groups{std::move(found.list), {}, found.has_more};
  const typing::TypePtr key = typing::member(*documents_of(request, grouping.read), "_id");
  const bool is_pointer = key && key->is(typing::Type::Kind::key) && key->column != nullptr &&
                          key->column->kind == Kind::pointer;
  if (is_pointer) {
    groups.class_name = key->target;
    return groups;
  }
  const auto classes = compact_pointers(groups.list);
  if (const auto it = classes.find("_id"); it != classes.end()) groups.class_name = it->second;
  return groups;
}

std::string notes(const Groups& groups) {
  std::string json;
  if (!groups.class_name.empty()) {
    json += member("pointer_class", Value::string(groups.class_name));
  }
  return groups.is_truncated ? json + ",\"truncated\":true" : json;
}

Value value_or_null(const Value& value) { return value.is_missing() ? Value::null() : value; }

Reply answer_groups(const Request& request, const Grouping& grouping) {
  if (optional_flag(request, "dry_run", false)) return dry_run(request, grouping);
  Groups groups = run(request, grouping);
  for (Value& group : groups.list) {
    group = ObjectBuilder()
                .add("key", value_or_null(group.find("_id")))
                .add("value", value_or_null(group.find("value")))
                .build();
  }
  Reply reply;
  reply.rows = documents_json(request, groups.list,
                              dialect_of(grouping.read.view, request.settings.row_form));
  reply.meta = "{\"field\":" + json_of(Value::string(grouping.field)) +
               member("operation", Value::string(grouping.operation));
  for (const char* name : {"interval", "timezone", "sort"}) {
    const Value& value = grouping.parameters.find(name);
    if (!value.is_missing()) reply.meta += member(name, value);
  }
  reply.meta += ",\"group_count\":" + std::to_string(groups.list.size()) +
                ",\"limit\":" + std::to_string(grouping.limit) + notes(groups) + "}";
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
  Groups groups = run(request, grouping);
  for (Value& group : groups.list) group = value_or_null(group.find("_id"));
  Reply reply;
  reply.rows = documents_json(request, groups.list,
                              dialect_of(grouping.read.view, request.settings.row_form));
  reply.meta = "{\"field\":" + json_of(Value::string(grouping.field)) +
               ",\"count\":" + std::to_string(groups.list.size()) + notes(groups) + "}";
  return reply;
}

}  // namespace gantry::data
