// host/registry/registry.hpp: publishes the snapshot that all readers share.
//
// Readers never wait for writers: current() is a per-thread cached pointer checked against a
// version counter. A thread that goes to sleep calls release_cached() first, so that an idle
// thread does not keep an old generation alive.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "host/plugin/plugin_publisher.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host {

class Registry final : public PluginPublisher {
 public:
  Registry();
  ~Registry() override;

  // The newest published snapshot; never null. Any thread, a few nanoseconds. The reference is this
  // thread's and changes with its next call of current() or release_cached(), on any registry:
  // copy the pointer to keep the snapshot.
  const SnapshotPtr& current() const;
  // A copy that does not use the thread's cache: for threads that never call release_cached().
  SnapshotPtr snapshot() const;
  // Drops this thread's cached snapshot.
  static void release_cached();

  // Replaces the set of instances (already started) and publishes. A state with the generation of
  // an instance hides its items and gives the reason; other states are files that were not loaded,
  // kept for listings. An instance whose offer claims another plugin's names is refused and
  // returned. An instance with the generation number of a present one replaces it and takes over
  // its offer. An empty set releases all instances. Any thread, one at a time.
  std::vector<OfferRefusal> set_plugins(std::vector<InstancePtr> instances,
                                        std::vector<PluginState> states);
  // Replaces one instance's offer (host.h offer) and publishes; GANTRY_DENIED when a name is taken
  // by another plugin, naming the owner; GANTRY_INVALID_ARGUMENT for a service that its manifest
  // does not offer. The offer of an instance that is not in the set (it is being started) is
  // kept for the next set_plugins. Any thread.
  Status set_offer(Instance& instance, std::vector<ItemSpec> items);

  // Called after each publish whose lists differ, on the publishing thread. Must be quick.
  void on_lists_changed(std::function<void(const ListChanges&)> listener);

  // PluginPublisher, for the loader
  std::vector<OfferRefusal> check(const std::vector<InstancePtr>& instances) override;
  std::vector<OfferRefusal> publish(std::vector<InstancePtr> instances,
                                    std::vector<PluginState> states) override;
  void forget(const Instance& instance) override;
  void let_go() override { release_cached(); }
  std::vector<PluginState> states() const override;
  std::vector<ItemSpec> offer_of(std::uint64_t generation) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Clears this thread's cached snapshot at the end of a scope: an idle I/O thread would keep an old
// plugin generation alive.
class ReleaseSnapshotOnExit {
 public:
  ReleaseSnapshotOnExit() = default;
  ~ReleaseSnapshotOnExit() { Registry::release_cached(); }
  ReleaseSnapshotOnExit(const ReleaseSnapshotOnExit&) = delete;
  ReleaseSnapshotOnExit& operator=(const ReleaseSnapshotOnExit&) = delete;
};

}  // namespace gantry::host
