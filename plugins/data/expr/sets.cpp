// Set operators: arrays without regard to order and duplicates, by MongoDB's equality.
#include <algorithm>
#include <set>

#include "errors/query_error.hpp"
#include "expr/registry.hpp"
#include "values/sorting.hpp"

namespace gantry::data::expr {
namespace {

void need_array(std::string_view op, const Value& value) {
  if (!value.is_array()) refuse_type(op, "arrays", value);
}

// Counts a step for each comparison: a set may have millions of elements.
struct Below {
  const Context* context;
  bool operator()(const Value& a, const Value& b) const {
    context->step();
    return compare(a, b) < 0;
  }
};
// Sorted, without duplicates (the first of equal values). A std::set of that size would be slow to
// free.
using Set = Array;

Set in_order(Array elements, const Context& context) {
  sort_stably(elements, [](const Value& a, const Value& b) { return compare(a, b) < 0; });
  const auto same = [&](const Value& a, const Value& b) {
    context.step();
    return compare(a, b) == 0;
  };
  elements.erase(std::unique(elements.begin(), elements.end(), same), elements.end());
  return elements;
}

Set set_of(const Value& array, const Context& context) {
  return in_order(array.elements(), context);
}

bool contains(const Set& set, const Value& value, const Context& context) {
  return std::binary_search(set.begin(), set.end(), value, Below{&context});
}

Value union_of(Arguments arguments, Context& context) {
  Array all;
  for (const Value& argument : arguments) {
    if (argument.is_nullish()) return Value::null();
    need_array("$setUnion", argument);
    all.insert(all.end(), argument.elements().begin(), argument.elements().end());
  }
  return Value::array(in_order(std::move(all), context));
}

// Keeps the elements of `common` that are also in `array`.
void keep_common(Set& common, const Value& array, const Context& context) {
  const Set other = set_of(array, context);
  std::erase_if(common, [&](const Value& value) { return !contains(other, value, context); });
}

// An empty intersection stays empty: later arguments are not evaluated.
Value intersection_of(Arguments arguments, Context& context) {
  Set common;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_nullish()) return Value::null();
    need_array("$setIntersection", arguments[i]);
    if (i == 0) {
      common = set_of(arguments[0], context);
    } else {
      keep_common(common, arguments[i], context);
    }
    if (common.empty()) break;
  }
  return Value::array(std::move(common));
}

Value difference_of(Arguments arguments, Context& context) {
  if (arguments[0].is_nullish() || arguments[1].is_nullish()) return Value::null();
  for (const Value& argument : arguments) need_array("$setDifference", argument);
  std::set<Value, Below, Metered<Value>> seen(Below{&context});
  const Set others = set_of(arguments[1], context);
  Array left;
  for (const Value& value : arguments[0].elements()) {
    if (contains(others, value, context)) continue;
    if (seen.insert(value).second) left.push_back(value);
  }
  return Value::array(std::move(left));
}

bool have_same(const Set& a, const Set& b, const Context& context) {
  const auto same = [&](const Value& left, const Value& right) {
    context.step();
    return left == right;
  };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
}

// The first different set decides: later arguments are not compared.
Value equals(Arguments arguments, Context& context) {
  need_array("$setEquals", arguments[0]);
  const Set first = set_of(arguments[0], context);
  for (const Value& argument : arguments.subspan(1)) {
    need_array("$setEquals", argument);
    if (!have_same(first, set_of(argument, context), context)) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value is_subset(Arguments arguments, Context& context) {
  for (const Value& argument : arguments) need_array("$setIsSubset", argument);
  const Set whole = set_of(arguments[1], context);
  const Array& part = arguments[0].elements();
  return Value::boolean(std::all_of(part.begin(), part.end(), [&](const Value& value) {
    return contains(whole, value, context);
  }));
}

// Whether `elements` contain an element with the truth value `wanted`.
bool has_element(const Array& elements, bool wanted, const Context& context) {
  return std::any_of(elements.begin(), elements.end(), [&](const Value& element) {
    context.step();
    return element.is_true() == wanted;
  });
}

Value any_true(Arguments arguments, Context& context) {
  need_array("$anyElementTrue", arguments[0]);
  return Value::boolean(has_element(arguments[0].elements(), true, context));
}

Value all_true(Arguments arguments, Context& context) {
  need_array("$allElementsTrue", arguments[0]);
  return Value::boolean(!has_element(arguments[0].elements(), false, context));
}

constexpr Function kSetFunctions[] = {
    {"$allElementsTrue", 1, 1, all_true},
    {"$anyElementTrue", 1, 1, any_true},
    {"$setDifference", 2, 2, difference_of},
    {"$setEquals", 2, kAny, equals},
    {"$setIntersection", 0, kAny, intersection_of, false, nullptr, true},
    {"$setIsSubset", 2, 2, is_subset},
    {"$setUnion", 0, kAny, union_of, false, nullptr, true},
};

}  // namespace

Family set_family() { return {kSetFunctions, {}, {}}; }

}  // namespace gantry::data::expr
