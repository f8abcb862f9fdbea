// host/auth/base64url.hpp: bytes as text that may stand in URLs and headers.
//
// RFC 4648 section 5, without padding. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

std::string to_base64url(std::string_view bytes);

// Nothing unless `text` is exactly what to_base64url() makes of some bytes.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace gantry::host
