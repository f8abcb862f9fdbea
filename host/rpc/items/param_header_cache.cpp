#include "host/rpc/items/param_header_cache.hpp"

#include <utility>

namespace gantry::host::rpc {

ParamHeaderCache::Headers ParamHeaderCache::of(const Snapshot& snapshot, const Item& tool) {
  std::lock_guard lock(mutex_);
  if (version_ != snapshot.version) {
    by_tool_.clear();
    version_ = snapshot.version;
  }
  auto found = by_tool_.find(tool.spec.name);
  if (found == by_tool_.end()) {
    auto made =
        std::make_shared<const std::vector<ParamHeader>>(param_headers(tool.spec.input_schema));
    found = by_tool_.emplace(tool.spec.name, std::move(made)).first;
  }
  return found->second;
}

}  // namespace gantry::host::rpc
