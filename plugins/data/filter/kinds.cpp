// $exists and $type.
#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <utility>

#include "filter/parser.hpp"
#include "filter/refuse.hpp"

namespace gantry::data::filter {
namespace {

class ExistsTest : public ValueTest {
 public:
  bool holds(const Value& value, Context&) const override { return !value.is_missing(); }
};

TestPtr parse_exists(std::string_view, const Value& operand, const Value&, Parser&, Place) {
  TestPtr exists = std::make_unique<ExistsTest>();
  return operand.is_true() ? std::move(exists) : not_test(std::move(exists));
}

struct Kind {
  std::string_view name;
  int number;
};
// MongoDB's types. Stored values never have those without a Value::Type.
constexpr std::array kKinds = {
    Kind{"double", 1},      Kind{"string", 2},     Kind{"object", 3},
    Kind{"array", 4},       Kind{"binData", 5},    Kind{"undefined", 6},
    Kind{"objectId", 7},    Kind{"bool", 8},       Kind{"date", 9},
    Kind{"null", 10},       Kind{"regex", 11},     Kind{"dbPointer", 12},
    Kind{"javascript", 13}, Kind{"symbol", 14},    Kind{"javascriptWithScope", 15},
    Kind{"int", 16},        Kind{"timestamp", 17}, Kind{"long", 18},
    Kind{"decimal", 19},    Kind{"minKey", -1},    Kind{"maxKey", 127},
};
constexpr int kMinKey = 20;
constexpr int kMaxKey = 21;
using Kinds = std::bitset<22>;

std::size_t bit_of(int number) {
  if (number == -1) return kMinKey;
  return static_cast<std::size_t>(number == 127 ? kMaxKey : number);
}

std::size_t bit_of(const Value& value) {
  constexpr std::array<std::size_t, 11> kBits = {0, 10, 16, 18, 1, 2, 3, 4, 5, 8, 9};
  return kBits[static_cast<std::size_t>(value.type())];
}

class TypeTest : public ValueTest {
 public:
  explicit TypeTest(Kinds kinds) : kinds_(kinds) {}
  bool holds(const Value& value, Context&) const override {
    return !value.is_missing() && kinds_[bit_of(value)];
  }

 private:
  Kinds kinds_;
};

void add_named(std::string_view name, Kinds& kinds) {
  if (name == "number") {
    for (const int number : {1, 16, 18, 19}) kinds.set(bit_of(number));
    return;
  }
  const auto known = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const Kind& kind) { return kind.name == name; });
  if (known == kKinds.end()) {
    throw QueryError(
        "$type knows no such type; write one of double, string, object, array, binData, bool, "
        "date, null, int, long, number.");
  }
  kinds.set(bit_of(known->number));
}

void add_kind(const Value& operand, Kinds& kinds) {
  if (operand.is_string()) return add_named(operand.text(), kinds);
  if (!operand.is_number()) refuse_operand("$type", "a type's name or number", operand);
  const double number = operand.number();
  const auto known = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const Kind& kind) { return kind.number == number; });
  if (known == kKinds.end()) {
    throw QueryError("$type knows no type of this number; write its name, like \"string\".");
  }
  kinds.set(bit_of(known->number));
}

TestPtr parse_type(std::string_view, const Value& operand, const Value&, Parser&, Place) {
  Kinds kinds;
  if (operand.is_array()) {
    if (operand.elements().empty()) throw QueryError("$type needs at least one type.");
    for (const Value& one : operand.elements()) add_kind(one, kinds);
  } else {
    add_kind(operand, kinds);
  }
  return std::make_unique<TypeTest>(kinds);
}

constexpr std::array kKindOperators = {
    FieldOperator{"$exists", parse_exists},
    FieldOperator{"$type", parse_type},
};

}  // namespace

std::span<const FieldOperator> kind_operators() { return kKindOperators; }

}  // namespace gantry::data::filter
