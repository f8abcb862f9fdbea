// sdk/contract/item_reader.hpp: reads one item of a manifest or an offer.
//
// Internal to the contract kit. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "sdk/contract/manifest.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {

// `place` names the item in errors; ignored members go to `warnings`. `schemas`: the manifest's.
Result<Item> read_item(const std::string& place, const RawJson& json,
                       const std::optional<RawJson>& schemas, std::vector<std::string>& warnings);

}  // namespace gantry::contract
