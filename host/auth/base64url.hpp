// host/auth/base64url.hpp: base64url coding, for text in URLs and headers.
//
// RFC 4648 section 5, without padding. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

std::string to_base64url(std::string_view bytes);

// The decoded bytes. Empty unless `text` is exactly the encoding that to_base64url() produces.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace gantry::host
