// ops/next_call.hpp: the call of a tool that reads the next page.
//
// Pure; any thread.
#pragma once

#include <rapidjson/fwd.h>

#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

// An argument and its JSON.
struct NextArgument {
  std::string_view name;
  std::string json;
};

// {"tool":…,"arguments":{…}}: the arguments with these instead of those of the same names. Numbers
// keep their values.
std::string next_call(std::string_view tool, const rapidjson::Value& arguments,
                      const std::vector<NextArgument>& instead);

}  // namespace gantry::data
