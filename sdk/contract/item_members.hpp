// sdk/contract/item_members.hpp: the members that an item may hold, by its kind.
//
// Internal to the contract kit. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "sdk/contract/manifest.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {

// Reads the member `name` into `item`, whose kind is known unless the member is "kind". `place`
// names the item in errors. A member that this host does not know goes to `warnings`.
Status take_item_member(const std::string& place, const std::string& name, const RawJson& value,
                        Item& item, std::vector<std::string>& warnings);

}  // namespace gantry::contract
