// host/plugin/outlet.hpp: where the loader publishes what is loaded. The registry is one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/plugin/instance.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

// An instance that must not be published, and why: it offers names that others own.
struct OfferRefusal {
  std::uint64_t generation = 0;
  std::string reason;
};

class PluginOutlet {
 public:
  virtual ~PluginOutlet() = default;

  // What publish() would refuse of these, without publishing anything. Control thread.
  virtual std::vector<OfferRefusal> check(const std::vector<InstancePtr>& instances) = 0;

  // Makes these the plugins that are on offer, all at once. Of `states` those that carry the
  // generation of one of them hide its items and say why; the others are plugins and files that
  // are not loaded. Control thread.
  virtual std::vector<OfferRefusal> publish(std::vector<InstancePtr> instances,
                                            std::vector<PluginState> states) = 0;

  // What was offered by an instance that will never be published is void. Control thread.
  virtual void forget(const Instance& instance) = 0;

  // This thread keeps no generation alive. Control thread.
  virtual void let_go() = 0;

  // How the published ones stand: "serving" or "waiting", and what they offer. Any thread.
  virtual std::vector<PluginState> states() const = 0;
  virtual std::vector<ItemSpec> offer_of(std::uint64_t generation) const = 0;
};

}  // namespace gantry::host
