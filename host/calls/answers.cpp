#include "host/calls/answers.hpp"

#include <cmath>

#include "host/base/exact_json.hpp"
#include "host/calls/abilities.hpp"
#include "host/calls/answer.hpp"
#include "host/calls/kinds.hpp"
#include "host/calls/promise.hpp"
#include "sdk/contract/json_text.hpp"
#include "sdk/contract/limits.hpp"

namespace gantry::host {

namespace {

Output::Failure too_large(std::size_t cap) {
  return {"invalid_argument",
          "The answer would be larger than " + std::to_string(cap) +
              " bytes; ask for fewer rows or fields",
          R"({"kind":"response_too_large","limit":)" + std::to_string(cap) + "}"};
}

// The offset added to the plugin's progress values and totals. The values that a client gets must
// grow, but the heartbeat counts seconds and the plugin uses its own scale. If the plugin's first
// value is not above the last heartbeat, the offset raises all its values and totals above it. The
// difference between total and value stays the same.
double offset_after(double heartbeat, double first) {
  constexpr double kStep = 0.001;
  if (heartbeat < 0 || first > heartbeat) return 0;
  return first > 0 ? heartbeat : heartbeat - first + kStep;
}

ItemAnswer service_text(Output& output) {
  ItemAnswer answer;
  for (auto& [type, body] : output.parts()) {
    if (type == "text") answer.content = std::move(body);
  }
  return answer;
}

ItemAnswer too_many_rounds(const gantry_call& call) {
  return error_answer(call, {"internal_error",
                             "The " + named(call.target.kind->name, call.target.name) +
                                 " still asks for input after " +
                                 std::to_string(contract::kMaxInputRounds) + " rounds of it",
                             ""});
}

}  // namespace

Answers::Answers(Metrics& metrics, FaultLog faults, std::size_t max_bytes)
    : metrics_(metrics),
      faults_(std::move(faults)),
      max_bytes_(max_bytes),
      max_bytes_text_(std::to_string(max_bytes)) {}

const std::string& Answers::limit_text(const gantry_call& call) const {
  const Agent& agent = *call.agent.profile;
  const bool is_capped = agent.cap_bytes && *agent.cap_bytes < max_bytes_;
  return is_capped ? agent.cap_bytes_text : max_bytes_text_;
}

void Answers::fault(const gantry_call& call, std::string_view sentence) const {
  faults_(call.target.plugin->manifest().name, std::string(call.target.kind->name) + " '" +
                                                   std::string(call.target.name) +
                                                   "': " + std::string(sentence));
}

bool Answers::give(gantry_call& root, ItemAnswer&& with, TreeState tree) {
  Delivery& delivery = root.client.delivery;
  std::shared_ptr<CallListener> listener;
  {
    std::lock_guard lock(delivery.mutex);
    if (delivery.answered) return false;
    delivery.answered = true;
    listener = std::move(delivery.listener);
    with.denial_cause = std::move(delivery.denial_cause);
    if (!delivery.notes.empty()) with.notes = "[" + delivery.notes + "]";
    // Before the client gets the answer: a call reported as cancelled must not start later.
    if (tree != TreeState::active) root.client.tree.mark(tree);
  }
  with.ran = root.state.phase() != contract::CallState::Phase::free;
  // Before anything that takes time: otherwise a plugin that polls would end its call first.
  if (tree != TreeState::active) {
    if (root.state.is_inside()) abandon(root);
    root.client.tree.run_callbacks();
  }
  if (listener) listener->done(std::move(with));
  return true;
}

// Races with end(): the exchange on `abandonment` makes exactly one side undo the count.
void Answers::abandon(gantry_call& root) {
  metrics_.call_abandoned();
  const Instance::CallCount count = root.target.plugin->abandoned_calls();
  count->fetch_add(1);
  auto none = ClientCall::Abandonment::none;
  if (root.client.abandonment.compare_exchange_strong(none, ClientCall::Abandonment::counted))
    return;
  count->fetch_sub(1);
}

void Answers::give_written(gantry_call& root, gantry_status status) {
  bool unanswered = false;
  {
    std::lock_guard lock(root.client.delivery.mutex);
    unanswered = !root.client.delivery.answered;
  }
  if (unanswered) give(root, written(root, status));
}

gantry_status Answers::progress(gantry_call& call, double done, double total,
                                std::string_view note) {
  ClientCall& client = call.root->client;
  Delivery& delivery = client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (delivery.answered || !std::isfinite(done)) return GANTRY_OK;
  if (!client.request.wants_progress && !delivery.task) return GANTRY_OK;
  if (!delivery.tool_reported) {
    delivery.tool_reported = true;
    delivery.progress_offset = offset_after(delivery.last_progress, done);
  }
  const double shown = done + delivery.progress_offset;
  if (!(shown > delivery.last_progress)) return GANTRY_OK;
  delivery.last_progress = shown;
  const bool has_end = std::isfinite(total) && total > 0;
  delivery.listener->progress(shown, has_end ? total + delivery.progress_offset : 0, note);
  return GANTRY_OK;
}

gantry_status Answers::log(gantry_call& call, int level, std::string_view text) {
  ClientCall& client = call.root->client;
  Delivery& delivery = client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (delivery.answered || delivery.task || level > client.request.log_level) return GANTRY_OK;
  delivery.listener->log(level, call.target.plugin->manifest().name,
                         text.substr(0, contract::kMaxLogLine));
  return GANTRY_OK;
}

gantry_status Answers::set_denial(gantry_call& call, std::string_view cause) {
  if (!contract::is_denial_cause(cause)) return GANTRY_INVALID_ARGUMENT;
  Delivery& delivery = call.root->client.delivery;
  std::lock_guard lock(delivery.mutex);
  delivery.denial_cause = cause;
  return GANTRY_OK;
}

void Answers::sub_agent_called(gantry_call& root, const SubAgentCall& call) {
  Delivery& delivery = root.client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (!delivery.answered && delivery.listener) delivery.listener->sub_agent_called(call);
}

gantry_status Answers::add_span(gantry_call& root, std::string_view span) {
  if (!root.client.request.is_traced) return GANTRY_OK;
  if (span.size() > contract::kMostSpanBytes) return GANTRY_TOO_BIG;
  Delivery& delivery = root.client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (!delivery.answered && delivery.listener) delivery.listener->span_ended(span);
  return GANTRY_OK;
}

gantry_status Answers::add_note(gantry_call& call, std::string_view note) {
  rapidjson::Document parsed;
  const bool fits = note.size() <= contract::kMostAuditBytes;
  if (!fits) return GANTRY_TOO_BIG;
  if (!parse_exact(note, parsed) || !parsed.IsObject()) return GANTRY_INVALID_ARGUMENT;
  std::string compact;
  contract::append_compact(compact, note);
  Delivery& delivery = call.root->client.delivery;
  std::lock_guard lock(delivery.mutex);
  const std::size_t size = delivery.notes.size() + (delivery.notes.empty() ? 0 : 1);
  if (size + compact.size() > contract::kMostAuditBytes) return GANTRY_TOO_BIG;
  if (size != 0) delivery.notes += ',';
  delivery.notes += compact;
  return GANTRY_OK;
}

gantry_status Answers::begin_task(gantry_call& call) {
  Delivery& delivery = call.client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (delivery.answered) return GANTRY_CANCELLED;
  if (delivery.task) return GANTRY_OK;
  if (!delivery.task_refused) {
    const gantry_status status = delivery.listener->begin_task();
    delivery.task = status >= 0;
    if (status < 0) delivery.task_refused = status;
  }
  return delivery.task_refused.value_or(GANTRY_OK);
}

gantry_status Answers::release(gantry_call& call) {
  Delivery& delivery = call.client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (delivery.answered) return GANTRY_CANCELLED;
  return !delivery.task && delivery.listener->release() ? GANTRY_OK : GANTRY_UNSUPPORTED;
}

// The answer of a handler that ended in order to be entered again.
ItemAnswer Answers::next_round(gantry_call& call) const {
  if (!call.client.round || !call.client.round->goes_on()) {
    return plugin_fault(call,
                        "it returned GANTRY_INPUT_REQUIRED, but it has no unanswered request and "
                        "kept no state");
  }
  if (call.client.request.inputs.round >= contract::kMaxInputRounds) return too_many_rounds(call);
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::input_required;
  call.client.round->put_into(answer);
  return answer;
}

ItemAnswer Answers::missing_capability(gantry_call& call) const {
  const ClientCan& can = call.client.request.inputs.can;
  const Lacks& lacks = call.client.round->lacks();
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::missing_capability;
  answer.requests = lacks.capabilities(can);
  answer.message =
      "The " + named(call.target.kind->name, call.target.name) +
      " needs capabilities that this client did not declare, or that cannot be used here (in a "
      "batch, or without text/event-stream in Accept): " +
      lacks.words(can);
  return answer;
}

ItemAnswer Answers::written(gantry_call& call, gantry_status status) const {
  Output& output = call.output;
  if (output.failed()) return error_answer(call, output.failure());
  if (status == GANTRY_INPUT_REQUIRED) return next_round(call);
  if (status == GANTRY_UNSUPPORTED && call.client.round && call.client.round->lacks().any()) {
    return missing_capability(call);
  }
  if (output.overflowed()) return error_answer(call, too_large(max_bytes_));
  if (status < 0 && (!call.target.kind->in(contract::kTool) || output.content().empty())) {
    return error_answer(call, failure_of(status, call.target.kind->noun));
  }
  if (status < 0) {
    ItemAnswer answer;
    answer.content = std::move(output.content());
    answer.is_error = true;
    return answer;
  }
  return checked_result(call);
}

// The caller gets an internal error; the log gets the plugin's name and the sentence. For a task
// the answer is a protocol error, so that the task fails: a tool error would be its result.
ItemAnswer Answers::plugin_fault(gantry_call& call, const std::string& sentence) const {
  fault(call, sentence);
  ItemAnswer answer = error_answer(call, {"internal_error", "Internal error", ""});
  if (call.client.delivery.task) answer.kind = ItemAnswer::Kind::internal;
  return answer;
}

// The unchanged result, or an internal error if it breaks the item's contract.
ItemAnswer Answers::checked_result(gantry_call& call) const {
  Output& output = call.output;
  if (call.target.kind->in(contract::kService)) return service_text(output);
  const std::string wrong = broken_promise(call);
  if (!wrong.empty()) return plugin_fault(call, wrong);
  ItemAnswer answer;
  answer.structured = std::move(output.structured());
  if (output_of(*call.target.kind) != Output::For::client_entries) {
    answer.content = std::move(output.content());
  } else if (!output.content().empty()) {
    answer.structured = R"({"contents":[)" + output.content() + "]}";
  }
  return answer;
}

}  // namespace gantry::host
