// host/plugin/manifest.hpp: manifests and items, as the contract kit reads them.
#pragma once

#include "sdk/contract/manifest.hpp"

namespace gantry::host {

using contract::CompiledSchemas;
using contract::Isolate;
using contract::Manifest;
using contract::parse_items;
using contract::parse_manifest;
using contract::PromptArgument;
using contract::Tier;
using contract::tier_name;
using ItemSpec = contract::Item;

}  // namespace gantry::host
