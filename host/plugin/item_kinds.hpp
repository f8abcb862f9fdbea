// host/plugin/item_kinds.hpp: the kinds of items and the members each may have.
//
// Internal to host/loader. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host {

// "\"tool\", \"service\", … or \"completion\"", for messages.
const std::string& kind_list();
bool is_kind(std::string_view kind);

// Whether an item of `kind` may have the member; true for members that no kind has, too. The error
// begins with `place` and names the kinds that have it.
Status check_member(std::string_view kind, std::string_view member, const std::string& place);

}  // namespace gantry::host
