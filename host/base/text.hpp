// host/base/text.hpp: ASCII and UTF-8 helpers, with those of the contract kit.
//
// Pure functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sdk/contract/text.hpp"

namespace gantry::host {

using contract::append_base64;
using contract::from_base64;
using contract::from_base64url;
using contract::from_hex;
using contract::is_digit;
using contract::is_hex_digit;
using contract::is_letter;
using contract::is_lower_hex;
using contract::is_utf8;
using contract::lower;
using contract::percent_decoded;
using contract::percent_encoded;
using contract::shortened;
using contract::to_base64url;
using contract::to_hex;
using contract::to_upper_hex;
using contract::trimmed;

// Equal, ASCII letters compared without case.
bool same_ignoring_case(std::string_view a, std::string_view b);

// For unordered containers that are looked up with views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

}  // namespace gantry::host
