// host/rpc/lists/cursor.hpp: where a list goes on.
//
// A cursor says after which name, and in short what stood around it: however many names come or go
// between two pages, those that stay come once. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host::rpc {

// A cursor that goes on after `names[last]`, when `names` from `first` on were the page: 1 KiB and
// a half for a page of 250.
std::string make_cursor(const std::vector<std::string>& names, std::size_t first, std::size_t last);

// The place to go on from: after the last name of the page that is still there, or else where one
// of the next begins, or else the beginning. Nothing when the text is no cursor of ours.
std::optional<std::size_t> place_of_cursor(std::string_view cursor,
                                           const std::vector<std::string>& names);

}  // namespace gantry::host::rpc
