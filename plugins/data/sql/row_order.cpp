#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

void add_column(std::string& order, const Field& field) {
  order += (order.empty() ? "" : ", ") + field.column;
}

// Stored JSON is excluded: it may contain internal members, and sorting by it would reveal them.
std::string visible_order(const ClassInfo& cls) {
  std::string order;
  for (const Field& field : cls.fields) {
    if (!field.internal && !field.json) add_column(order, field);
  }
  return order;
}

}  // namespace

std::string own_order(const ClassInfo& cls) {
  if (!cls.rowid.empty()) return cls.rowid;
  std::string order;
  for (const std::size_t at : cls.id_fields) add_column(order, cls.fields[at]);
  return order.empty() && cls.order_tells ? visible_order(cls) : order;
}

Fragment settled_order(const ClassInfo& cls, Fragment order) {
  if (!cls.order_tells) return order;
  const std::string own = own_order(cls);
  if (own.empty()) return order;
  return std::move(order.add(order.empty() ? "" : ", ").add(own));
}

}  // namespace gantry::data
