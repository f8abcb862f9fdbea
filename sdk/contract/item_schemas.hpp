// sdk/contract/item_schemas.hpp: the schemas of an item: where they come from, and what they must
// be.
//
// Internal to the contract kit. Pure functions; any thread.
#pragma once

#include <string>

#include <gantry/result.hpp>

#include "sdk/contract/manifest.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {

// Takes those that the item does not have from the manifest's "schemas".
Status take_schemas(const RawJson& schemas, Item& item);

// Checks and compiles them. `place` names the item in errors.
Status compile_schemas(const std::string& place, Item& item);

}  // namespace gantry::contract
