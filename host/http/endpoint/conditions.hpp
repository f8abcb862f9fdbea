// host/http/endpoint/conditions.hpp: conditional requests (RFC 9110, 13). Pure; any thread.
#pragma once

#include <string_view>

#include "host/http/message.hpp"

namespace gantry::host::http {

// The status that answers a GET or HEAD in place of the bytes whose ETag is `tag`, quotes included:
// 412 if If-Match names others, 304 if If-None-Match names these, weakly or not; 0: neither.
// If-Match is judged first (13.2.2). "*" names any.
int status_by_conditions(const Request& request, std::string_view tag);

}  // namespace gantry::host::http
