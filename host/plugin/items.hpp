// host/plugin/items.hpp: the grammar of one item, shared by manifests and run-time offers.
//
// Internal to host/loader. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/base/raw_json.hpp"
#include "host/plugin/manifest.hpp"

namespace gantry::host {

// `items` is the array; `schemas` the manifest's {"<tool>": {"input": …, "output": …}} or nothing.
// Errors begin with the place ("items[2] (\"query\").timeout_ms …"); warnings go to
// `warnings`.
Result<std::vector<ItemSpec>> read_items(const RawJson& items,
                                         const std::optional<RawJson>& schemas,
                                         std::vector<std::string>& warnings);

}  // namespace gantry::host
