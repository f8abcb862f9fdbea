#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

void add_column(std::string& order, const Field& field) {
  order += (order.empty() ? "" : ", ") + field.column;
}

// Stored JSON is excluded: it may contain internal members, and sorting by it would reveal them.
std::string visible_order(const ClassView& cls) {
  std::string order;
  for (const FieldView& field : cls.fields) {
    if (!field.json) add_column(order, field);
  }
  return order;
}

}  // namespace

std::string own_order(const ClassView& cls) {
  if (!cls.rowid.empty()) return cls.rowid;
  std::string order;
  for (const FieldView& part : cls.key_fields) add_column(order, part);
  return order.empty() && cls.order_tells ? visible_order(cls) : order;
}

Clauses in_own_order(const ClassView& cls, Clauses clauses) {
  const std::string own = own_order(cls);
  if (!own.empty()) clauses.order.add(clauses.order.empty() ? "" : ", ").add(own);
  return clauses;
}

Fragment settled_order(const ClassView& cls, Fragment order) {
  if (!cls.order_tells) return order;
  const std::string own = own_order(cls);
  if (own.empty()) return order;
  return std::move(order.add(order.empty() ? "" : ", ").add(own));
}

}  // namespace gantry::data
