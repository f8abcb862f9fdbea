// $inQuery and $select from a column into a document class: the values become a list.
#include "filter/columns/binder.hpp"
#include "filter/columns/operand.hpp"
#include "filter/columns/refusal.hpp"

namespace gantry::data::columns {
namespace {

bool is_pointer_to(const Value& value, std::string_view cls) {
  const Value& name = value.find("className");
  return value.find("__type").is_string() && name.is_string() && name.text() == cls &&
         value.find("objectId").is_string();
}

Array asked(std::string_view op, const SubQuery& query, const Context& context) {
  if (context.options.ask) return context.options.ask(op, query);
  refuse("Operator " + std::string(op) + " cannot ask a class of documents here.");
}

// For columns whose values are ids, of the class itself or of another one.
void add_id(const Value& value, const Column& column, Array& values) {
  const bool refers = is_pointer_to(value, column.field.target_class);
  const Value& id = refers ? value.find("objectId") : value;
  if (!id.is_string() && !id.is_number()) return;
  for (Value& stored : ids_of(id, column)) values.push_back(std::move(stored));
}

bool fits(const Value& value, Kind kind) {
  const bool any = kind == Kind::any;
  if (value.is_number()) return any || kind == Kind::integer || kind == Kind::number;
  if (value.is_string()) return any || kind == Kind::string;
  if (value.is_bytes()) return any || kind == Kind::bytes;
  if (value.is_boolean()) return kind == Kind::boolean;
  return value.is_date() && kind == Kind::date;
}

}  // namespace

Array document_keys(const Column& column, std::string_view op, const SubQuery& query,
                    const Context& context) {
  const bool is_id = column.is_id || column.field.kind == Kind::pointer;
  const bool by_pointer = op == "$inQuery" || op == "$notInQuery";
  Array values;
  for (const Value& value : asked(op, query, context)) {
    if (by_pointer && !is_pointer_to(value, column.field.target_class)) continue;
    if (is_id) {
      add_id(value, column, values);
    } else if (fits(value, column.field.kind)) {
      values.push_back(value);
    }
  }
  if (values.size() > filter::kMaxListed) {
    refuse("Operator " + std::string(op) + " finds more than " +
           std::to_string(filter::kMaxListed) + " values for field '" + column.field.name +
           "'; narrow its where.");
  }
  context.parser.list(op, values.size());
  return values;
}

}  // namespace gantry::data::columns
