// values/base64.hpp: base64 to bytes, padding optional. Any thread.
//
// Long texts count steps of the thread's query, and the bytes are charged to it while they are
// decoded (values/spending.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::data {

std::optional<std::string> decode_base64(std::string_view text);     // RFC 4648 section 4
std::optional<std::string> decode_base64url(std::string_view text);  // section 5

}  // namespace gantry::data
