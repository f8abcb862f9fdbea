#include <algorithm>

#include "where/evaluate.hpp"
#include "where/parser.hpp"
#include "where/scalar.hpp"

namespace gantry::data::where {
namespace {

class Emitter {
 public:
  explicit Emitter(const SourcePtr& source) : source_(source) {}

  Fragment node(const Node& node, bool negated) const {
    switch (node.type) {
      case Node::Type::all:
        return group(node, !negated, negated);
      case Node::Type::any:
        return group(node, negated, negated);
      case Node::Type::none:
        return group(node, !negated, !negated);
      case Node::Type::leaf:
        return leaf_node(node.leaf(), negated);
      case Node::Type::sql:
        break;
    }
    return two_valued(node.sql(), negated);
  }

 private:
  // Negation is pushed down to the leaves, which are two-valued, so that a double one cancels out.
  Fragment group(const Node& node, bool conjunction, bool negated) const {
    std::vector<Fragment> parts;
    for (const Node& child : node.children) parts.push_back(this->node(child, negated));
    return conjunction ? joined(std::move(parts), " AND ", "1")
                       : joined(std::move(parts), " OR ", "0");
  }

  static Fragment two_valued(Fragment sql, bool negated) {
    if (!negated) return sql;
    return std::move(Fragment{"(", {}}.add(sql).add(" IS NOT TRUE)"));
  }

  Fragment leaf_node(const Leaf& leaf, bool negated) const {
    if (negated && is_presence(leaf)) return presence(leaf, !asks_for_null(leaf));
    return two_valued(this->leaf(leaf), negated);
  }

  // "Is null" and "is present" are each other's negation, and an index serves both.
  static bool asks_for_null(const Leaf& leaf) {
    const auto* compare = std::get_if<Compare>(&leaf.test);
    return compare != nullptr && compare->order == Order::eq && compare->value.is_nothing();
  }
  static bool is_presence(const Leaf& leaf) {
    const bool root_exists = std::holds_alternative<Exists>(leaf.test) && leaf.path.empty();
    return root_exists || (asks_for_null(leaf) && !leaf.column->is_json());
  }
  static Fragment presence(const Leaf& leaf, bool absent) {
    if (leaf.column->is_composite()) return {absent ? "0" : "1", {}};
    return {"(" + leaf.column->sql() + (absent ? " IS NULL)" : " IS NOT NULL)"), {}};
  }

  Fragment leaf(const Leaf& leaf) const {
    const Column& column = *leaf.column;
    if (is_presence(leaf)) return presence(leaf, asks_for_null(leaf));
    if (column.is_json()) return matched(leaf);
    if (const auto* type = std::get_if<HasType>(&leaf.test)) return typed(leaf, *type);
    if (column.stored_kind() == Kind::date) return date(leaf);
    if (const auto* test = std::get_if<Compare>(&leaf.test)) {
      return compare_sql(column.field, test->order, test->value);
    }
    if (const auto* test = std::get_if<OneOf>(&leaf.test))
      return one_of_sql(column.field, test->set);
    if (const auto* test = std::get_if<Found>(&leaf.test)) return found(leaf, *test->regex);
    return matched(leaf);
  }

  Fragment matched(const Leaf& leaf) const {
    Fragment sql{"gantry_match(", {}};
    return std::move(sql.bind(make_matcher(leaf, source_)).add(", " + leaf.column->sql() + ")"));
  }

  // Ids are strings and pointers are objects, whatever their stored type.
  Fragment typed(const Leaf& leaf, const HasType& test) const {
    const bool id = leaf.column->is_id;
    if (!id && leaf.column->field.kind != Kind::pointer) return matched(leaf);
    const bool value = (test.types & (id ? TypeBit::kString : TypeBit::kObject)) != 0;
    const bool null = (test.types & TypeBit::kNull) != 0;
    if (value == null) return {value ? "1" : "0", {}};
    return presence(leaf, null);
  }

  Fragment found(const Leaf& leaf, const Regex& regex) const {
    const Field& field = leaf.column->field;
    const Fragment range = prefix_sql(field, regex.prefix());
    Fragment sql{"(", {}};
    if (range.empty()) {
      return std::move(sql.add(type_guard(field, View::Type::string)).add(matched(leaf)).add(")"));
    }
    sql.add(range);
    if (!regex.prefix_is_all()) sql.add(" AND ").add(matched(leaf));
    return std::move(sql.add(")"));
  }

  Fragment date(const Leaf& leaf) const {
    const auto* compare = std::get_if<Compare>(&leaf.test);
    const auto* set = std::get_if<OneOf>(&leaf.test);
    if (compare == nullptr && set == nullptr) return matched(leaf);
    if (compare != nullptr) return date_compare(leaf, compare->order, compare->value);
    return date_set(leaf, set->set);
  }

  Fragment date_compare(const Leaf& leaf, Order order, const View& value) const {
    const Field& field = leaf.column->field;
    if (value.type != View::Type::date) return compare_sql(field, order, value);
    if (field.date_form == DateForm::none) return matched(leaf);
    if (field.date_form != DateForm::iso_text) return date_compare_sql(field, order, value.integer);
    Fragment sql{"(" + type_guard(field, View::Type::string), {}};
    const Fragment range = date_text_range(field, order, value.integer);
    if (!range.empty()) sql.add(range).add(" AND ");
    return std::move(sql.add(matched(leaf)).add(")"));
  }

  // Milliseconds become an IN list. Other date forms are bounded by the first and last value, then
  // matched one by one.
  Fragment date_set(const Leaf& leaf, const ValueSet& set) const {
    const Field& field = leaf.column->field;
    const bool list = field.date_form == DateForm::epoch_millis;
    if (list || set.values.empty() || set.values.back().is_nothing()) {
      return one_of_sql(field, set);
    }
    std::vector<Fragment> parts;
    if (set.has_null()) parts.push_back(compare_sql(field, Order::eq, View::null()));
    const View& first = set.values[set.has_null() ? 1 : 0];
    Fragment sql{"(", {}};
    if (field.date_form != DateForm::none) {
      sql.add(bound(field, Order::gte, first)).add(bound(field, Order::lte, set.values.back()));
    }
    parts.push_back(std::move(sql.add(matched(leaf)).add(")")));
    return joined(std::move(parts), " OR ", "0");
  }

  static Fragment bound(const Field& field, Order order, const View& value) {
    Fragment sql = field.date_form == DateForm::iso_text
                       ? date_text_range(field, order, value.integer)
                       : date_compare_sql(field, order, value.integer);
    return sql.empty() ? sql : std::move(sql.add(" AND "));
  }

  const SourcePtr& source_;
};

}  // namespace

Fragment emit(const Node& node, const SourcePtr& source) {
  return Emitter(source).node(node, false);
}

}  // namespace gantry::data::where
