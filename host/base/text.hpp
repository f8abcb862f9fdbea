// host/base/text.hpp: ASCII and UTF-8 helpers.
//
// Pure functions; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

// Of ASCII, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

// ASCII letters in lower case.
std::string lower(std::string_view text);

// Equal, ASCII letters compared without case.
bool same_ignoring_case(std::string_view a, std::string_view b);

// The bytes of strict standard Base64 with padding; nothing when it is not exactly that.
std::optional<std::string> from_base64(std::string_view text);

// Well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

// At most about `most` bytes of `text`, and whole characters: of a longer one the beginning, "…"
// and the end, so that a sentence that quotes something long keeps its first and its last words.
std::string shortened(std::string_view text, std::size_t most);

// For unordered containers that are asked with views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

}  // namespace gantry::host
