// ops/next_call.hpp: the call of query_class that reads the next page.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::data {

// {"tool":"query_class","arguments":{…}}: the arguments of `request`, {"op":…,"args":{…}}, byte for
// byte, with another limit and skip.
std::string next_call(std::string_view request, std::int64_t limit, std::int64_t next_skip);

}  // namespace gantry::data
