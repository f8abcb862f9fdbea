// host/rpc/results/content.hpp: replaces content blocks that a client's revision does not know.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host::rpc {

// The inside of a content array for a peer of `revision`: newer kinds of blocks become text, newer
// members are removed. Returns the same bytes if nothing has to change.
std::string content_for(std::string_view revision, std::string&& blocks);

}  // namespace gantry::host::rpc
