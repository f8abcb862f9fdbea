// core/next_call.hpp: the call that reads the next page, ready to be made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace query {

// {"tool":"query_class","arguments":{…}}: the caller's arguments with `skip` moved behind the rows
// it has got and the limit that applied. `arguments` is a JSON object.
std::string next_call(std::string_view arguments, std::int64_t limit, std::int64_t next_skip);

}  // namespace query
