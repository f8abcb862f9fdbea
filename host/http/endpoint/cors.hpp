// host/http/endpoint/cors.hpp: the headers that a page on an allowed origin may send.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host::http {

// The header names that a preflight's answer allows: the protocol's, those of the `requested` ones
// that repeat arguments (Mcp-Param-…), and the one that the operator requires. Pure; any thread.
std::string allowed_request_headers(std::string_view requested, std::string_view required = {});

}  // namespace gantry::host::http
