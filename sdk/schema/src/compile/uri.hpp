// URI references (RFC 3986), as far as `$id` and `$ref` need them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::schema::detail {

// Resolves `reference` against `base` and keeps its fragment. With an empty base the result is the
// reference.
std::string resolve_uri(std::string_view base, std::string_view reference);

struct SplitUri {
  std::string_view document;  // before '#'
  std::string_view fragment;  // after it
};
SplitUri split_fragment(std::string_view uri);

// "%25" becomes "%"; empty if a '%' is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace gantry::schema::detail
