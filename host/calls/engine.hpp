// host/calls/engine.hpp (private): the implementation of calls.hpp: the objects that a call passes
// through, and the services of the host that plugins' tables use.
//
//   Admission -> Runner -> plugin -> Answers; Deadlines beside them; Nesting below a call
//
// Answering and ending are separate: a call is answered once, by its end, its deadline or a
// cancellation, whichever is first; it ends when the plugin is done with it.
//
// It has more than 20 methods because it implements two interfaces, Calls and HostServices. Most of
// them only forward to a member.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/calls/admission.hpp"
#include "host/calls/answers.hpp"
#include "host/calls/call.hpp"
#include "host/calls/calls.hpp"
#include "host/calls/deadlines.hpp"
#include "host/calls/nesting.hpp"
#include "host/calls/plugin_events.hpp"
#include "host/calls/runner.hpp"

namespace gantry::host {

class Engine final : public Calls {
 public:
  Engine(Registry& registry, Bus& bus, Metrics& metrics, CallLimits limits, FaultLog faults);
  ~Engine() override;

  // Calls
  std::shared_ptr<CallHandle> start(const ItemCall& call,
                                    std::shared_ptr<CallListener> listener) override;
  std::optional<ItemAnswer> denied(const Agent& agent, const Item& item) const override {
    return admission_.denied(agent, item);
  }
  bool lists(const Snapshot& snapshot, const Agent& agent, const Item& item) const override;
  Status self_check(InstancePtr instance, std::chrono::milliseconds limit) override;
  int running() const override { return admission_.running(); }
  std::size_t queued() const override { return runner_.pool().queued(); }
  std::uint64_t delayed() const override { return runner_.pool().delayed() + away_.delayed(); }
  bool drain(std::chrono::milliseconds grace) override;
  // HostServices
  const void* service(std::string_view id) const override;
  Status offer(Instance& instance, std::string_view items_json) override;
  gantry_status resource_changed(Instance& plugin, std::string_view uri, std::string_view metadata,
                                 bool deleted) override {
    return events_.resource_changed(plugin, uri, metadata, deleted);
  }
  gantry_status list_changed(Instance& plugin) override { return events_.list_changed(plugin); }
  std::vector<std::string> watched(Instance& plugin) override { return events_.watched(plugin); }
  WorkerCallInfo call_info(const gantry_call& call) override;
  bool post(const gantry_call* call, std::function<void()> work) override;
  void blocking(const std::function<void()>& wait) override;

  // For the service tables.
  Answers& answers() { return answers_; }
  Runner& runner() { return runner_; }
  Nesting& nesting() { return nesting_; }

 private:
  CallRef make_root(const ItemCall& request, GroupId group, std::shared_ptr<CallListener> listener);

  Registry& registry_;
  PluginEvents events_;
  CallSlab slab_;
  Admission admission_;
  Answers answers_;
  Deadlines deadlines_;
  Nesting nesting_;  // before the runner: plugins may run on its pool until that is destroyed
  Runner runner_;
  // For slow requests of plugins in worker processes. Each such call blocks one of these threads
  // for each call nested in it, so a bound as tight as that of the runner's pool could deadlock.
  Pool away_;
};

}  // namespace gantry::host
