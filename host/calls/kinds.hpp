// host/calls/kinds.hpp: the differences between the kinds of items that clients enter.
//
// Pure functions and constants; any thread.
#pragma once

#include <string>
#include <string_view>

#include "host/calls/output.hpp"
#include "host/registry/snapshot.hpp"
#include "sdk/contract/item_kinds.hpp"

namespace gantry::host {

using contract::ItemKind;

// The kind as which a client's call, or one of the host's own, enters an item: `asked`, or the
// item's own when that is empty. For a name that is no kind of theirs: "tool".
const ItemKind& kind_of(std::string_view asked, const Item* item = nullptr);

// The form in which the output of a client's call of that kind is kept.
Output::For output_of(const ItemKind& kind);

// "tool 'x'", "resource 'x://y'": for sentences.
std::string named(std::string_view kind, std::string_view key);

// A sentence for the log if `json` is no valid result of this kind; else empty.
std::string wrong_form(const ItemKind& kind, std::string_view json);

}  // namespace gantry::host
