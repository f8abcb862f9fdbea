// host/rpc/numbers.hpp (private): numbers that RapidJSON 1.1 does not read as they are written.
//
// Asked to read exactly, it makes any number at all of a zero with more than 22 places or such an
// exponent, and its arithmetic overflows at exponents of ten digits. Text with such a number goes
// no further: everything behind reads the same text again. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gantry::host::rpc {

// Where the first such number of a JSON text starts. Of a text that is no JSON: anything.
std::optional<std::size_t> unreadable_number(std::string_view json);

}  // namespace gantry::host::rpc
