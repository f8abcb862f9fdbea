// host/rpc/results/result_members.hpp (private): the members of results of prompts, resources and
// completions, made from a plugin's result. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

#include "host/rpc/results/item_result.hpp"

namespace gantry::host::rpc {

// JSON members without braces, or a sentence about the fault in the plugin's result.
struct Members {
  std::string text, problem;
};

// "description"?, "messages"; content that `revision` does not know becomes text.
Members prompt_members(const rapidjson::Value& result, std::string_view revision);
// "contents", and for the modern era the time for which a client may cache them.
Members resource_members(const rapidjson::Value& result, const Asked& asked,
                         std::string_view revision);
// "completion" with at most 100 values.
Members completion_members(const rapidjson::Value& result);

}  // namespace gantry::host::rpc
