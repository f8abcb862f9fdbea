// values/base64.hpp: standard base64 (RFC 4648 section 4), padding optional. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::data {

std::optional<std::string> decode_base64(std::string_view text);

}  // namespace gantry::data
