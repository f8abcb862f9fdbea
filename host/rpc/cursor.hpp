// host/rpc/cursor.hpp: where a list goes on.
//
// A cursor says after which name, and at which place that was, so that it survives changes of the
// list. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host::rpc {

// A cursor that goes on after `names[last]`.
std::string make_cursor(const std::vector<std::string>& names, std::size_t last);

// The place to go on from; nothing when the text is no cursor of ours.
std::optional<std::size_t> place_of_cursor(std::string_view cursor,
                                           const std::vector<std::string>& names);

}  // namespace gantry::host::rpc
