// host/http/page_of.hpp (private): which page sent a request whose head is refused. Pure; any
// thread.
#pragma once

#include <string_view>

#include "host/http/message.hpp"

namespace gantry::host::http {

// A request with the Host and the Origin of a head, as much of it as has come, and nothing else.
// Empty where that is not certain: a line that does not end with CR LF or is folded, an Origin that
// stands twice with different values or is not visible ASCII.
Request page_of(std::string_view head);

}  // namespace gantry::host::http
