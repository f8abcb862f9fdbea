// host/rpc/message/param_headers.hpp: tool arguments that are also sent as headers
// (`x-mcp-header`).
//
// Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/fwd.h>

#include "host/rpc/message/error.hpp"
#include "host/rpc/message/headers.hpp"

namespace gantry::host::rpc {

struct ParamHeader {
  std::string header;             // "mcp-param-bucket"
  std::string shown;              // "Mcp-Param-Bucket"
  std::vector<std::string> path;  // of the argument, from the root
};

// The annotated properties of an input schema, reached through `properties` alone; none if the text
// is not such a schema.
std::vector<ParamHeader> param_headers(std::string_view input_schema);

// Checks that each annotated argument has a header with the same value; else -32020. `arguments`
// may be null.
std::optional<Error> check_param_headers(const std::vector<ParamHeader>& expected,
                                         const rapidjson::Value* arguments, const Headers& headers);

}  // namespace gantry::host::rpc
