// Operators on arrays that are functions of their arguments.
#include <algorithm>
#include <array>
#include <limits>

#include "errors/query_error.hpp"
#include "expr/array_forms.hpp"
#include "expr/numbers.hpp"
#include "values/pointer.hpp"

namespace gantry::data::expr {

std::optional<std::int32_t> index_value(const Value& value) {
  const auto whole = value.is_number() ? whole_long(value) : std::nullopt;
  if (!whole || *whole < std::numeric_limits<std::int32_t>::min() ||
      *whole > std::numeric_limits<std::int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<std::int32_t>(*whole);
}

std::int32_t require_index(std::string_view op, std::string_view role, const Value& value) {
  if (!value.is_number()) refuse_type(op, "a number as " + std::string(role), value);
  const auto index = index_value(value);
  if (index) return *index;
  throw QueryError(std::string(op) + " needs a whole number of 32 bits as " + std::string(role) +
                   ".");
}

const Array& require_array(std::string_view op, const Value& value) {
  if (!value.is_array()) refuse_type(op, "an array", value);
  return value.elements();
}

namespace {

constexpr std::int64_t kLongestRange = 5'000'000;
constexpr std::int64_t kStepsBetweenLooks = 1'024;

using Index = std::ptrdiff_t;
Index length_of(const Array& array) { return static_cast<Index>(array.size()); }

Value element_at(Arguments arguments, Context&) {
  if (arguments[0].is_nullish() || arguments[1].is_nullish()) return Value::null();
  const Array& array = require_array("$arrayElemAt", arguments[0]);
  Index place = require_index("$arrayElemAt", "the place", arguments[1]);
  if (place < 0) place += length_of(array);
  if (place < 0 || place >= length_of(array)) return Value();
  return array[static_cast<std::size_t>(place)];
}

// False if one of the arguments is null or missing.
bool are_arrays(Arguments arguments) {
  for (const Value& argument : arguments) {
    if (argument.is_nullish()) return false;
    require_array("$concatArrays", argument);
  }
  return true;
}

// Appends `count` elements from index `from` on to `all`, in batches with a step between them.
template <class From>
void append(Array& all, From from, Index count) {
  constexpr Index kPart = 4'096;
  for (Index at = 0; at < count; at += kPart) {
    Spending::step_current();
    all.insert(all.end(), from + at, from + std::min(at + kPart, count));
  }
}

template <class From>
Value array_of(From from, Index count) {
  Array elements;
  elements.reserve(static_cast<std::size_t>(count));
  append(elements, from, count);
  return Value::array(std::move(elements));
}

Value concat_arrays(Arguments arguments, Context&) {
  if (!are_arrays(arguments)) return Value::null();
  std::size_t size = 0;
  for (const Value& argument : arguments) size += argument.elements().size();
  Array all;
  all.reserve(size);
  for (const Value& argument : arguments) {
    const Array& more = argument.elements();
    append(all, more.begin(), length_of(more));
  }
  return Value::array(std::move(all));
}

// Appends the other arrays to the first one, in place.
Value concat_arrays_onto(Value first, Arguments rest, Context& context) {
  if (!first.is_array()) return concat_arrays({&first, 1}, context);
  if (!are_arrays(rest)) return Value::null();
  Array& all = first.own_elements();
  for (const Value& argument : rest) {
    const Array& more = argument.elements();
    append(all, more.begin(), length_of(more));
  }
  return first;
}

Value in_array(Arguments arguments, Context& context) {
  if (!arguments[1].is_array()) refuse_type("$in", "an array as its second argument", arguments[1]);
  const Array& array = arguments[1].elements();
  const auto is_it = [&](const Value& element) {
    context.step();
    return same_or_pointer(element, arguments[0]);
  };
  return Value::boolean(std::any_of(array.begin(), array.end(), is_it));
}

Index require_bound(std::string_view role, const Value& value) {
  const std::int32_t bound = require_index("$indexOfArray", role, value);
  if (bound >= 0) return bound;
  throw QueryError("$indexOfArray needs " + std::string(role) + " that is not negative.");
}

Value index_of_array(Arguments arguments, Context& context) {
  if (arguments[0].is_nullish()) return Value::null();
  const Array& array = require_array("$indexOfArray", arguments[0]);
  const Index start = arguments.size() > 2 ? require_bound("a start", arguments[2]) : 0;
  Index end = arguments.size() > 3 ? require_bound("an end", arguments[3]) : length_of(array);
  end = std::min(end, length_of(array));
  for (Index i = start; i < end; ++i) {
    context.step();
    if (array[static_cast<std::size_t>(i)] == arguments[1]) return Value::integer(i);
  }
  return Value::int32(-1);
}

Value is_array(Arguments arguments, Context&) { return Value::boolean(arguments[0].is_array()); }

Value range(Arguments arguments, Context& context) {
  const std::int64_t start = require_index("$range", "the start", arguments[0]);
  const std::int64_t end = require_index("$range", "the end", arguments[1]);
  const std::int64_t step =
      arguments.size() > 2 ? require_index("$range", "the step", arguments[2]) : 1;
  if (step == 0) throw QueryError("$range needs a step other than 0.");
  const std::int64_t length =
      std::max<std::int64_t>(0, (end - start + step - (step > 0 ? 1 : -1)) / step);
  if (length > kLongestRange) {
    throw QueryError("$range makes at most 5,000,000 numbers; use a larger step.");
  }
  Array numbers;
  numbers.reserve(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) {
    if (i % kStepsBetweenLooks == 0) context.step();
    numbers.push_back(Value::int32(static_cast<std::int32_t>(start + i * step)));
  }
  return Value::array(std::move(numbers));
}

Value reverse_array(Arguments arguments, Context&) {
  if (arguments[0].is_nullish()) return Value::null();
  const Array& array = require_array("$reverseArray", arguments[0]);
  return array_of(array.rbegin(), length_of(array));
}

Value size_of(Arguments arguments, Context&) {
  return Value::integer(length_of(require_array("$size", arguments[0])));
}

Value part_of(const Array& array, Index from, Index count) {
  const Index begin = std::min(from, length_of(array));
  return array_of(array.begin() + begin, std::min(count, length_of(array) - begin));
}

// [array, n]: the first n elements or, if n is negative, the last -n. [array, from, n]: n elements
// from an index.
Value slice(Arguments arguments, Context&) {
  if (arguments[0].is_nullish() || arguments[1].is_nullish()) return Value::null();
  const Array& array = require_array("$slice", arguments[0]);
  const Index first = require_index("$slice", "its second argument", arguments[1]);
  const Index from = first < 0 ? std::max<Index>(0, length_of(array) + first) : first;
  if (arguments.size() == 2) {
    return first < 0 ? part_of(array, from, length_of(array)) : part_of(array, 0, first);
  }
  if (arguments[2].is_nullish()) return Value::null();
  const Index count = require_index("$slice", "the count", arguments[2]);
  if (count <= 0) throw QueryError("$slice needs a count above 0 as its third argument.");
  return part_of(array, from, count);
}

constexpr std::array kArrayFunctions = {
    Function{"$arrayElemAt", 2, 2, element_at},
    Function{"$concatArrays", 0, kAny, concat_arrays, false, concat_arrays_onto},
    Function{"$in", 2, 2, in_array},
    Function{"$indexOfArray", 2, 4, index_of_array},
    Function{"$isArray", 1, 1, is_array},
    Function{"$range", 2, 3, range},
    Function{"$reverseArray", 1, 1, reverse_array},
    Function{"$size", 1, 1, size_of},
    Function{"$slice", 2, 3, slice},
};

constexpr std::array kArrayForms = {
    Form{"$filter", parse_filter},        Form{"$map", parse_map}, Form{"$reduce", parse_reduce},
    Form{"$sortArray", parse_sort_array}, Form{"$zip", parse_zip},
};

}  // namespace

Family array_family() { return {kArrayFunctions, {}, kArrayForms}; }

}  // namespace gantry::data::expr
