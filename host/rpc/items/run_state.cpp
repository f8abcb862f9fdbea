#include "host/rpc/items/run_state.hpp"

#include "host/base/json.hpp"
#include "host/calls/cancelled.hpp"
#include "host/observe/audit.hpp"
#include "host/registry/find.hpp"
#include "host/rpc/listen/notify.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::size_t kMaxLogged = 128;  // of a name that the caller wrote

std::string_view code_of(const ItemAnswer& answer, bool tool) {
  switch (answer.kind) {
    case ItemAnswer::Kind::unknown_item:
      return tool ? "unknown_tool" : "not_found";
    case ItemAnswer::Kind::busy:
      return "busy";
    case ItemAnswer::Kind::internal:
      return "internal_error";
    case ItemAnswer::Kind::result:
      return answer.is_error ? "tool_error" : "";
    case ItemAnswer::Kind::missing_capability:
      return "missing_capability";
    default:
      return answer.error_code;
  }
}

std::string denial_of(const ItemAnswer& answer) {
  if (answer.details.empty()) return {};
  rapidjson::Document details;
  details.Parse<rapidjson::kParseIterativeFlag>(answer.details.data(), answer.details.size());
  if (details.HasParseError()) return {};
  return std::string(text_of(member(&details, "kind")).value_or("").substr(0, kMaxLogged));
}

// Empty for none.
std::string list_of(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string out = "[";
  for (const std::string& name : names) {
    if (out.size() > 1) out += ',';
    append_json_string(out, name);
  }
  return out + "]";
}

// A list that allows nothing is said, too.
std::string list_of(const std::optional<std::vector<std::string>>& names) {
  if (!names) return {};
  return names->empty() ? "[]" : list_of(*names);
}

}  // namespace

void Run::begin(SnapshotPtr snapshot, const Item* item, const rapidjson::Value* parsed,
                Carried carried) {
  carried_ = std::move(carried);
  enter(snapshot, item, parsed);
}

void Run::enter(const SnapshotPtr& snapshot, const Item* item, const rapidjson::Value* parsed) {
  std::uint64_t entry = 0;
  std::optional<CancelReason> stopped;
  {
    std::lock_guard lock(mutex_);
    stopped = stopped_;
    in_call_ = !stopped;
    entry = ++entries_;
  }
  if (stopped) return end(cancelled(*stopped));
  snapshot_ = snapshot;
  item_ = item;
  ItemCall call;
  call.agent = parts_.agent;
  call.party = parts_.party;
  call.client = parts_.client;
  call.snapshot = snapshot;
  call.item = item;
  call.kind = parts_.kind;
  call.name = parts_.name;
  call.arguments = parts_.arguments;
  call.parsed = parsed;
  call.protocol = parts_.revision;
  // What a task says of its progress becomes its status message.
  call.wants_progress = !parts_.progress_token.empty() || parts_.can.tasks;
  call.is_task = !task().empty();
  call.log_level = parts_.log_level;
  call.correlation_id = parts_.correlation_id;
  call.inputs = {parts_.can, carried_.answers, carried_.state, carried_.round};
  auto handle = core_.calls.start(call, shared_from_this());
  if (!handle) return;
  {
    std::lock_guard lock(mutex_);
    if (!in_call_ || entries_ != entry) return;  // it is over already
    handle_ = handle;
    stopped = stopped_;
  }
  if (stopped) handle->cancel(*stopped);
}

// The plugin may have been replaced while the client was asked.
void Run::enter_again() {
  const SnapshotPtr snapshot = core_.registry.snapshot();
  const Item* item = find_item(*snapshot, parts_.item_kind, parts_.item_key);
  const bool same = item != nullptr && item->plugin &&
                    item->plugin->manifest().name == parts_.plugin &&
                    item->plugin->manifest().state_version == parts_.state_version;
  if (!same) carried_ = {{}, {}, carried_.round};
  rapidjson::Document arguments;
  const bool tool = parts_.item_kind == "tool" && !parts_.arguments.empty();
  if (tool) {
    arguments.Parse<rapidjson::kParseFullPrecisionFlag>(parts_.arguments.data(),
                                                        parts_.arguments.size());
  }
  enter(snapshot, item, tool ? &arguments : nullptr);
}

void Run::stop(Stop why) {
  if (!task().empty()) return;  // it goes on without its request
  cancel(why == Stop::cancelled      ? CancelReason::notifications_cancelled
         : why == Stop::disconnected ? CancelReason::client_disconnected
                                     : CancelReason::session_terminated);
}

void Run::cancel(CancelReason reason) {
  std::shared_ptr<CallHandle> handle;
  std::optional<Wait> wait;
  bool task_waited = false;
  {
    std::lock_guard lock(mutex_);
    if (!stopped_) stopped_ = reason;
    handle = handle_;
    if (wait_) wait = take_wait(wait_->serial);
    task_waited = std::exchange(task_waits_, false);
    if (task_waited) core_.timer.drop(task_timer_);
  }
  if (handle) handle->cancel(reason);
  if (wait) forget(*wait, "the request was cancelled");
  if (wait || task_waited) end(cancelled(reason));
}

void Run::progress(double done, double total, std::string_view note) {
  if (const std::string id = parts_.can.tasks ? task() : std::string(); !id.empty()) {
    if (!note.empty()) core_.tasks.note(id, note);
    return;
  }
  if (parts_.progress_token.empty()) return;
  if (!(done > last_progress_)) return;  // a later entry begins anew, but clients want it to grow
  last_progress_ = done;
  tell(progress_message(parts_.progress_token, done, total, note, parts_.revision), false);
}

void Run::log(int level, std::string_view logger, std::string_view text) {
  if (!parts_.log_level || level > *parts_.log_level) return;
  tell(log_message(level, logger, text), false);
}

void Run::done(ItemAnswer&& answer) {
  {
    std::lock_guard lock(mutex_);
    in_call_ = false;
    handle_ = nullptr;
  }
  ran_ |= answer.ran;
  if (answer.kind == ItemAnswer::Kind::input_required) return next_round(std::move(answer));
  end(std::move(answer));
}

void Run::end(ItemAnswer&& made) {
  ItemAnswer answer = as_seen(std::move(made));
  const std::string code(code_of(answer, parts_.method == "tools/call"));
  const bool was_cancelled = answer.cancelled;
  const std::string denial = denial_of(answer);
  Answer finished = message_of(std::move(answer));
  audit(code, denial, finished.body.size());
  if (!task().empty()) return end_task(was_cancelled, finished.body);
  send(std::move(finished));
}

Answer Run::message_of(ItemAnswer&& answer) const {
  if (answer.kind == ItemAnswer::Kind::missing_capability) return lacking(std::move(answer));
  return parts_.finish(std::move(answer), parts_.id, parts_.revision, core_.modern_meta);
}

Answer Run::lacking(ItemAnswer&& answer) const {
  if (era_of(parts_.revision) == Era::modern) {
    const Error error = Error::missing_capability(answer.message, answer.requests);
    return {error.to_message(parts_.id), error.status};
  }
  return {Error::invalid_params(answer.message).to_message(parts_.id), 200};
}

// Legacy tools have no error for what a client lacks; then the result says it, and the record too.
ItemAnswer Run::as_seen(ItemAnswer&& answer) const {
  const bool is_lack = answer.kind == ItemAnswer::Kind::missing_capability;
  if (!is_lack || era_of(parts_.revision) == Era::modern || parts_.method != "tools/call") {
    return std::move(answer);
  }
  rapidjson::Document required;
  required.Parse(answer.requests.data(), answer.requests.size());
  const bool elicits = required.IsObject() && required.HasMember("elicitation");
  return failed(elicits ? "approval_unavailable" : "internal_error", std::move(answer.message));
}

ItemAnswer Run::failed(std::string code, std::string sentence) const {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::error;
  answer.error_code = std::move(code);
  answer.message = std::move(sentence);
  answer.error_fits_schema = parts_.errors_fit;
  return answer;
}

ItemAnswer Run::cancelled(CancelReason reason) const {
  ItemAnswer answer = cancelled_answer(reason);
  answer.error_fits_schema = parts_.errors_fit;
  return answer;
}

// What clients name is no label: of a tool its own name, of everything else its kind.
std::string_view Run::counted_as() const {
  if (parts_.method == "tools/call") return parts_.item_key;
  if (parts_.method == "prompts/get") return "(prompt)";
  return parts_.method == "resources/read" ? "(resource)" : "(completion)";
}

void Run::audit(std::string_view code, std::string_view denial, std::size_t bytes) const {
  const auto elapsed = std::chrono::steady_clock::now() - began_;
  core_.metrics.call_answered(counted_as(), code, elapsed);
  record_end(core_, parts_, {code, denial, ran_, bytes, elapsed});
}

void record_end(Core& core, const RunParts& parts, const RunEnd& end) {
  if (!core.log.records()) return;
  const Agent& agent = *parts.agent;
  const std::string only[] = {list_of(agent.classes.only), list_of(agent.tools.only)};
  const std::string except[] = {list_of(agent.classes.except), list_of(agent.tools.except)};
  write_audit(core.log, {.tool = std::string_view(parts.name).substr(0, kMaxLogged),
                         .plugin = parts.plugin,
                         .generation = parts.generation,
                         .args_keys = parts.args_keys,
                         .agent = agent.name,
                         .agent_id = parts.principal,
                         .depth = agent.depth,
                         .auth_type = parts.auth_type,
                         .master = !agent.user && agent.roles.empty(),
                         .permissions = tier_name(agent.tier),
                         .tenant = agent.tenant_id ? *agent.tenant_id : std::string_view(),
                         .classes_only = only[0],
                         .classes_except = except[0],
                         .tools_only = only[1],
                         .tools_except = except[1],
                         .ran = end.ran,
                         .success = end.code.empty(),
                         .error_code = end.code,
                         .denial_kind = end.denial,
                         .bytes = end.bytes,
                         .duration_ms = end.took.count(),
                         .correlation_id = parts.correlation_id});
}

RoundsOf Run::rounds_of() const {
  return {parts_.principal, parts_.method, parts_.item_key, parts_.name, parts_.arguments};
}

void Run::next_round(ItemAnswer&& answer) {
  if (carried_.round >= kMaxRounds) {
    return end(failed("internal_error", "'" + parts_.name + "' asked for input in more than " +
                                            std::to_string(kMaxRounds) + " rounds"));
  }
  carried_ = {std::move(answer.answers), std::move(answer.state), carried_.round + 1};
  if (!task().empty()) return ask_for_task(answer.requests);
  if (era_of(parts_.revision) == Era::modern) return answer_round(answer.requests);
  ask_client(answer.requests);
}

void Run::answer_round(std::string_view requests) {
  auto result = input_required(core_.sealer, core_.facts.round_lifetime, rounds_of(), *item_,
                               carried_, requests);
  if (!result) return end(failed("internal_error", result.status().message()));
  Answer asks{"{\"jsonrpc\":\"2.0\",\"id\":" + parts_.id + ",\"result\":" + *result +
                  core_.modern_meta + "}}",
              200};
  audit("input_required", "", asks.body.size());
  send(std::move(asks));
}

bool Run::tell(const std::string& message, bool is_request) {
  std::lock_guard lock(sink_mutex_);
  if (!sink_) return false;
  if (is_request) return sink_->request(message);
  sink_->notify(message);
  return true;
}

bool Run::release() {
  std::lock_guard lock(sink_mutex_);
  return sink_ && sink_->release();
}

void Run::send(Answer answer) {
  std::shared_ptr<Sink> sink;
  {
    std::lock_guard lock(sink_mutex_);
    sink = std::move(sink_);
  }
  if (sink) sink->answer(std::move(answer));
}

}  // namespace gantry::host::rpc
