#include "filter/bits.hpp"

#include <algorithm>
#include <string>

#include "filter/refuse.hpp"
#include "filter/whole.hpp"

namespace gantry::data::filter {
namespace {

using Positions = std::vector<std::int64_t>;

bool bit_of_bytes(std::string_view bytes, std::int64_t position) {
  const auto place = static_cast<std::size_t>(position / 8);
  if (place >= bytes.size()) return false;
  return ((static_cast<unsigned char>(bytes[place]) >> (position % 8)) & 1) != 0;
}

// Beyond 64 bits the sign bit is repeated.
bool bit_of_number(std::int64_t number, std::int64_t position) {
  return ((number >> std::min<std::int64_t>(position, 63)) & 1) != 0;
}

Positions listed_positions(std::string_view name, const Array& listed) {
  Positions positions;
  for (const Value& one : listed) {
    if (!one.is_number()) refuse_operand(name, "bit positions as whole numbers", one);
    const auto position = exact_integer(one);
    if (!position || *position < 0 || *position > INT32_MAX) {
      throw QueryError(std::string(name) + " needs bit positions that are whole and not negative.");
    }
    positions.push_back(*position);
  }
  return positions;
}

Positions mask_positions(std::string_view name, const Value& mask) {
  const auto bits = exact_integer(mask);
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

Positions positions_of(std::string_view name, const Value& operand) {
  if (operand.is_array()) return listed_positions(name, operand.elements());
  if (operand.is_bytes()) return bytes_positions(operand.text());
  if (!operand.is_number()) {
    refuse_operand(name, "a mask as a number or an array of bit positions", operand);
  }
  return mask_positions(name, operand);
}

}  // namespace

bool Bits::is_operator(std::string_view name) {
  return name == "$bitsAllSet" || name == "$bitsAllClear" || name == "$bitsAnySet" ||
         name == "$bitsAnyClear";
}

Bits::Bits(std::string_view op, const Value& operand)
    : positions_(positions_of(op, operand)),
      all_(op.starts_with("$bitsAll")),
      set_(op.ends_with("Set")) {}

bool Bits::hold(const Value& value) const {
  if (value.is_bytes()) return hold(value.text());
  const auto number = value.is_number() ? exact_integer(value) : std::nullopt;
  return number && hold(*number);
}

bool Bits::hold(std::int64_t number) const {
  return test([&](std::int64_t position) { return bit_of_number(number, position); });
}

bool Bits::hold(std::string_view bytes) const {
  return test([&](std::int64_t position) { return bit_of_bytes(bytes, position); });
}

template <class Bit>
bool Bits::test(Bit bit) const {
  const auto wanted = [&](std::int64_t position) { return bit(position) == set_; };
  if (all_) return std::all_of(positions_.begin(), positions_.end(), wanted);
  return std::any_of(positions_.begin(), positions_.end(), wanted);
}

}  // namespace gantry::data::filter
