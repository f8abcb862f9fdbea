// $inQuery and $select from a column into a document class: the values become a list.
#include "where/operand.hpp"
#include "where/parser.hpp"
#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

bool is_pointer(const Value& value, std::string_view cls) {
  const Value& name = value.find("className");
  return value.find("__type").is_string() && name.is_string() && name.text() == cls &&
         value.find("objectId").is_string();
}

Array asked(std::string_view op, const Json& operand, const Context& context) {
  if (context.ask == nullptr) {
    refuse("Operator " + std::string(op) + " cannot ask a class of documents here.");
  }
  auto values = (*context.ask)(op, operand);
  if (!values) throw Refusal{values.error()};
  return std::move(*values);
}

// For columns whose values are ids, of the class itself or of another one.
void add_id(const Value& value, const Column& column, Source& source, std::vector<View>& views) {
  const bool refers = is_pointer(value, column.field.target_class);
  const Value& id = refers ? value.find("objectId") : value;
  if (!id.is_string() && !id.is_number()) return;
  for (const View& view : ids_of(id, column, source)) views.push_back(view);
}

void add_plain(const Value& value, const Column& column, Source& source, std::vector<View>& views) {
  const Kind kind = column.field.kind;
  const bool any = kind == Kind::any;
  if (value.is_number() && (any || kind == Kind::integer || kind == Kind::number)) {
    views.push_back(value.is_real() ? View::number(value.real()) : View::number(value.integer()));
  } else if (value.is_string() && (any || kind == Kind::string)) {
    views.push_back(View::string(source.keep(std::string(value.text()))));
  } else if (value.is_bytes() && (any || kind == Kind::bytes)) {
    views.push_back(View::bytes(source.keep(std::string(value.text()))));
  } else if (value.is_boolean() && kind == Kind::boolean) {
    views.push_back(View::boolean(value.is_true()));
  } else if (value.is_date() && kind == Kind::date) {
    views.push_back(View::date(value.integer()));
  }
}

}  // namespace

std::vector<View> document_keys(const Column& column, std::string_view op, const Json& operand,
                                const Context& context) {
  const bool is_id = column.is_id || column.field.kind == Kind::pointer;
  const bool by_pointer = op == "$inQuery" || op == "$notInQuery";
  std::vector<View> views;
  for (const Value& value : asked(op, operand, context)) {
    if (by_pointer && !is_pointer(value, column.field.target_class)) continue;
    if (is_id) {
      add_id(value, column, *context.source, views);
    } else {
      add_plain(value, column, *context.source, views);
    }
  }
  if (views.size() > kMaxListed) {
    refuse("Operator " + std::string(op) + " finds more than " + std::to_string(kMaxListed) +
           " values for field '" + column.field.name + "'; narrow its where.");
  }
  context.budget.spend_listed(views.size());
  return views;
}

}  // namespace gantry::data::where
