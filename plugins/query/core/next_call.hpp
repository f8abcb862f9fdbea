// core/next_call.hpp: makes the call that reads the next page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace query {

// {"tool":"query_class","arguments":{…}}: the caller's arguments, with `skip` advanced past the
// returned rows and the applied limit. `arguments` is a JSON object.
std::string next_call(std::string_view arguments, std::int64_t limit, std::int64_t next_skip);

}  // namespace query
