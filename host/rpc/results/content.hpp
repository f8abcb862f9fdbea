// host/rpc/results/content.hpp: content blocks for peers that know fewer kinds of them.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host::rpc {

// The inside of a content array as a peer of `revision` understands it: kinds that came later
// become text, members that came later go. Returns the same bytes where nothing is to be done.
std::string content_for(std::string_view revision, std::string&& blocks);

}  // namespace gantry::host::rpc
