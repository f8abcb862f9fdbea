// host/rpc/results/content.hpp: replaces content blocks that a client's revision does not know.
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
