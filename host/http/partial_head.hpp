// host/http/partial_head.hpp (private): the Origin and the Host of a request whose head is refused.
// Pure; any thread.
#pragma once

#include <string_view>

#include "host/http/message.hpp"

namespace gantry::host::http {

// A request with the Host and the Origin of a head, as much of it as has come, and nothing else.
// Empty where they are not certain: a line does not end with CR LF or is folded, or one of the two
// stands twice with different values or is not visible ASCII.
Request origin_of_partial_head(std::string_view head);

}  // namespace gantry::host::http
