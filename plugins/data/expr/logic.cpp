// Comparison in MongoDB's total order, booleans, $literal and $rand. The forms have their own
// files.
#include <random>

#include "expr/forms.hpp"
#include "expr/nodes.hpp"
#include "values/pointer.hpp"

namespace gantry::data::expr {
namespace {

template <class Test>
Value compared(Arguments arguments, Test test) {
  return Value::boolean(test(compare(arguments[0], arguments[1])));
}

Value call_eq(Arguments a, Context&) { return Value::boolean(same_or_pointer(a[0], a[1])); }
Value call_ne(Arguments a, Context&) { return Value::boolean(!same_or_pointer(a[0], a[1])); }
Value call_gt(Arguments a, Context&) {
  return compared(a, [](int order) { return order > 0; });
}
Value call_gte(Arguments a, Context&) {
  return compared(a, [](int order) { return order >= 0; });
}
Value call_lt(Arguments a, Context&) {
  return compared(a, [](int order) { return order < 0; });
}
Value call_lte(Arguments a, Context&) {
  return compared(a, [](int order) { return order <= 0; });
}
Value call_cmp(Arguments a, Context&) { return Value::int32(compare(a[0], a[1])); }
Value call_not(Arguments a, Context&) { return Value::boolean(!a[0].is_true()); }

Value call_rand(Arguments, Context&) {
  thread_local std::mt19937_64 engine{std::random_device{}()};
  return Value::real(std::uniform_real_distribution<double>(0, 1)(engine));
}
constexpr Function kRand = {"$rand", 0, 0, call_rand, true};

// {$rand: {}}: the empty object is not an expression.
ExpressionPtr parse_rand(std::string_view name, const Value& operand, Variables& variables) {
  const bool is_empty = (operand.is_object() && operand.members().empty()) ||
                        (operand.is_array() && operand.elements().empty());
  if (!is_empty) throw QueryError(std::string(name) + " takes no arguments: write {$rand: {}}.");
  variables.lose_determinism();
  return call_expression(kRand, {});
}

ExpressionPtr parse_literal(std::string_view, const Value& operand, Variables&) {
  return constant_expression(operand);
}

constexpr Function kLogicFunctions[] = {
    {"$eq", 2, 2, call_eq},   {"$ne", 2, 2, call_ne},   {"$gt", 2, 2, call_gt},
    {"$gte", 2, 2, call_gte}, {"$lt", 2, 2, call_lt},   {"$lte", 2, 2, call_lte},
    {"$cmp", 2, 2, call_cmp}, {"$not", 1, 1, call_not},
};
constexpr Form kLogicForms[] = {
    {"$and", parse_junction},    {"$or", parse_junction},   {"$cond", parse_cond},
    {"$ifNull", parse_if_null},  {"$switch", parse_switch}, {"$let", parse_let},
    {"$literal", parse_literal}, {"$const", parse_literal}, {"$rand", parse_rand},
};

}  // namespace

Family logic_family() { return {kLogicFunctions, {}, kLogicForms}; }

}  // namespace gantry::data::expr
