// $mod and the bit tests.
#include <array>
#include <utility>

#include "filter/bits.hpp"
#include "filter/parser.hpp"
#include "filter/refuse.hpp"
#include "filter/whole.hpp"

namespace gantry::data::filter {
namespace {

class ModTest : public ValueTest {
 public:
  ModTest(std::int64_t divisor, std::int64_t remainder)
      : divisor_(divisor), remainder_(remainder) {}
  bool holds(const Value& value, Context&) const override {
    const auto number = truncated(value);
    if (!number) return false;
    return (divisor_ == -1 ? 0 : *number % divisor_) == remainder_;
  }

 private:
  std::int64_t divisor_;
  std::int64_t remainder_;
};

std::int64_t mod_number(const Value& value) {
  if (!value.is_number()) refuse_operand("$mod", "two numbers, [divisor, remainder]", value);
  const auto number = truncated(value);
  if (!number) throw QueryError("$mod needs numbers that 64 bits can hold.");
  return *number;
}

TestPtr parse_mod(std::string_view name, const Value& operand, const Value&, Parser&, Place) {
  if (!operand.is_array()) refuse_operand(name, "an array [divisor, remainder]", operand);
  if (operand.elements().size() != 2) {
    throw QueryError("$mod needs exactly two numbers, [divisor, remainder].");
  }
  const std::int64_t divisor = mod_number(operand.elements()[0]);
  const std::int64_t remainder = mod_number(operand.elements()[1]);
  if (divisor == 0) throw QueryError("$mod needs a divisor other than 0.");
  return std::make_unique<ModTest>(divisor, remainder);
}

class BitsTest : public ValueTest {
 public:
  explicit BitsTest(Bits bits) : bits_(std::move(bits)) {}
  bool holds(const Value& value, Context&) const override { return bits_.hold(value); }

 private:
  Bits bits_;
};

TestPtr parse_bits(std::string_view name, const Value& operand, const Value&, Parser& parser,
                   Place) {
  if (operand.is_array()) parser.list(name, operand.elements().size());
  return std::make_unique<BitsTest>(Bits(name, operand));
}

constexpr std::array kNumberOperators = {
    FieldOperator{"$mod", parse_mod},           FieldOperator{"$bitsAllSet", parse_bits},
    FieldOperator{"$bitsAllClear", parse_bits}, FieldOperator{"$bitsAnySet", parse_bits},
    FieldOperator{"$bitsAnyClear", parse_bits},
};

}  // namespace

std::span<const FieldOperator> number_operators() { return kNumberOperators; }

}  // namespace gantry::data::filter
