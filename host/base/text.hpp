// host/base/text.hpp: ASCII and UTF-8 helpers, with those of the contract kit.
//
// Pure functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sdk/contract/text.hpp"

namespace gantry::host {

using contract::from_base64;
using contract::is_digit;
using contract::is_hex_digit;
using contract::is_letter;
using contract::is_utf8;

// Two lower-case hex digits for each byte.
std::string to_hex(std::string_view bytes);

// Without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

// ASCII letters in lower case.
std::string lower(std::string_view text);

// Equal, ASCII letters compared without case.
bool same_ignoring_case(std::string_view a, std::string_view b);

// `text` if it has at most `most` bytes; else about `most` bytes of it: the beginning, "…" and the
// end, cut between characters. So a sentence with a long quotation keeps its first and last words.
std::string shortened(std::string_view text, std::size_t most);

// For unordered containers that are looked up with views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

}  // namespace gantry::host
