// URI references (RFC 3986): only what `$id` and `$ref` need.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::schema::detail {

// `reference` seen from `base`; a fragment of the reference is kept. An empty base gives the
// reference back.
std::string resolve_uri(std::string_view base, std::string_view reference);

struct SplitUri {
  std::string_view document;  // before '#'
  std::string_view fragment;  // after it
};
SplitUri split_fragment(std::string_view uri);

// "%25" becomes "%"; nothing when a '%' is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace gantry::schema::detail
