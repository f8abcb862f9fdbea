// $mod and the bit tests.
#include <algorithm>
#include <array>
#include <utility>

#include "match/parser.hpp"
#include "match/refuse.hpp"
#include "match/whole.hpp"

namespace gantry::data::match {
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

using Positions = std::vector<std::int64_t>;

bool bit_of_bytes(std::string_view bytes, std::int64_t position) {
  const auto place = static_cast<std::size_t>(position / 8);
  if (place >= bytes.size()) return false;
  return ((static_cast<unsigned char>(bytes[place]) >> (position % 8)) & 1) != 0;
}

// Beyond its 64 bits a number goes on as its sign.
bool bit_of_number(std::int64_t number, std::int64_t position) {
  return ((number >> std::min<std::int64_t>(position, 63)) & 1) != 0;
}

class BitsTest : public ValueTest {
 public:
  BitsTest(Positions positions, bool all, bool set)
      : positions_(std::move(positions)), all_(all), set_(set) {}

  bool holds(const Value& value, Context&) const override {
    if (value.is_bytes()) {
      return test([&](std::int64_t position) { return bit_of_bytes(value.text(), position); });
    }
    const auto number = value.is_number() ? whole(value) : std::nullopt;
    if (!number) return false;
    return test([&](std::int64_t position) { return bit_of_number(*number, position); });
  }

 private:
  template <class Bit>
  bool test(Bit bit) const {
    const auto wanted = [&](std::int64_t position) { return bit(position) == set_; };
    if (all_) return std::all_of(positions_.begin(), positions_.end(), wanted);
    return std::any_of(positions_.begin(), positions_.end(), wanted);
  }

  Positions positions_;
  bool all_, set_;
};

Positions listed_positions(std::string_view name, const Array& listed) {
  Positions positions;
  for (const Value& one : listed) {
    if (!one.is_number()) refuse_operand(name, "bit positions as whole numbers", one);
    const auto position = whole(one);
    if (!position || *position < 0 || *position > INT32_MAX) {
      throw QueryError(std::string(name) + " needs bit positions that are whole and not negative.");
    }
    positions.push_back(*position);
  }
  return positions;
}

Positions mask_positions(std::string_view name, const Value& mask) {
  const auto bits = whole(mask);
  if (!bits || *bits < 0) {
    throw QueryError(std::string(name) + " needs a mask that is whole and not negative.");
  }
  Positions positions;
  for (int i = 0; i < 63; ++i) {
    if (((*bits >> i) & 1) != 0) positions.push_back(i);
  }
  return positions;
}

Positions bytes_positions(std::string_view bytes) {
  Positions positions;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(bytes.size()) * 8; ++i) {
    if (bit_of_bytes(bytes, i)) positions.push_back(i);
  }
  return positions;
}

Positions parse_positions(std::string_view name, const Value& operand, Parser& parser) {
  if (operand.is_array()) {
    parser.list(name, operand.elements().size());
    return listed_positions(name, operand.elements());
  }
  if (operand.is_bytes()) return bytes_positions(operand.text());
  if (!operand.is_number()) {
    refuse_operand(name, "a mask as a number or an array of bit positions", operand);
  }
  return mask_positions(name, operand);
}

template <bool all, bool set>
TestPtr parse_bits(std::string_view name, const Value& operand, const Value&, Parser& parser,
                   Place) {
  return std::make_unique<BitsTest>(parse_positions(name, operand, parser), all, set);
}

constexpr std::array kOperators = {
    FieldOperator{"$mod", parse_mod},
    FieldOperator{"$bitsAllSet", parse_bits<true, true>},
    FieldOperator{"$bitsAllClear", parse_bits<true, false>},
    FieldOperator{"$bitsAnySet", parse_bits<false, true>},
    FieldOperator{"$bitsAnyClear", parse_bits<false, false>},
};

}  // namespace

std::span<const FieldOperator> number_operators() { return kOperators; }

}  // namespace gantry::data::match
