// host/rpc/items/run_state.hpp (private): a run (run.hpp) between its entries.
//
// It listens to the call of one entry at a time. Who keeps it alive: the call while there is one,
// the questions to a legacy client while it waits for them, its task while there is one.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/rpc/items/counted.hpp"
#include "host/rpc/items/run.hpp"
#include "host/rpc/rounds/asking.hpp"
#include "host/rpc/rounds/rounds.hpp"

namespace gantry::host::rpc {

// What of a request is needed until its answer, no longer borrowed.
struct RunParts {
  std::string id, method, kind, name, arguments, revision, principal;
  std::string progress_token, args_keys, correlation_id, auth_type;
  std::string party;  // as Context::party_name()
  std::uint64_t client = 0;
  std::optional<int> log_level;  // the most verbose the client wants
  AgentPtr agent;
  ClientCan can{};
  FinishItem finish;
  Session* session = nullptr;  // the sink keeps it
  // Of the item as it was entered first.
  std::string item_kind, item_key, plugin;
  std::uint64_t generation = 0;
  std::int64_t state_version = 0;
  bool errors_fit = false;  // it has no output schema
};

// How a call ended, for the record.
struct RunEnd {
  std::string_view code{};    // empty: well
  std::string_view denial{};  // its kind, where it has one
  bool ran = false;
  std::size_t bytes = 0;  // of the answer
  std::chrono::duration<double, std::milli> took{};
};
void record_end(Core& core, const RunParts& parts, const RunEnd& end);

class Run final : public CallListener, public std::enable_shared_from_this<Run> {
 public:
  Run(Core& core, std::shared_ptr<Sink> sink, RunParts&& parts)
      : counted_(core.runs), core_(core), parts_(std::move(parts)), sink_(std::move(sink)) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // The first entry. `parsed` as in ItemCall.
  void begin(SnapshotPtr snapshot, const Item* item, const rapidjson::Value* parsed,
             Carried carried);
  // The client or its session wants no answer any more. Any thread, at any time, also before
  // begin().
  void stop(Stop why);

  void progress(double done, double total, std::string_view note) override;
  void log(int level, std::string_view logger, std::string_view text) override;
  gantry_status begin_task() override;
  bool release() override;
  void done(ItemAnswer&& answer) override;

 private:
  // The questions that a legacy client has been sent.
  struct Wait {
    std::uint64_t serial = 0;
    std::vector<Question> questions;
    std::vector<std::string> ids;  // of the questions, as far as they are sent
    std::size_t open = 0;
    Timer::Id timer = 0;
    std::shared_ptr<void> place;
  };

  void enter(const SnapshotPtr& snapshot, const Item* item, const rapidjson::Value* parsed);
  void enter_again();
  void cancel(CancelReason reason);
  void end(ItemAnswer&& answer);
  Answer message_of(ItemAnswer&& answer) const;
  Answer lacking(ItemAnswer&& answer) const;
  ItemAnswer as_seen(ItemAnswer&& answer) const;
  ItemAnswer cancelled(CancelReason reason) const;
  ItemAnswer failed(std::string code, std::string sentence) const;
  void audit(std::string_view code, std::string_view denial, std::size_t bytes) const;
  std::string_view counted_as() const;

  void next_round(ItemAnswer&& answer);
  void ask_for_task(std::string_view requests);
  void on_task_answers(std::string answers);
  void on_task_silence(std::uint64_t entry);
  void end_task(bool was_cancelled, std::string_view body);
  // Empty while it is none.
  std::string task() const;
  void answer_round(std::string_view requests);
  RoundsOf rounds_of() const;

  void ask_client(std::string_view requests);
  std::optional<std::uint64_t> install(Wait&& wait);
  bool send_question(std::uint64_t serial, std::size_t index);
  void on_answer(std::uint64_t serial, std::size_t index, ClientAnswer answer);
  void on_silence(std::uint64_t serial);
  void go_on(Wait&& wait, std::string refusal);
  void forget(Wait& wait, std::string_view reason);
  std::optional<Wait> take_wait(std::uint64_t serial);  // with mutex_ held

  bool tell(const std::string& message, bool is_request);
  void send(Answer answer);

  const Counted counted_;
  Core& core_;
  const RunParts parts_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();

  // Of the entry that runs, or the last; touched only by who enters and who hears of its end.
  SnapshotPtr snapshot_;
  const Item* item_ = nullptr;
  Carried carried_;
  double last_progress_ = -1;
  bool ran_ = false;  // a plugin was entered

  mutable std::mutex mutex_;
  std::string task_;         // its id
  bool task_waits_ = false;  // for tasks/update
  Timer::Id task_timer_ = 0;
  std::uint64_t entries_ = 0;
  bool in_call_ = false;
  std::shared_ptr<CallHandle> handle_;
  std::optional<CancelReason> stopped_;
  std::optional<Wait> wait_;
  std::uint64_t waits_ = 0;

  std::mutex sink_mutex_;  // one message after the other; answer() last
  std::shared_ptr<Sink> sink_;
};

}  // namespace gantry::host::rpc
