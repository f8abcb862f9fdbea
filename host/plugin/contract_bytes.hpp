// host/plugin/contract_bytes.hpp: the contract's bytes as a view, and back. Any thread.
#pragma once

#include <string_view>

#include <gantry/abi/abi.h>

namespace gantry::host {

// Empty for bytes without data, whatever their size says.
inline std::string_view view(gantry_bytes bytes) {
  return bytes.data ? std::string_view(bytes.data, bytes.size) : std::string_view();
}
inline gantry_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace gantry::host
