// tools/call: from the message to a running call, and from its events to messages.
#include <algorithm>
#include <chrono>

#include "host/base/json.hpp"
#include "host/observe/audit.hpp"
#include "host/rpc/classify.hpp"
#include "host/rpc/correlation.hpp"
#include "host/rpc/finish.hpp"
#include "host/rpc/levels.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/notify.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;
using SteadyTime = std::chrono::steady_clock::time_point;

// What of a request is needed until its answer, and no longer borrowed.
struct Pending {
  std::string id, tool, revision, progress_token, args_keys, correlation_id;
  std::string plugin;
  std::uint64_t generation = 0;
  std::optional<int> log_level;  // the most verbose the client wants
  AgentPtr agent;
  std::string auth_type;
  SteadyTime began = std::chrono::steady_clock::now();
};

class Listener final : public CallListener {
 public:
  Listener(Core& core, std::shared_ptr<Sink> sink, Pending pending)
      : core_(core), sink_(std::move(sink)), pending_(std::move(pending)) {}

  void progress(double done, double total, std::string_view note) override {
    if (pending_.progress_token.empty()) return;
    sink_->notify(progress_message(pending_.progress_token, done, total, note, pending_.revision));
  }

  void log(int level, std::string_view logger, std::string_view text) override {
    if (!pending_.log_level || level > *pending_.log_level) return;
    sink_->notify(log_message(level, logger, text));
  }

  void done(ItemAnswer&& answer) override {
    const bool good = answer.kind == ItemAnswer::Kind::result && !answer.is_error;
    const std::string code = good ? std::string() : code_of(answer);
    Answer finished = finish_call(std::move(answer), pending_.id, pending_.tool, pending_.revision,
                                  core_.modern_meta);
    audit(good, code, finished.body.size());
    sink_->answer(std::move(finished));
  }

 private:
  static std::string code_of(const ItemAnswer& answer) {
    switch (answer.kind) {
      case ItemAnswer::Kind::unknown_item:
        return "unknown_tool";
      case ItemAnswer::Kind::busy:
        return "busy";
      case ItemAnswer::Kind::internal:
        return "internal_error";
      case ItemAnswer::Kind::result:
        return "tool_error";
      default:
        return answer.error_code;
    }
  }

  void audit(bool good, std::string_view code, std::size_t bytes) const {
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - pending_.began;
    write_audit(core_.log, {.tool = pending_.tool,
                            .plugin = pending_.plugin,
                            .generation = pending_.generation,
                            .args_keys = pending_.args_keys,
                            .agent = pending_.agent->name,
                            .auth_type = pending_.auth_type,
                            .permissions = tier_name(pending_.agent->tier),
                            .depth = pending_.agent->depth,
                            .success = good,
                            .error_code = code,
                            .bytes = bytes,
                            .duration_ms = took.count(),
                            .correlation_id = pending_.correlation_id});
  }

  Core& core_;
  const std::shared_ptr<Sink> sink_;
  const Pending pending_;
};

std::string names_of(const Value* arguments) {
  std::string out = "[";
  if (arguments != nullptr) {
    for (const auto& entry : arguments->GetObject()) {
      if (out.size() > 1) out += ',';
      append_json_string(out, {entry.name.GetString(), entry.name.GetStringLength()});
    }
  }
  return out + "]";
}

// What the client may hear while the call runs.
std::optional<int> log_level(const Message& message, const Context& context) {
  if (!context.sends_notifications) return std::nullopt;
  if (context.era() == Era::modern)
    return syslog_level(text_of(message.meta(kLogLevelKey)).value_or(""));
  return context.session == nullptr ? std::nullopt : context.session->log_level();
}

std::string progress_token(const Message& message, const Context& context) {
  const Value* token = context.sends_notifications ? message.meta("progressToken") : nullptr;
  if (token == nullptr) return {};
  if (const auto text = text_of(token)) return json_string(*text);
  if (token->IsInt64()) return std::to_string(token->GetInt64());
  return token->IsUint64() ? std::to_string(token->GetUint64()) : std::string();
}

std::optional<Error> check_shape(const Message& message, const Value* arguments) {
  if (!text_of(message.param("name"))) return Error::invalid_params("params.name must be a string");
  if (arguments != nullptr && !arguments->IsObject()) {
    return Error::invalid_params("params.arguments must be an object");
  }
  return std::nullopt;
}

Pending pending_of(Core& core, const Message& message, const Context& context,
                   std::string_view name, const Item* tool, const Value* arguments) {
  Pending out;
  out.id = message.id();
  out.tool = name;
  out.revision = context.revision;
  out.progress_token = progress_token(message, context);
  out.log_level = log_level(message, context);
  out.agent = context.principal.agent;
  if (!core.log.wants(Level::info)) return out;
  out.correlation_id = correlation_id(message, context);
  out.args_keys = names_of(arguments);
  out.auth_type = context.principal.auth_type;
  if (tool == nullptr) return out;
  out.plugin = tool->plugin ? tool->plugin->manifest().name : std::string();
  out.generation = tool->plugin ? tool->plugin->generation() : 0;
  return out;
}

const Item* find_tool(const Snapshot& snapshot, std::string_view name) {
  const auto found = snapshot.tool_by_name.find(name);
  return found == snapshot.tool_by_name.end() ? nullptr : found->second;
}

void start(Core& core, const ItemCall& call, Pending pending, Channel& channel) {
  auto sink = channel.sink();
  auto listener = std::make_shared<Listener>(core, sink, std::move(pending));
  auto handle = core.calls.start(call, std::move(listener));
  if (!handle) return;
  sink->started([handle](Stop why) {
    handle->cancel(why == Stop::cancelled      ? CancelReason::notifications_cancelled
                   : why == Stop::disconnected ? CancelReason::client_disconnected
                                               : CancelReason::session_terminated);
  });
}

}  // namespace

std::shared_ptr<const std::vector<ParamHeader>> Core::headers_of(const Snapshot& snapshot,
                                                                 const Item& tool) {
  std::lock_guard lock(headers_mutex_);
  if (headers_version_ != snapshot.version) {
    headers_.clear();
    headers_version_ = snapshot.version;
  }
  auto found = headers_.find(tool.spec.name);
  if (found == headers_.end()) {
    auto made =
        std::make_shared<const std::vector<ParamHeader>>(param_headers(tool.spec.input_schema));
    found = headers_.emplace(tool.spec.name, std::move(made)).first;
  }
  return found->second;
}

std::optional<Answer> call_tool(Core& core, const Message& message, const Context& context,
                                Channel& channel) {
  const Value* arguments = message.param("arguments");
  const auto name = text_of(message.param("name"));
  const SnapshotPtr snapshot = core.registry.current();
  const Item* tool = name ? find_tool(*snapshot, *name) : nullptr;
  if (tool != nullptr && context.headers != nullptr && context.era() == Era::modern) {
    const auto expected = core.headers_of(*snapshot, *tool);
    if (auto error = check_param_headers(*expected, arguments, *context.headers)) {
      return failure(message, *error);
    }
  }
  if (const auto error = check_shape(message, arguments)) return failure(message, *error);
  Pending pending = pending_of(core, message, context, *name, tool, arguments);
  ItemCall call;
  call.agent = context.principal.agent;
  call.snapshot = snapshot;
  call.item = tool;
  call.name = *name;
  call.arguments = message.arguments_text();
  call.parsed = arguments;
  call.protocol = context.revision;
  call.wants_progress = !pending.progress_token.empty();
  call.log_level = pending.log_level;
  call.correlation_id = correlation_id(message, context);
  start(core, call, std::move(pending), channel);
  return std::nullopt;
}

}  // namespace gantry::host::rpc
