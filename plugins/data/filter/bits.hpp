// filter/bits.hpp: $bitsAllSet, $bitsAllClear, $bitsAnySet and $bitsAnyClear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::filter {

class Bits {
 public:
  static bool is_operator(std::string_view name);

  // `operand`: a mask given as a number or bytes, or an array of bit positions. Throws QueryError.
  Bits(std::string_view op, const Value& operand);

  // Only whole numbers within 64 bits, and bytes, can match.
  bool hold(const Value& value) const;
  bool hold(std::int64_t number) const;
  bool hold(std::string_view bytes) const;

 private:
  template <class Bit>
  bool test(Bit bit) const;

  std::vector<std::int64_t> positions_;
  bool all_, set_;
};

}  // namespace gantry::data::filter
