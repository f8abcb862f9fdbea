// core/base64url.hpp: bytes as text of RFC 4648, section 5, without padding.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mutation {

std::string base64url(std::string_view bytes);

// Nothing for a text that base64url() does not write.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace mutation
