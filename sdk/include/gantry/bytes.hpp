// gantry/bytes.hpp: converts between the contract's counted bytes and std::string_view.
//
// Results are views: they are valid as long as their source. Any thread.
#pragma once

#include <string_view>

#include <gantry/abi/bytes.h>

namespace gantry {

inline gantry_bytes to_bytes(std::string_view text) { return {text.data(), text.size()}; }

inline std::string_view to_view(gantry_bytes bytes) {
  return bytes.size == 0 ? std::string_view() : std::string_view(bytes.data, bytes.size);
}

}  // namespace gantry
