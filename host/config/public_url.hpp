// host/config/public_url.hpp: the address under which clients beyond loopback reach this server.
//
// Pure function; any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host {

// The canonical address of the endpoint: "https://mcp.example/mcp" of "https://MCP.example/".
// GANTRY_INVALID_ARGUMENT: it is no https address of a host, has a user, a query or a fragment, or
// a path that does not end in /mcp. An empty text stays empty.
Result<std::string> canonical_public_url(std::string_view text);

}  // namespace gantry::host
