// host/http/partial_head.hpp (private): the Origin and the Host of a request whose head is refused.
// Pure; any thread.
#pragma once

#include <string_view>

#include "host/http/message.hpp"

namespace gantry::host::http {

// A request with only the Host and the Origin of a head, which may be incomplete. Each is empty if
// it is not certain: a line does not end with CR LF or is folded, or the field occurs twice with
// different values or is not visible ASCII.
Request origin_of_partial_head(std::string_view head);

}  // namespace gantry::host::http
