// sdk/contract/text.hpp: ASCII, UTF-8, hex, Base64 and percent-encoding.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::contract {

// Classes of ASCII characters. The locale has no effect.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// ASCII letters in lower case.
constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
std::string lower(std::string_view text);

// Without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

// Well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

// Two hex digits for each byte, in lower or in upper case.
std::string to_hex(std::string_view bytes);
std::string to_upper_hex(std::string_view bytes);
// The bytes of hex digits of either case; nothing when it is not exactly that.
std::optional<std::string> from_hex(std::string_view text);
// The form that to_hex() writes, without a look at the number of digits.
bool is_lower_hex(std::string_view text);

// `text` if it has at most `most` bytes; else about `most` bytes of it: the beginning, "…" and the
// end, cut between characters. So a sentence with a long quotation keeps its first and last words.
std::string shortened(std::string_view text, std::size_t most);

// Base64 of RFC 4648: the standard alphabet with padding, or base64url, which has '-' and '_' and
// no padding. Decoding is strict: nothing for a text that the encoder does not write.
void append_base64(std::string& out, std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);
std::string to_base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);

// %XX for each byte but ASCII letters, digits and those of `kept`; the default keeps the unreserved
// characters of RFC 3986.
std::string percent_encoded(std::string_view text, std::string_view kept = "-._~");
// The bytes of a text with %XX; nothing when an escape is broken.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace gantry::contract
