#include "plan/plan_match.hpp"

#include <algorithm>
#include <array>

#include "match/parser.hpp"
#include "plan/key_values.hpp"
#include "plan/plan_compare.hpp"
#include "sql/compose.hpp"
#include "sql/scalar.hpp"
#include "values/pattern.hpp"

namespace gantry::data {
namespace {

using Sql = std::optional<Fragment>;

constexpr std::size_t kMostListed = 1000;  // values of one IN that narrows the search

Fragment negated(const Fragment& sql) {
  return std::move(Fragment{"(", {}}.add(sql).add(" IS NOT TRUE)"));
}

std::optional<Order> order_named(std::string_view name) {
  if (name == "$eq") return Order::eq;
  if (name == "$gt") return Order::gt;
  if (name == "$gte") return Order::gte;
  if (name == "$lt") return Order::lt;
  if (name == "$lte") return Order::lte;
  return std::nullopt;
}

// One field's condition. Operators that SQL cannot express are combined into one matcher.
class FieldSql {
 public:
  FieldSql(const std::string& path, const PlanColumn& column, const ClassView& cls)
      : path_(path), column_(column), cls_(cls) {}

  Predicate condition(const Value& value) {
    if (!match::holds_operators(value)) {
      if (auto sql = plan_compare(column_, Order::eq, value)) return {std::move(*sql), {}};
      return matched(value, key_bounds({value}).value_or(plan_bounds(column_, Order::eq, value)));
    }
    std::vector<Predicate> all;
    ObjectBuilder left;
    Fragment bounds;
    for (const Member& one : value.members()) {
      if (auto sql = operation(one.name, one.value)) {
        all.push_back({std::move(*sql), {}});
        continue;
      }
      left.set(one.name, one.value);
      add_bounds(one, bounds);
    }
    also(text_bounds(value), bounds);
    if (!left.empty()) all.push_back(matched(left.build(), bounds));
    return all_of(all);
  }

 private:
  Sql operation(const std::string& name, const Value& operand) {
    if (const auto order = order_named(name)) return plan_compare(column_, *order, operand);
    if (name == "$ne") return inverse(plan_compare(column_, Order::eq, operand));
    if (name == "$in" && operand.is_array()) return plan_one_of(column_, operand.elements());
    if (name == "$nin" && operand.is_array()) {
      return inverse(plan_one_of(column_, operand.elements()));
    }
    if (name == "$exists") return exists(operand.is_true());
    if (name == "$not" && match::holds_operators(operand)) return not_any(operand);
    return std::nullopt;
  }

  static Sql inverse(const Sql& sql) { return sql ? Sql(negated(*sql)) : std::nullopt; }

  Sql exists(bool is_wanted) const {
    if (!column_.form) return std::nullopt;
    if (column_.always_there) return Fragment{is_wanted ? "1" : "0", {}};
    return Fragment{"(" + column_.field.column + (is_wanted ? " IS NOT NULL)" : " IS NULL)"), {}};
  }

  Sql not_any(const Value& operators) {
    std::vector<Fragment> parts;
    for (const Member& one : operators.members()) {
      auto sql = operation(one.name, one.value);
      if (!sql) return std::nullopt;
      parts.push_back(std::move(*sql));
    }
    return negated(joined(std::move(parts), " AND ", "1"));
  }

  // An index condition that contains every row with one of the values.
  std::optional<Fragment> key_bounds(const Array& values) const {
    // The id of a NULL key is "", which the index does not contain.
    const auto is_key = [&](const Value& value) {
      if (value.is_string()) return !value.text().empty() || !column_.always_there;
      return value.is_number() || value.is_nullish();
    };
    const bool can =
        values.size() <= kMostListed && std::all_of(values.begin(), values.end(), is_key);
    return can ? index_lookup_condition(cls_, path_, values) : std::nullopt;
  }

  void add_bounds(const Member& one, Fragment& bounds) const {
    Fragment more;
    if (one.name == "$in" && one.value.is_array()) {
      more = key_bounds(one.value.elements()).value_or(Fragment{});
    } else if (one.name == "$all" && one.value.is_array() && !one.value.elements().empty()) {
      // Any other element may be a pattern or a condition on elements.
      const Value& first = one.value.elements().front();
      if (!first.is_object() && !first.is_array()) more = value_bounds(first);
    } else if (const auto order = order_named(one.name)) {
      more =
          *order == Order::eq ? value_bounds(one.value) : plan_bounds(column_, *order, one.value);
    }
    also(more, bounds);
  }

  Fragment value_bounds(const Value& value) const {
    Fragment bounds = key_bounds({value}).value_or(Fragment{});
    return bounds.empty() ? plan_bounds(column_, Order::eq, value) : bounds;
  }

  // An index condition for texts that begin with a pattern's fixed prefix.
  Fragment text_bounds(const Value& operators) const {
    const Value& pattern = operators.find("$regex");
    const bool is_text = column_.is(FieldForm::Type::plain) && column_.field.kind == Kind::string;
    if (!is_text || !pattern.is_string()) return {};
    const Value& options = operators.find("$options");
    const Pattern compiled(pattern.text(), options.is_string() ? options.text() : "");
    return prefix_sql(column_.field, compiled.prefix());
  }

  static void also(const Fragment& more, Fragment& bounds) {
    if (more.empty()) return;
    if (!bounds.empty()) bounds.add(" AND ");
    bounds.add(more);
  }

  Predicate matched(const Value& condition, Fragment bounds) const {
    expr::Variables none;
    Fragment sql{"gantry_match(", {}};
    sql.bind(
        where::make_matcher(column_.root, column_.below, match::Parser(none).field(condition, {})));
    return {std::move(bounds), std::move(sql.add(", " + column_.field.column + ")"))};
  }

  const std::string& path_;
  const PlanColumn& column_;
  const ClassView& cls_;
};

class Splitter {
 public:
  explicit Splitter(const ClassView& cls) : cls_(cls) {}

  MatchParts split(const Value& match) {
    add_all(match);
    MatchParts parts;
    parts.sql = all_of(sql_);
    if (rest_.empty()) {
      if (!pushed_.empty()) parts.pushed = match;
      return parts;
    }
    parts.pushed = together(pushed_);
    parts.rest = together(rest_);
    return parts;
  }

 private:
  void add_all(const Value& filter) {
    for (const Member& one : filter.members()) {
      if (one.name == "$and") {
        for (const Value& each : one.value.elements()) add_all(each);
      } else {
        add(one);
      }
    }
  }

  void add(const Member& one) {
    if (auto sql = member(one)) {
      sql_.push_back(std::move(*sql));
      pushed_.push_back(&one);
    } else {
      rest_.push_back(&one);
    }
  }

  using Condition = std::optional<Predicate>;

  Condition member(const Member& one) {
    if (!one.name.starts_with('$')) return field(one);
    if (one.name == "$and") return each(one.value, all_of);
    if (one.name == "$or") return each(one.value, any_of);
    if (one.name == "$comment") return Predicate{};
    if (one.name != "$nor") return std::nullopt;
    auto any = each(one.value, any_of);
    return any ? Condition(none_of(*any)) : std::nullopt;
  }

  Condition each(const Value& filters, Predicate (*join)(const std::vector<Predicate>&)) {
    std::vector<Predicate> parts;
    for (const Value& filter : filters.elements()) {
      std::vector<Predicate> all;
      for (const Member& one : filter.members()) {
        auto sql = member(one);
        if (!sql) return std::nullopt;
        all.push_back(std::move(*sql));
      }
      parts.push_back(all_of(all));
    }
    return join(parts);
  }

  Condition field(const Member& one) {
    const auto column = plan_column(one.name, cls_);
    if (!column) return std::nullopt;
    return FieldSql(one.name, *column, cls_).condition(one.value);
  }

  static Value together(const std::vector<const Member*>& conditions) {
    if (conditions.empty()) return {};
    std::set<std::string_view> names;
    for (const Member* one : conditions) names.insert(one->name);
    ObjectBuilder merged;
    Array list;
    for (const Member* one : conditions) {
      if (names.size() == conditions.size()) {
        merged.add(one->name, one->value);
      } else {
        list.push_back(ObjectBuilder().add(one->name, one->value).build());
      }
    }
    if (!list.empty()) merged.add("$and", Value::array(std::move(list)));
    return merged.build();
  }

  const ClassView& cls_;
  std::vector<Predicate> sql_;
  std::vector<const Member*> pushed_, rest_;  // parts of the $match
};

}  // namespace

MatchParts split_match(const Value& match, const ClassView& cls) {
  return Splitter(cls).split(match);
}

}  // namespace gantry::data
