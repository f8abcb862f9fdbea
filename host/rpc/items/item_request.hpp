// host/rpc/items/item_request.hpp (private): one request that enters an item (start_item.hpp), over
// all its rounds.
//
// It listens to one call of the item at a time. It is kept alive by that call, by the questions
// that a legacy client has not answered, and by its task. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "host/base/live_count.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/client_questions.hpp"
#include "host/rpc/items/request_approval.hpp"
#include "host/rpc/items/request_output.hpp"
#include "host/rpc/items/request_parts.hpp"
#include "host/rpc/items/request_record.hpp"
#include "host/rpc/items/request_task.hpp"

namespace gantry::host::rpc {

class ItemRequest final : public CallListener,
                          public QuestionOwner,
                          public RevocableWork,
                          public std::enable_shared_from_this<ItemRequest> {
 public:
  ItemRequest(Core& core, std::shared_ptr<Sink> sink, ItemRequestParts&& parts)
      : scoped_count_(core.runs), core_(core), parts_(std::move(parts)), output_(std::move(sink)) {}
  ~ItemRequest() override { core_.open_work.remove(*this); }

  // The first entry. `parsed` as in ItemCall.
  void begin(const SnapshotPtr& snapshot, const Item* item, const rapidjson::Value* parsed,
             Carried carried);
  // Cancels the request: its client or session has ended or cancelled it. Does nothing to a request
  // that became a task. Any thread, at any time, also before begin().
  void stop(Stop why);

  // RevocableWork. Stops a task, too.
  void take_agents(const AgentChanges& changes) override;
  std::optional<ActiveCall> active_call() const override;
  void cancel_by_operator() override { cancel(CancelReason::notifications_cancelled); }

  // CallListener
  void progress(double done, double total, std::string_view note) override;
  void log(int level, std::string_view logger, std::string_view text) override;
  gantry_status begin_task() override;
  bool release() override { return output_.release(); }
  void sub_agent_called(const SubAgentCall& call) override {
    record_sub_agent(core_, parts_, call);
  }
  void span_ended(std::string_view span) override { record_span(parts_, span); }
  void done(ItemAnswer&& answer) override;

  // QuestionOwner
  void on_answers(std::string answers) override;
  void on_no_answers(ItemAnswer&& answer) override;

 private:
  void enter(const SnapshotPtr& snapshot, const Item* item, const rapidjson::Value* parsed);
  void enter_again();
  void cancel(CancelReason reason);
  void end(ItemAnswer&& answer);
  void end_stopped();
  void go_on(RequestApproval::Step&& step);
  void tell_of_wait();
  void next_round(ItemAnswer&& answer);
  void answer_round(std::string_view requests);
  void ask_through_task(std::string_view requests);

  const ScopedCount scoped_count_;
  Core& core_;
  const ItemRequestParts parts_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  RequestOutput output_;
  ClientQuestions questions_{core_, parts_, output_};
  RequestTask task_{core_, parts_};
  RequestApproval approval_{core_, parts_};

  // The current or last plugin entry; accessed only by enter() and done(), which never overlap.
  struct {
    SnapshotPtr snapshot;
    const Item* item = nullptr;
    Carried carried;
    double last_progress = -1;
    bool ran = false;  // a plugin was entered
  } entry_;

  mutable std::mutex mutex_;  // for call_
  struct {
    std::uint64_t serial = 0;
    bool running = false;
    std::shared_ptr<CallHandle> handle;
    std::optional<CancelReason> stopped;
    bool is_over = false;  // it has its answer
    struct {
      double done = -1, total = 0;
      std::string note;
    } progress;  // the latest
  } call_;
};

}  // namespace gantry::host::rpc
