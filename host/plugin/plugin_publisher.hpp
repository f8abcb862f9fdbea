// host/plugin/plugin_publisher.hpp: where the loader publishes the loaded plugins. The registry
// implements it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/plugin/instance.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

// An instance that must not be published, since it offers names that other plugins own.
struct OfferRefusal {
  std::uint64_t generation = 0;
  std::string reason;
};

class PluginPublisher {
 public:
  virtual ~PluginPublisher() = default;

  // The refusals that publish() would return for these; publishes nothing. Control thread.
  virtual std::vector<OfferRefusal> check(const std::vector<InstancePtr>& instances) = 0;

  // Publishes one snapshot of these instances. A state with the generation of one of them hides its
  // items and gives the reason; the other states are of plugins and files that are not loaded.
  // Control thread.
  virtual std::vector<OfferRefusal> publish(std::vector<InstancePtr> instances,
                                            std::vector<PluginState> states) = 0;

  // Drops the offer of an instance that will never be published. Control thread.
  virtual void forget(const Instance& instance) = 0;

  // Drops the snapshot that this thread caches, so that it keeps no generation alive. Control
  // thread.
  virtual void let_go() = 0;

  // The states of the published plugins, "serving" or "waiting", and the items they offer. Any
  // thread.
  virtual std::vector<PluginState> states() const = 0;
  virtual std::vector<ItemSpec> offer_of(std::uint64_t generation) const = 0;
};

}  // namespace gantry::host
