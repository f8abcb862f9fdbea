// host/plugin/contract_bytes.hpp: the contract's bytes as a view, and back. Any thread.
#pragma once

#include <string_view>

#include <gantry/abi/abi.h>

namespace gantry::host {

inline std::string_view view(gantry_bytes bytes) { return {bytes.data, bytes.size}; }
inline gantry_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace gantry::host
