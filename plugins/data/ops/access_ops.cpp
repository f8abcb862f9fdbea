#include "ops/access_ops.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <gantry/json_writer.hpp>

#include "filter/columns/refusal.hpp"
#include "ops/sql/sql_statement.hpp"

namespace gantry::data {
namespace {

struct ToolOp {
  std::string_view name;
  ClassOp op;
};
constexpr std::array kReads = {ClassOp::find, ClassOp::get, ClassOp::count};
constexpr std::array kWrites = {ClassOp::create, ClassOp::update, ClassOp::remove};
// The tools that do not find rows.
constexpr std::array kTools = {
    ToolOp{"create_object", ClassOp::create}, ToolOp{"update_object", ClassOp::update},
    ToolOp{"delete_object", ClassOp::remove}, ToolOp{"get_object", ClassOp::get},
    ToolOp{"get_objects", ClassOp::get},      ToolOp{"count_objects", ClassOp::count}};
constexpr std::string_view kDescribes = "get_schema";  // it reads no rows
constexpr std::string_view kWritesSql = "query_sql";

ClassOp read_of(std::string_view tool) {
  const auto found = std::find_if(kTools.begin(), kTools.end(),
                                  [tool](const ToolOp& known) { return known.name == tool; });
  return found == kTools.end() ? ClassOp::find : found->op;
}

const ClassView& view_for(const Request& request, std::string_view name, ClassOp op) {
  return named_class(request.scope.for_op(op), name);
}

// What of `ops` the class allows to the agent, as names; false: nothing.
bool write_allowed(const Request& request, std::string_view name, std::span<const ClassOp> ops,
                   JsonWriter& json) {
  bool has_any = false;
  json.begin_array();
  for (const ClassOp op : ops) {
    if (view_for(request, name, op).refusal != RowRules::Refusal::none) continue;
    json.string(op_name(op));
    has_any = true;
  }
  json.end_array();
  return has_any;
}

void write_fields(const ClassView& cls, JsonWriter& json) {
  json.key("fields").begin_array();
  for (const FieldView& field : cls.fields) json.string(field.name);
  for (const Field& field : cls.stated) {
    if (cls.permits(field.name)) json.string(field.name);
  }
  json.end_array();
}

}  // namespace

Reply describe_access(const Request& request) {
  const std::string_view tool = optional_string(request, "tool");
  if (tool == kWritesSql) {
    refuse_without_sql(request);
    if (member_of(request.arguments, "class_name") == nullptr) return {{}, "{}"};
  }
  const std::string_view name = required_string(request, "class_name");
  const ClassOp op = read_of(tool);
  // What is changed must be seen first.
  if (op == ClassOp::update || op == ClassOp::remove) {
    columns::refuse_unreadable(view_for(request, name, ClassOp::get));
  }
  const ClassView& cls = view_for(request, name, op);
  if (!tool.empty() && tool != kDescribes) columns::refuse_unreadable(cls);
  Reply reply;
  JsonWriter json(reply.meta);
  json.begin_object().key("class_name").string(cls.name).key("operations");
  const bool has_any = write_allowed(request, name, kReads, json);
  if (!has_any && tool.empty()) columns::refuse_unreadable(cls);
  write_allowed(request, name, kWrites, json.key("writes"));
  write_sql_form(request, cls, json);
  write_fields(cls, json);
  json.end_object();
  return reply;
}

}  // namespace gantry::data
