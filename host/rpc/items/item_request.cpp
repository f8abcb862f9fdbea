#include "host/rpc/items/item_request.hpp"

#include <algorithm>
#include <utility>

#include <rapidjson/document.h>

#include "host/approvals/question.hpp"
#include "host/calls/methods.hpp"
#include "host/registry/find.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/request_answer.hpp"
#include "host/rpc/items/request_record.hpp"
#include "host/rpc/listen/notify.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/era.hpp"

namespace gantry::host::rpc {
namespace {

// So that an approval ends by its own time limit, not by that of its question.
constexpr std::chrono::seconds kLongerThanApproval{5};

// What a progress without a measure of its own adds to the last one.
constexpr double kProgressStep = 0.001;

// The item, or the method that a call of it names.
bool is_forbidden(const AgentChanges& changes, const Agent& agent, const Item& item,
                  std::string_view arguments) {
  if (changes.calls.denied(agent, item)) return true;
  const Item* const method = named_method(changes.snapshot, item, arguments);
  return method != nullptr && changes.calls.denied(agent, *method);
}

}  // namespace

void ItemRequest::begin(const SnapshotPtr& snapshot, const Item* item,
                        const rapidjson::Value* parsed, Carried carried) {
  entry_.carried = std::move(carried);
  if (parts_.wants_task && begin_task() == GANTRY_BUSY) {
    ItemAnswer busy;
    busy.kind = ItemAnswer::Kind::busy;
    return end(std::move(busy));
  }
  const std::string approval = std::exchange(entry_.carried.approval, {});
  if (approval.empty()) return enter(snapshot, item, parsed);
  entry_.snapshot = snapshot;
  entry_.item = item;
  go_on(approval_.resume(approval, entry_.carried.answers));
}

void ItemRequest::enter(const SnapshotPtr& snapshot, const Item* item,
                        const rapidjson::Value* parsed) {
  std::uint64_t serial = 0;
  std::optional<CancelReason> stopped;
  {
    std::lock_guard lock(mutex_);
    stopped = call_.stopped;
    call_.running = !stopped;
    serial = ++call_.serial;
  }
  if (stopped) return end(cancelled_answer(parts_, *stopped));
  auto step = approval_.check(item);
  if (step.kind != RequestApproval::Step::Kind::pass_on) return go_on(std::move(step));
  entry_.snapshot = snapshot;
  entry_.item = item;
  ItemCall call = call_of(parts_, snapshot, item, parsed);
  call.is_task = task_.exists();
  const Carried& carried = entry_.carried;
  call.inputs = {parts_.can, carried.answers, carried.state, carried.round};
  approval_.put_into(call);
  auto handle = core_.calls.start(call, shared_from_this());
  if (!handle) return;
  {
    std::lock_guard lock(mutex_);
    if (!call_.running || call_.serial != serial) return;  // it has ended already
    call_.handle = handle;
    stopped = call_.stopped;
  }
  if (stopped) handle->cancel(*stopped);
}

// Looks the item up again, because its plugin may have been replaced while the client answered.
void ItemRequest::enter_again() {
  const SnapshotPtr snapshot = core_.registry.snapshot();
  const Item* item = find_item(*snapshot, parts_.item_kind, parts_.item_key);
  const bool same = item != nullptr && item->plugin &&
                    item->plugin->manifest().name == parts_.plugin &&
                    item->plugin->manifest().state_version == parts_.state_version;
  if (!same) entry_.carried = {{}, {}, entry_.carried.round};
  rapidjson::Document arguments;
  const bool tool = parts_.item_kind == "tool" && !parts_.arguments.empty();
  if (tool) {
    arguments.Parse<rapidjson::kParseFullPrecisionFlag>(parts_.arguments.data(),
                                                        parts_.arguments.size());
  }
  enter(snapshot, item, tool ? &arguments : nullptr);
}

void ItemRequest::stop(Stop why) {
  if (task_.exists()) return;  // it continues without its request
  cancel(why == Stop::cancelled      ? CancelReason::notifications_cancelled
         : why == Stop::disconnected ? CancelReason::client_disconnected
                                     : CancelReason::session_terminated);
}

// The item as it is now counts, since the next round would enter that one.
void ItemRequest::take_agents(const AgentChanges& changes) {
  bool is_over = changes.is_withdrawn(parts_.principal);
  if (!is_over) {
    const auto next = changes.successor(parts_.principal, parts_.agent);
    const Item* item = find_item(changes.snapshot, parts_.item_kind, parts_.item_key);
    is_over = next && item != nullptr && is_forbidden(changes, *next, *item, parts_.arguments);
  }
  if (is_over) cancel(CancelReason::session_terminated);
}

std::optional<ActiveCall> ItemRequest::active_call() const {
  ActiveCall out{.tool = parts_.name,
                 .agent = parts_.agent->name,
                 .user = parts_.agent->user.value_or(""),
                 .plugin = parts_.plugin,
                 .correlation_id = parts_.correlation_id,
                 .generation = parts_.generation,
                 .running = std::chrono::duration_cast<std::chrono::milliseconds>(
                     std::chrono::steady_clock::now() - began_)};
  bool enters = false;
  {
    std::lock_guard lock(mutex_);
    if (call_.is_over) return std::nullopt;
    out.progress = call_.progress.done;
    out.total = call_.progress.total;
    out.note = call_.progress.note;
    enters = call_.running;
  }
  if (task_.exists()) {
    out.state = "task";
  } else if (!enters) {
    out.state = approval_.asks() ? "waiting_for_approval" : "waiting_for_input";
  }
  return out;
}

// Sets `stopped` before it stops questions and task: a round that begins meanwhile is either
// stopped here, or refused, and then end_stopped() finds the reason.
void ItemRequest::cancel(CancelReason reason) {
  std::shared_ptr<CallHandle> handle;
  {
    std::lock_guard lock(mutex_);
    if (!call_.stopped) call_.stopped = reason;
    handle = call_.handle;
  }
  if (handle) handle->cancel(reason);
  const bool asked_approval = approval_.asks();  // then its decision goes on, unless it is stopped
  const bool approving = approval_.stop();
  const bool asked_client = questions_.stop();
  const bool asked_task = task_.stop();
  if (approving || (!asked_approval && (asked_client || asked_task))) {
    end(cancelled_answer(parts_, reason));
  }
}

void ItemRequest::progress(double done, double total, std::string_view note) {
  {
    std::lock_guard lock(mutex_);
    call_.progress = {done, total, std::string(note)};
  }
  if (parts_.can.tasks && task_.exists()) {
    if (!note.empty()) task_.note(note);
    return;
  }
  if (parts_.progress_token.empty()) return;
  // Progress must grow for the client, but a later entry of the item starts from 0.
  if (!(done > entry_.last_progress)) return;
  entry_.last_progress = done;
  output_.notify(progress_message(parts_.progress_token, done, total, note, parts_.revision));
}

void ItemRequest::log(int level, std::string_view logger, std::string_view text) {
  if (!parts_.log_level || level > *parts_.log_level) return;
  output_.notify(log_message(level, logger, text));
}

// The task is the request's answer. GANTRY_OK, and nothing changes, if it is a task already.
gantry_status ItemRequest::begin_task() {
  const bool may = parts_.can.tasks && parts_.method == "tools/call" && !approval_.previews();
  if (!may) return GANTRY_UNSUPPORTED;
  const auto self = shared_from_this();
  std::string members;
  const gantry_status status =
      task_.begin({[self] { self->cancel(CancelReason::notifications_cancelled); },
                   [self](std::string answers) {
                     if (self->task_.end_wait()) self->on_answers(std::move(answers));
                   }},
                  members);
  if (status != GANTRY_OK || members.empty()) return status;
  output_.answer({result_message(
      parts_.id, parts_.wants_task
                     ? "{\"task\":{" + members + "}}"
                     : "{\"resultType\":\"task\"," + members + core_.modern_meta + "}")});
  return GANTRY_OK;
}

void ItemRequest::done(ItemAnswer&& answer) {
  {
    std::lock_guard lock(mutex_);
    call_.running = false;
    call_.handle = nullptr;
  }
  entry_.ran |= answer.ran && !approval_.previews();
  auto step = approval_.after(std::move(answer), entry_.item, task_.exists(),
                              [self = shared_from_this()](const ApprovalVerdict& verdict) {
                                self->questions_.withdraw("another person answered");
                                self->go_on(self->approval_.decided(verdict));
                              });
  if (step.kind != RequestApproval::Step::Kind::pass_on) return go_on(std::move(step));
  answer = std::move(step.answer);
  if (answer.kind == ItemAnswer::Kind::input_required) return next_round(std::move(answer));
  end(std::move(answer));
}

void ItemRequest::go_on(RequestApproval::Step&& step) {
  using Kind = RequestApproval::Step::Kind;
  const bool waits = step.kind == Kind::ask_client || step.kind == Kind::wait;
  if (waits) {  // a request that waits for a person pins no plugin
    entry_.snapshot = nullptr;
    entry_.item = nullptr;
    if (step.kind == Kind::wait) {
      tell_of_wait();
    } else if (task_.exists()) {
      task_.note("Waits for a person's approval");
    }
  }
  switch (step.kind) {
    case Kind::enter:
      return enter_again();
    case Kind::answer_ask:
      answer_round(step.requests);
      return approval_.published();
    case Kind::ask_client:
      questions_.ask(shared_from_this(), step.requests,
                     core_.settings.limits.approval_timeout + kLongerThanApproval);
      return approval_.published();
    case Kind::wait:
      return approval_.published();
    case Kind::end:
      return end(std::move(step.answer));
    case Kind::end_stopped:
      return end_stopped();
    case Kind::nothing:
    case Kind::pass_on:
      return;
  }
}

// Tells a client that cannot ask its user how an operator answers the approval. Must run before
// operators see the call, because their answer starts the next entry on another thread.
void ItemRequest::tell_of_wait() {
  const std::string id = approval_.carried();
  const std::string note = "Waits for approval " + id +
                           "; an operator answers it with gantry approvals accept " + id +
                           ", or decline " + id + ", or in the web console";
  if (task_.exists()) return task_.note(note);
  if (parts_.progress_token.empty()) return;
  entry_.last_progress = std::max(0.0, entry_.last_progress + kProgressStep);
  output_.notify(progress_message(parts_.progress_token, entry_.last_progress, 0, note,
                                  parts_.revision, "{\"gantry/approval\":\"" + id + "\"}"));
}

void ItemRequest::end(ItemAnswer&& made) {
  {
    std::lock_guard lock(mutex_);
    call_.is_over = true;
  }
  approval_.finish();
  ItemAnswer answer = visible_answer(parts_, std::move(made));
  const std::string code(code_of(answer, parts_.method == "tools/call"));
  const bool is_error = answer.kind == ItemAnswer::Kind::error ||
                        answer.kind == ItemAnswer::Kind::invalid_arguments || answer.is_error;
  const Tasks::End how = answer.cancelled ? Tasks::End::cancelled
                         : is_error       ? Tasks::End::tool_error
                                          : Tasks::End::completed;
  const std::string denial = denial_of(answer);
  const std::string cause = code.empty() ? std::string() : answer.denial_cause;
  const std::string notes = std::move(answer.notes);
  Answer response = response_of(core_, parts_, std::move(answer));
  record_answer(core_, parts_,
                {code, denial, cause, entry_.ran, response.body.size(),
                 std::chrono::steady_clock::now() - began_, approval_.verdict(), notes});
  if (task_.exists()) return task_.finish(how, response.body);
  output_.answer(std::move(response));
}

// A round was refused because the request is stopped.
void ItemRequest::end_stopped() {
  std::optional<CancelReason> stopped;
  {
    std::lock_guard lock(mutex_);
    stopped = call_.stopped;
  }
  end(cancelled_answer(parts_, stopped.value_or(CancelReason::notifications_cancelled)));
}

void ItemRequest::next_round(ItemAnswer&& answer) {
  if (entry_.carried.round >= kMaxRounds) {
    return end(failed_answer(parts_, "internal_error",
                             "'" + parts_.name + "' asked for input in more than " +
                                 std::to_string(kMaxRounds) + " rounds"));
  }
  entry_.carried = {std::move(answer.answers), std::move(answer.state), entry_.carried.round + 1};
  const bool is_task = task_.exists();
  if (!is_task && era_of(parts_.revision) == Era::modern) return answer_round(answer.requests);
  entry_.snapshot = nullptr;  // a request that waits for its client pins no plugin
  entry_.item = nullptr;
  if (is_task) return ask_through_task(answer.requests);
  if (!questions_.ask(shared_from_this(), answer.requests, core_.settings.limits.input_timeout))
    end_stopped();
}

void ItemRequest::answer_round(std::string_view requests) {
  {
    std::lock_guard lock(mutex_);
    call_.is_over = true;
  }
  entry_.carried.approval = approval_.carried();
  approval_.lend_back(core_.settings.limits.round_lifetime);
  auto result = input_required(core_.sealer, core_.settings.limits.round_lifetime,
                               rounds_of(parts_), *entry_.item, entry_.carried, requests);
  if (!result) return end(failed_answer(parts_, "internal_error", result.status().message()));
  Answer response{result_message(parts_.id, *result + core_.modern_meta + "}")};
  record_answer(core_, parts_,
                {"input_required", "", "", entry_.ran, response.body.size(),
                 std::chrono::steady_clock::now() - began_});
  output_.answer(std::move(response));
}

void ItemRequest::on_answers(std::string answers) {
  if (approval_answer(answers)) return go_on(approval_.on_client(answers));
  entry_.carried.answers = merged(entry_.carried.answers, answers);
  enter_again();
}

void ItemRequest::on_no_answers(ItemAnswer&& answer) {
  if (approval_.asks()) return go_on(approval_.on_no_client(std::move(answer)));
  end(std::move(answer));
}

void ItemRequest::ask_through_task(std::string_view requests) {
  const auto asked = task_.ask(requests, [weak = weak_from_this()](std::uint64_t serial) {
    const auto self = weak.lock();
    if (self && self->task_.waits(serial)) self->cancel(CancelReason::notifications_cancelled);
  });
  if (asked == RequestTask::Asked::stopped) return end_stopped();
  const bool only_again = asked == RequestTask::Asked::nothing;  // it only wants another entry
  if (only_again && task_.end_wait()) on_answers({});
}

}  // namespace gantry::host::rpc
