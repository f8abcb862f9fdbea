// sdk/contract/items.hpp: the grammar of one item, shared by manifests and run-time offers.
//
// Internal to the contract kit. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdk/contract/manifest.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {

// `items` is the array; `schemas` the manifest's {"<tool>": {"input": …, "output": …}} or nothing.
// Errors begin with the place ("items[2] (\"query\").timeout_ms …"); warnings go to
// `warnings`.
Result<std::vector<Item>> read_items(const RawJson& items, const std::optional<RawJson>& schemas,
                                     std::vector<std::string>& warnings);

}  // namespace gantry::contract
