#include "ops/access_ops.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <gantry/json_writer.hpp>

#include "filter/columns/refusal.hpp"

namespace gantry::data {
namespace {

struct NamedRead {
  std::string_view name;
  ReadOp op;
};
constexpr std::array kReads = {NamedRead{"find", ReadOp::find}, NamedRead{"get", ReadOp::get},
                               NamedRead{"count", ReadOp::count}};
// The tools that do not find rows.
constexpr std::array kTools = {NamedRead{"get_object", ReadOp::get},
                               NamedRead{"get_objects", ReadOp::get},
                               NamedRead{"count_objects", ReadOp::count}};
constexpr std::string_view kDescribes = "get_schema";  // it reads no rows

ReadOp read_of(std::string_view tool) {
  const auto found = std::find_if(kTools.begin(), kTools.end(),
                                  [tool](const NamedRead& known) { return known.name == tool; });
  return found == kTools.end() ? ReadOp::find : found->op;
}

const ClassView& view_for(const Request& request, std::string_view name, ReadOp op) {
  return named_class(request.scope.for_op(op), name);
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
  const std::string_view name = required_string(request, "class_name");
  const std::string_view tool = optional_string(request, "tool");
  const ClassView& cls = view_for(request, name, read_of(tool));
  if (!tool.empty() && tool != kDescribes) columns::refuse_unreadable(cls);
  Reply reply;
  JsonWriter json(reply.meta);
  json.begin_object().key("class_name").string(cls.name).key("operations").begin_array();
  bool has_any = false;
  for (const NamedRead& read : kReads) {
    if (view_for(request, name, read.op).refusal != RowRules::Refusal::none) continue;
    json.string(read.name);
    has_any = true;
  }
  json.end_array();
  if (!has_any && tool.empty()) columns::refuse_unreadable(cls);
  write_fields(cls, json);
  json.end_object();
  return reply;
}

}  // namespace gantry::data
