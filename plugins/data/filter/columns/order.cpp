#include <algorithm>

#include "filter/columns/column.hpp"
#include "filter/columns/refusal.hpp"
#include "filter/columns/sort_key.hpp"
#include "filter/columns/where.hpp"
#include "policy/internal.hpp"
#include "sql/row_order.hpp"
#include "sql/scalar.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace columns {
namespace {

constexpr std::size_t kMaxKeys = 32;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

class OrderCompiler {
 public:
  explicit OrderCompiler(const ClassView& cls) : cls_(cls) {}

  void add_key(const OrderKey& wanted) {
    descending_ = wanted.descending;
    const std::string_view key = wanted.name;
    if (ColumnPtr column = find_column(key, cls_)) {
      if (column->is_redacted) refuse_redacted(key);
      return add_column(*column, {});
    }
    add_path(key);
  }

  Fragment finish() {
    const ColumnPtr id = id_column(cls_);
    if (id) add_column(*id, {});
    return settled_order(cls_, std::move(sql_));
  }

 private:
  void add_path(std::string_view key) {
    const std::size_t dot = key.find('.');
    const std::string_view root = key.substr(0, dot);
    const ColumnPtr column = find_column(root, cls_);
    if (names_internal(key)) refuse_field(key, cls_);
    if (!column) refuse_field(root, cls_);
    if (!column->is_json()) {
      refuse("Nothing lies below field '" + std::string(root) + "', so the order cannot use '" +
             clipped(key) + "'.");
    }
    add_column(*column, key.substr(dot + 1));
  }

  void add_column(const Column& column, std::string_view path) {
    if (column.is_composite()) {
      for (const Field& part : column.parts) add_text(part.column, by_bytes(part));
      return;
    }
    if (!column.is_json()) return add_text(column.sql(), by_bytes(column.field));
    sql_.add(sql_.empty() ? "" : ", ").add("gantry_key(");
    sql_.bind(make_sort_key(column, path, descending_)).add(", " + column.sql() + ")");
    sql_.add(descending_ ? " DESC" : "");
  }

  // A column that was already named has no further effect.
  void add_text(const std::string& column, const std::string& operand) {
    if (std::find(used_.begin(), used_.end(), column) != used_.end()) return;
    used_.push_back(column);
    sql_.add(sql_.empty() ? "" : ", ").add(operand).add(descending_ ? " DESC" : "");
  }

  const ClassView& cls_;
  Fragment sql_;
  std::vector<std::string> used_;
  bool descending_ = false;
};

OrderKey read_key(std::string_view text) {
  text = trimmed(text);
  const OrderKey key{text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0),
                     text.starts_with('-')};
  if (key.name.empty()) {
    refuse("An order is a list of fields, such as \"-createdAt,name\"; one of them is empty.");
  }
  return key;
}

}  // namespace
}  // namespace columns

std::vector<OrderKey> read_order(std::string_view order) {
  std::vector<OrderKey> keys;
  if (columns::trimmed(order).empty()) return keys;
  for (;;) {
    const std::size_t comma = order.find(',');
    keys.push_back(columns::read_key(order.substr(0, comma)));
    if (keys.size() > columns::kMaxKeys) {
      columns::refuse("An order has at most " + std::to_string(columns::kMaxKeys) + " fields.");
    }
    if (comma == std::string_view::npos) return keys;
    order.remove_prefix(comma + 1);
  }
}

Fragment compile_order(std::string_view order, const ClassView& cls) {
  columns::OrderCompiler compiler(cls);
  for (const OrderKey& key : read_order(order)) compiler.add_key(key);
  return compiler.finish();
}

}  // namespace gantry::data
