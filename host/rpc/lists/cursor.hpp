// host/rpc/lists/cursor.hpp: pagination cursors.
//
// A cursor names the last sent entry and a digest of its neighbours. If entries are added or
// removed between two pages, each entry that remains is still sent exactly once. Pure functions;
// any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host::rpc {

// A cursor for the page after `names[last]`; the sent page began at `names[first]`. Size: 1 KiB and
// a half for a page of 250.
std::string make_cursor(const std::vector<std::string>& names, std::size_t first, std::size_t last);

// The index to continue from: after the last name of the page that still exists, else at the first
// known later name, else 0. Nothing if the text is not a cursor of this server.
std::optional<std::size_t> place_of_cursor(std::string_view cursor,
                                           const std::vector<std::string>& names);

}  // namespace gantry::host::rpc
