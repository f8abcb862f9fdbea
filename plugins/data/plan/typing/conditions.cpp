#include "plan/typing/conditions.hpp"

#include <algorithm>

#include "filter/columns/refusal.hpp"
#include "filter/condition.hpp"
#include "plan/typing/allowed_values.hpp"
#include "plan/typing/literals.hpp"
#include "values/iso_date.hpp"
#include "values/utf8.hpp"

namespace gantry::data::typing {
namespace {

constexpr int kDeepest = 100;

// "^2026", "^2026-08" and "^2026-08-25" as the dates whose ISO text begins so; missing: another
// pattern.
Value range_of_pattern(const Value& pattern) {
  if (!pattern.is_string() || !pattern.text().starts_with('^')) return {};
  std::string text(pattern.text().substr(1));
  constexpr std::size_t kYear = 4, kMonth = 7, kDay = 10;
  const std::size_t given = text.size();
  if (given != kYear && given != kMonth && given != kDay) return {};
  if (given == kYear) text += "-01";
  if (text.size() == kMonth) text += "-01";
  const auto begin = parse_iso_date(text);
  if (!begin) return {};
  constexpr std::int64_t kOneDay = 86'400'000;
  std::int64_t end = *begin + kOneDay;
  const auto part = [&](std::int64_t at) {
    std::string iso;
    append_iso_date(at, iso);
    return iso.substr(0, given);
  };
  while (part(end) == part(*begin)) end += kOneDay;
  return ObjectBuilder().add("$gte", Value::date(*begin)).add("$lt", Value::date(end)).build();
}

bool has_twins(const Members& all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (all[k].name == all[i].name) return true;
    }
  }
  return false;
}

// Two spellings of one field: both conditions hold.
Members merged(Members all) {
  if (!has_twins(all)) return all;
  Members once;
  Array again;
  for (Member& one : all) {
    const bool is_known = std::any_of(once.begin(), once.end(),
                                      [&](const Member& other) { return other.name == one.name; });
    if (is_known) {
      again.push_back(object_of(one.name, std::move(one.value)));
    } else {
      once.push_back(std::move(one));
    }
  }
  if (again.empty()) return once;
  again.push_back(ObjectBuilder(std::move(once)).build());
  return {{"$and", Value::array(std::move(again))}};
}

}  // namespace

Value ConditionTyper::bind(const Value& condition, int depth) const {
  if (!condition.is_object() || depth > kDeepest) return condition;
  Members all;
  all.reserve(condition.members().size());
  for (const auto& [name, value] : condition.members()) {
    if (name.starts_with('$')) {
      all.push_back({name, bind_junction(name, value, depth)});
    } else {
      Place place = PathReader(scope, root, joins).read(name);
      if (std::string why = gone(*root, name); !why.empty()) warnings.add(std::move(why));
      const Origin origin = origin_of(place, *root);
      Value typed = bind_field({name, compared(*place.type), origin}, value, depth);
      all.push_back({std::move(place.path), std::move(typed)});
    }
  }
  return ObjectBuilder(merged(std::move(all))).build();
}

Value ConditionTyper::bind_junction(std::string_view name, const Value& operand, int depth) const {
  if (is_one_of(name, {"$and", "$or", "$nor"})) return bind_list(operand, depth);
  if (name != "$expr") return operand;
  Value expression = operand;
  ExpressionTyper(scope, root, variables, joins, warnings).bind(expression);
  return expression;
}

Value ConditionTyper::bind_list(const Value& list, int depth) const {
  if (!list.is_array()) return list;
  Array conditions;
  for (const Value& one : list.elements()) conditions.push_back(bind(one, depth + 1));
  return Value::array(std::move(conditions));
}

Value ConditionTyper::bind_field(const Field& field, const Value& condition, int depth) const {
  if (!filter::holds_operators(condition)) return operation(field, "$eq", condition, depth);
  const bool is_alone = condition.members().size() == 1;
  if (is_alone && field.type.is(Type::Kind::date)) {
    Value range = range_of_pattern(condition.find("$regex"));
    if (!range.is_missing()) return range;
  }
  ObjectBuilder bound;
  for (const auto& [op, operand] : condition.members()) {
    bound.add(op, operation(field, op, operand, depth));
  }
  return bound.build();
}

// $lt and $lte compare no missing fields here, unlike in expressions.
void ConditionTyper::doubt(const Field& field, const std::string& op, const Value& literal,
                           int depth) const {
  const Type& type = field.type;
  if (field.origin.cls == nullptr) return;
  const bool is_equality = is_one_of(op, {"$eq", "$ne", "$in", "$nin"});
  const bool is_warned = is_equality && warn_of_value(*field.origin.cls, field.origin.path,
                                                      field.name, literal, warnings);
  if (is_warned || !literal.is_string()) return;
  if (!may_hold_texts(type) || (!is_equality && !parse_iso_date(literal.text()))) return;
  const bool must_hold = is_met && depth == 0 && op == "$eq";
  warnings.doubt({field.origin.cls, field.origin.path, literal, must_hold, is_order_operator(op)});
}

Value ConditionTyper::operation(const Field& field, const std::string& op, const Value& operand,
                                int depth) const {
  const Type& type = field.type;
  const auto quoted = [&] { return "'" + clipped(field.name) + "'"; };
  const bool is_scalar = !type.is(Type::Kind::any) && type.kind <= Type::Kind::key;
  if (op == "$eq" && is_scalar) columns::refuse_operator_without_sign(field.name, operand);
  if (op == "$eq" || op == "$ne" || is_order_operator(op)) {
    warn_of_literal(quoted(), type, op, operand, warnings);
    doubt(field, op, operand, depth);
    return converted(operand, type);
  }
  if (is_one_of(op, {"$in", "$nin", "$all"}) && operand.is_array()) {
    Array values;
    for (const Value& one : operand.elements()) {
      if (!one.is_object()) warn_of_literal(quoted(), type, op, one, warnings);
      doubt(field, op, one, depth);
      values.push_back(converted(one, type));
    }
    return Value::array(std::move(values));
  }
  if (op == "$not" && filter::holds_operators(operand) && depth <= kDeepest) {
    return bind_field(field, operand, depth + 1);
  }
  if (op == "$elemMatch" && operand.is_object() && type.is(Type::Kind::object)) {
    const auto element = std::make_shared<const Type>(type);
    return ConditionTyper{scope, element, variables, nullptr, warnings}.bind(operand, depth + 1);
  }
  const bool is_pattern = op == "$regex";
  if (is_pattern && never_compare(type, *scalar(Type::Kind::text))) {
    warnings.add("$regex finds text, and " + quoted() + " is " + described(type) +
                 ": it matches nothing; compare it with $gte and $lt.");
  }
  return operand;
}

}  // namespace gantry::data::typing
