// $binarySize and $bsonSize: the size of a value in BSON.
#include <string>

#include "expr/types.hpp"

namespace gantry::data::expr {
namespace {

std::size_t bson_size_of(const Value& value);

constexpr std::size_t kFrame = 5;  // a document's length field and terminator

std::size_t digits_of(std::size_t number) {
  std::size_t digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

std::size_t object_size(const Value& object) {
  Spending::step_current();
  SmallSteps step;
  std::size_t size = kFrame;
  for (const Member& member : object.members()) {
    step();
    size += 2 + member.name.size() + bson_size_of(member.value);
  }
  return size;
}

std::size_t array_size(const Value& array) {
  Spending::step_current();
  SmallSteps step;
  std::size_t size = kFrame, index = 0;
  for (const Value& element : array.elements()) {
    step();
    size += 2 + digits_of(index++) + bson_size_of(element);
  }
  return size;
}

std::size_t bson_size_of(const Value& value) {
  if (value.is_nullish()) return 0;
  if (value.is_boolean()) return 1;
  if (value.is(Value::Type::int32)) return 4;
  if (value.is_string()) return 4 + value.text().size() + 1;
  if (value.is_bytes()) return 4 + 1 + value.text().size();
  if (value.is_object()) return object_size(value);
  return value.is_array() ? array_size(value) : 8;
}

Value count(std::size_t size) { return Value::integer(static_cast<std::int64_t>(size)); }

}  // namespace

Value binary_size(Arguments arguments, Context&) {
  const Value& value = arguments[0];
  if (value.is_nullish()) return Value::null();
  if (!value.is_string() && !value.is_bytes()) {
    refuse_type("$binarySize", "a string or binary data", value);
  }
  return count(value.text().size());
}

Value bson_size(Arguments arguments, Context&) {
  const Value& value = arguments[0];
  if (value.is_nullish()) return Value::null();
  if (!value.is_object()) refuse_type("$bsonSize", "an object", value);
  return count(object_size(value));
}

}  // namespace gantry::data::expr
