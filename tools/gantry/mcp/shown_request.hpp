// tools/gantry/mcp/shown_request.hpp: a request whose progress the user sees.
//
// Main thread.
#pragma once

#include <optional>
#include <string>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "tools/gantry/mcp/answer.hpp"
#include "tools/gantry/mcp/client.hpp"

namespace gantry::cli {

// The result of the request, whose progress is a line of standard error until then. The errors of
// Client::ask(), and GANTRY_FAILED with `refusal`, when the tool or the server refused.
Result<rapidjson::Document> ask_shown(const Client& client, const std::string& method,
                                      const std::string& params, const std::string& name,
                                      std::optional<Refusal>& refusal);

}  // namespace gantry::cli
