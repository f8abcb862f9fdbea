// tools/gantry/text/number.hpp: numbers that an option takes.
//
// Pure functions.
#pragma once

#include <cstdint>
#include <limits>

namespace CLI {
class Validator;
}  // namespace CLI

namespace gantry::cli {

// Refuses what is no whole number from `least` to `most`, in a short sentence; it adds nothing to
// the help.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// The same for seconds from 0 to `most`, with or without a fraction.
CLI::Validator seconds_up_to(double most);

}  // namespace gantry::cli
