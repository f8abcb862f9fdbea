// host/rpc/items/param_header_cache.hpp (private): the x-mcp-header arguments of tools, each read
// once a snapshot.
//
// Any thread. Throws only std::bad_alloc.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/registry/snapshot.hpp"
#include "host/rpc/message/param_headers.hpp"

namespace gantry::host::rpc {

class ParamHeaderCache {
 public:
  using Headers = std::shared_ptr<const std::vector<ParamHeader>>;

  // Of `tool`, which is an item of `snapshot`.
  Headers of(const Snapshot& snapshot, const Item& tool);

 private:
  std::mutex mutex_;
  std::uint64_t version_ = 0;  // of the snapshot
  std::map<std::string, Headers, std::less<>> by_tool_;
};

}  // namespace gantry::host::rpc
