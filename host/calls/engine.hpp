// host/calls/engine.hpp: the implementation of calls.hpp.
//
// A call's record goes start -> (queue) -> (strand) -> enter -> settle -> end. Answering and ending
// are separate: a call is answered once, by its end, its deadline or a cancellation, whichever is
// first; it ends when the plugin is done with it. No lock is held while a plugin runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <gantry/abi/abi.h>

#include "host/calls/alarm.hpp"
#include "host/calls/call.hpp"
#include "host/calls/calls.hpp"
#include "host/calls/parties.hpp"
#include "host/calls/pool.hpp"

namespace gantry::host {

class Engine final : public Calls {
 public:
  Engine(Registry& registry, Bus& bus, Metrics& metrics, CallLimits limits, FaultLog faults);
  ~Engine() override;

  // Calls
  std::shared_ptr<CallHandle> start(const ItemCall& call,
                                    std::shared_ptr<CallListener> listener) override;
  std::optional<ItemAnswer> denied(const Agent& agent, const Item& item) const override;
  Status self_check(InstancePtr instance, std::chrono::milliseconds limit) override;
  int running() const override { return parties_.running(); }
  std::size_t queued() const override { return pool_.queued(); }
  std::uint64_t delayed() const override { return pool_.delayed() + away_.delayed(); }
  bool drain(std::chrono::milliseconds grace) override;
  // HostServices
  const void* service(std::string_view id) const override;
  Status offer(Instance& instance, std::string_view items_json) override;
  gantry_status resource_changed(Instance& plugin, std::string_view uri, std::string_view metadata,
                                 bool deleted) override;
  gantry_status list_changed(Instance& plugin) override;
  std::vector<std::string> watched(Instance& plugin) override;
  WorkerCallInfo call_info(const gantry_call& call) override;
  bool post(const gantry_call* call, std::function<void()> work) override;
  void blocking(const std::function<void()>& wait) override;

  // What the service tables call (services.cpp, nested.cpp).
  gantry_status finish(gantry_call& call, gantry_status status);
  gantry_status report_progress(gantry_call& call, double done, double total,
                                std::string_view note);
  gantry_status begin_task(gantry_call& call);
  gantry_status release(gantry_call& call);
  gantry_status report_log(gantry_call& call, int level, std::string_view text);
  enum class Wait { block, callback };
  gantry_status invoke_nested(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                              std::string_view splice, gantry_answer answer);
  gantry_status start_nested(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                             gantry_answer answer, void (*done)(void*, gantry_status),
                             void* context);
  void fault(const gantry_call& call, std::string_view sentence) const;

  // The cap on answers in bytes, as decimal text.
  const std::string& answer_cap() const { return answer_cap_; }

  // Answers the client's call unless it has an answer; true if this was the answer. A `tree` state
  // other than active cancels the call's tree with it.
  bool answer(gantry_call& root, ItemAnswer&& with, TreeState tree = TreeState::active);
  void cancel(gantry_call& root, TreeState how, ItemAnswer&& with);
  void abandon(gantry_call& root);

 private:
  struct Waiter;

  std::optional<GroupId> admit(const ItemCall& request);
  std::optional<ItemAnswer> refusal(const ItemCall& call, const Item* item) const;
  CallRef make_root(const ItemCall& request, const Item& item, GroupId group,
                    std::shared_ptr<CallListener> listener);
  void queue(CallRef call);
  void run_queued(gantry_call* adopted);
  bool held(const CallRef& call);
  void go_on(CallRef call, InstancePtr instead);
  gantry_status wait_for_replacement(gantry_call& child);
  void take_strand_or_queue(CallRef call);
  void enter(gantry_call& call);
  void run_plugin(gantry_call& call, bool blocking);
  CallRef hand_over(gantry_call& call);
  void settle(gantry_call& call, gantry_status status);
  void end(gantry_call& call, gantry_status status);
  void leave_strand(Instance& instance);
  bool runs_inline(const Item& item) const;
  void run_inline(gantry_call& call, const Item& item);
  bool watch(gantry_call& call);
  void unwatch(gantry_call& call);
  Alarm::Time ring(gantry_call& call);
  Alarm::Time next_ring(const gantry_call& call) const;
  ItemAnswer answer_of(gantry_call& call, gantry_status status) const;
  ItemAnswer checked_result(gantry_call& call) const;
  ItemAnswer next_round(gantry_call& call) const;
  ItemAnswer missing_capability(gantry_call& call) const;
  ItemAnswer plugin_fault(gantry_call& call, const std::string& sentence) const;

  Result<CallRef> make_nested(gantry_host* host, gantry_call& parent,
                              const gantry_invocation& what);
  gantry_status wait_for_strand(gantry_call& child);
  gantry_status wait_for_end(gantry_call& root, Waiter& waiter);
  bool would_deadlock(gantry_call& root, Instance& wanted, std::string& chain);

  Registry& registry_;
  Bus& bus_;
  Metrics& metrics_;
  const CallLimits limits_;
  const std::string answer_cap_ = std::to_string(limits_.max_answer_bytes);
  const FaultLog faults_;
  CallSlab slab_;
  Parties parties_;
  std::atomic<bool> draining_{false};
  std::mutex live_mutex_;  // of live_, for drain()
  std::condition_variable none_live_;
  std::map<gantry_call*, CallRef> live_;  // client calls that outlived start()
  std::mutex waits_mutex_;
  std::map<const gantry_call*, Instance*> waits_;  // the instance whose strand a tree waits for
  Alarm alarm_;
  Pool pool_;
  // For slow requests of plugins in worker processes. Each such call blocks a thread here for each
  // call below it, so a bound as tight as the pool's would let them deadlock.
  Pool away_;
};

const gantry_call_api& call_table();
const gantry_invoke_api& invoke_table();
const gantry_config_api& config_table();
const gantry_secret_api& secret_table();
const gantry_catalog_api& catalog_table();
const gantry_input_api& input_table();
const gantry_task_api& task_table();
const gantry_events_api& events_table();

inline std::string_view view(gantry_bytes bytes) { return {bytes.data, bytes.size}; }
inline gantry_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

// {"error_code":…,"error":…,"details"?:…}
std::string error_json(std::string_view code, std::string_view message, std::string_view details);

// True if the error may also be sent as structured content (calls.hpp, error_fits_schema).
bool error_fits(const Item& item, const ItemAnswer& error);

// CLOCK_MONOTONIC nanoseconds of a moment; never 0, which means "no deadline".
inline std::uint64_t deadline_from(std::chrono::steady_clock::time_point when) {
  const auto since = when.time_since_epoch();
  const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  return count > 0 ? static_cast<std::uint64_t>(count) : 1;
}
inline std::chrono::steady_clock::time_point time_of(std::uint64_t deadline) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline));
}

// The error a failed status stands for when the plugin gave none: its code and a sentence about
// the `noun`.
Output::Failure failure_of(gantry_status status, std::string_view noun = "tool");

}  // namespace gantry::host
