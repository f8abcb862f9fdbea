#include <algorithm>

#include "filter/columns/column.hpp"
#include "filter/columns/refusal.hpp"
#include "filter/columns/sort_key.hpp"
#include "filter/columns/stored_key.hpp"
#include "filter/columns/where.hpp"
#include "policy/internal.hpp"
#include "sql/row_order.hpp"
#include "sql/scalar.hpp"
#include "sql/seen_text.hpp"
#include "sql/select.hpp"
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
  OrderCompiler(const ClassView& cls, const Scope& scope) : cls_(cls), scope_(scope) {}

  void add(const OrderKey& wanted) {
    descending_ = wanted.descending;
    const std::string_view key = wanted.name;
    if (ColumnPtr column = find_column(key, cls_)) {
      if (column->is_redacted) refuse_redacted(key);
      return add_column(*column, {});
    }
    add_path(key);
  }

  RowOrder finish() {
    const ColumnPtr id = id_column(cls_);
    if (id) add_column(*id, {});
    order_.sql = settled_order(cls_, std::move(order_.sql));
    const bool is_exact = order_.exceptions.empty() && order_.doubts.empty();
    order_.exact = is_exact ? Fragment() : settled_order(cls_, std::move(order_.exact));
    return std::move(order_);
  }

 private:
  void add_path(std::string_view key) {
    const std::size_t dot = key.find('.');
    const std::string_view root = key.substr(0, dot);
    const ColumnPtr column = find_column(root, cls_);
    if (names_internal(key)) refuse_field(key, cls_);
    if (!column) refuse_field(root, cls_);
    if (column->field.kind == Kind::pointer) {
      return add_key(value_behind(cls_, key));
    }
    if (!column->is_json()) {
      refuse("Nothing lies below field '" + std::string(root) + "', so the order cannot use '" +
             clipped(key) + "'.");
    }
    add_column(*column, key.substr(dot + 1));
  }

  // The value of a path that leads through pointers, as a subquery. Its names are not those of
  // columns, so that the pointer in it is that of the row around it.
  Fragment value_behind(const ClassView& cls, std::string_view path) const {
    const std::size_t dot = path.find('.');
    const ColumnPtr column = find_column(path.substr(0, dot), cls);
    if (!column) refuse_field(path.substr(0, dot), cls);
    if (column->is_redacted) refuse_redacted(path);
    if (dot == std::string_view::npos) {
      if (column->is_composite() || column->is_json()) {
        refuse("The order cannot use '" + clipped(path) + "' of class '" + cls.name + "'.");
      }
      const auto stored = stored_key(*column);
      if (!stored || !stored->exception.empty()) return made_key(*column, {});
      if (may_hold_json(*column, cls)) return seen_by_bytes(column->field, column->whole);
      return {stored->text, {}};
    }
    const bool is_pointer = column->field.kind == Kind::pointer;
    const ClassView* const target = is_pointer ? scope_.open(column->field.target_class) : nullptr;
    const FieldView* const key =
        target == nullptr ? nullptr : target->find(column->field.target_field);
    if (key == nullptr) {
      refuse("Nothing lies below field '" + clipped(path.substr(0, dot)) +
             "', so the order cannot use '" + clipped(path) + "'.");
    }
    const Fragment value = value_behind(*target, path.substr(dot + 1));
    return value_of_row(*target, key->column, value, column->sql());
  }

  void add_column(const Column& column, std::string_view path) {
    if (column.is_composite()) {
      for (const Field& part : column.parts) add_stored(part);
      return;
    }
    if (column.is_json()) return add_key(made_key(column, path));
    if (is_first(column.field)) add_value(column);
  }

  // Bytes that sort as the values at `path` do.
  Fragment made_key(const Column& column, std::string_view path) const {
    Fragment key{"gantry_key(", {}};
    key.bind(make_sort_key(column, path, descending_)).add(", " + column.sql() + ")");
    return key;
  }

  // A column that was already named has no further effect.
  bool is_first(const Field& field) {
    if (std::find(used_.begin(), used_.end(), field.column) != used_.end()) return false;
    used_.push_back(field.column);
    return true;
  }

  void add_stored(const Field& field) {
    if (is_first(field)) add_key({by_bytes(field), {}});
  }

  // As values sort, and as the agent sees them.
  Fragment exact_key(const Column& column, const StoredKey& stored) const {
    if (!stored.exception.empty()) return made_key(column, {});
    return may_hold_json(column, cls_) ? seen_by_bytes(column.field, column.whole)
                                       : Fragment{stored.text, {}};
  }

  // Where rules hold, a look for other values could itself tell of rows: what the sampled rows have
  // is assumed of all. Behind a boundary none are sampled, and dates are assumed to have one form.
  std::optional<StoredKey> trusted_key(const Column& column) const {
    const bool is_unsampled = !cls_.boundary.empty() && column.is(FieldForm::Type::date);
    if (is_unsampled) return StoredKey{by_bytes(column.field), {}};
    auto stored = stored_key(column);
    if (stored && cls_.is_ruled()) stored->exception = {};
    return stored;
  }

  void add_value(const Column& column) {
    if (column.is_id) return add_key({by_bytes(column.field), {}});
    auto stored = trusted_key(column);
    if (!stored) return add_key(made_key(column, {}));
    const Fragment exact = exact_key(column, *stored);
    const bool may_hide = may_hold_json(column, cls_);
    const bool may_trust = !may_hide || cls_.is_ruled() || is_assumed_bare(column.field, cls_);
    if (!may_trust) return add_key(exact);
    put({stored->text, {}}, order_.sql);
    put(exact, order_.exact);
    if (stored->is_finer) put({stored->text, {}}, order_.exact);
    if (may_hide) order_.exceptions.push_back(hides_text(column.field, column.whole));
    if (!stored->exception.empty()) order_.doubts.push_back(std::move(stored->exception));
  }

  static bool may_hold_json(const Column& column, const ClassView& cls) {
    return !column.is_id && data::may_hold_json(column.field, column.whole, cls);
  }

  void add_key(const Fragment& key) {
    put(key, order_.sql);
    put(key, order_.exact);
  }
  void put(const Fragment& key, Fragment& to) const {
    to.add(to.empty() ? "" : ", ").add(key).add(descending_ ? " DESC" : "");
  }

  const ClassView& cls_;
  const Scope& scope_;
  RowOrder order_;
  std::vector<std::string> used_;
  bool descending_ = false;
};

// "name desc", as in SQL.
void read_direction(OrderKey& key) {
  for (const std::string_view word : {" desc", " DESC", " asc", " ASC"}) {
    if (key.name.size() <= word.size() || !key.name.ends_with(word)) continue;
    key.name = trimmed(key.name.substr(0, key.name.size() - word.size()));
    if (word.size() == 5) key.descending = !key.descending;
    return;
  }
}

OrderKey read_key(std::string_view text) {
  text = trimmed(text);
  OrderKey key{text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0),
               text.starts_with('-')};
  read_direction(key);
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

RowOrder compile_order(std::string_view order, const ClassView& cls, const Scope& scope) {
  columns::OrderCompiler compiler(cls, scope);
  for (const OrderKey& key : read_order(order)) compiler.add(key);
  return compiler.finish();
}

}  // namespace gantry::data
