// Sets: arrays whose elements count once, by MongoDB's equality, in any order.
#include <algorithm>
#include <set>

#include "expr/registry.hpp"
#include "values/query_error.hpp"

namespace gantry::data::expr {
namespace {

struct Below {
  bool operator()(const Value& a, const Value& b) const { return compare(a, b) < 0; }
};
using Set = std::set<Value, Below>;

void need_array(std::string_view op, const Value& value) {
  if (!value.is_array()) refuse_type(op, "arrays", value);
}

Set set_of(const Value& array) { return Set(array.elements().begin(), array.elements().end()); }

Value sorted_array(const Set& set) { return Value::array(Array(set.begin(), set.end())); }

Value union_of(Arguments arguments, Context& /*context*/) {
  Set all;
  for (const Value& argument : arguments) {
    if (argument.is_nullish()) return Value::null();
    need_array("$setUnion", argument);
    all.insert(argument.elements().begin(), argument.elements().end());
  }
  return sorted_array(all);
}

// What is in `common` and in `array`, as it stands in `common`.
void keep_common(Set& common, const Value& array) {
  const Set other = set_of(array);
  std::erase_if(common, [&](const Value& value) { return !other.contains(value); });
}

// Nothing can be added to an empty intersection: what follows is not looked at.
Value intersection_of(Arguments arguments, Context& /*context*/) {
  Set common;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_nullish()) return Value::null();
    need_array("$setIntersection", arguments[i]);
    if (i == 0) {
      common = set_of(arguments[0]);
    } else {
      keep_common(common, arguments[i]);
    }
    if (common.empty()) break;
  }
  return sorted_array(common);
}

Value difference_of(Arguments arguments, Context& /*context*/) {
  if (arguments[0].is_nullish() || arguments[1].is_nullish()) return Value::null();
  for (const Value& argument : arguments) need_array("$setDifference", argument);
  Set seen = set_of(arguments[1]);
  Array left;
  for (const Value& value : arguments[0].elements()) {
    if (seen.insert(value).second) left.push_back(value);
  }
  return Value::array(std::move(left));
}

bool have_same(const Set& a, const Set& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

// The first set that differs decides; what follows is not looked at.
Value equals(Arguments arguments, Context& /*context*/) {
  need_array("$setEquals", arguments[0]);
  const Set first = set_of(arguments[0]);
  for (const Value& argument : arguments.subspan(1)) {
    need_array("$setEquals", argument);
    if (!have_same(first, set_of(argument))) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value is_subset(Arguments arguments, Context& /*context*/) {
  for (const Value& argument : arguments) need_array("$setIsSubset", argument);
  const Set whole = set_of(arguments[1]);
  const Array& part = arguments[0].elements();
  return Value::boolean(std::all_of(part.begin(), part.end(),
                                    [&](const Value& value) { return whole.contains(value); }));
}

bool is_true(const Value& value) { return value.is_true(); }

Value any_true(Arguments arguments, Context& /*context*/) {
  need_array("$anyElementTrue", arguments[0]);
  const Array& elements = arguments[0].elements();
  return Value::boolean(std::any_of(elements.begin(), elements.end(), is_true));
}

Value all_true(Arguments arguments, Context& /*context*/) {
  need_array("$allElementsTrue", arguments[0]);
  const Array& elements = arguments[0].elements();
  return Value::boolean(std::all_of(elements.begin(), elements.end(), is_true));
}

constexpr Function kFunctions[] = {
    {"$allElementsTrue", 1, 1, all_true},
    {"$anyElementTrue", 1, 1, any_true},
    {"$setDifference", 2, 2, difference_of},
    {"$setEquals", 2, kAny, equals},
    {"$setIntersection", 0, kAny, intersection_of},
    {"$setIsSubset", 2, 2, is_subset},
    {"$setUnion", 0, kAny, union_of},
};

}  // namespace

Family set_family() { return {kFunctions, {}, {}}; }

}  // namespace gantry::data::expr
