#include "host/rpc/items/start_item.hpp"

#include <rapidjson/document.h>

#include "host/base/json.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/item_request.hpp"
#include "host/rpc/items/rate_limit.hpp"
#include "host/rpc/items/request_record.hpp"
#include "host/rpc/message/classify.hpp"
#include "host/rpc/message/correlation.hpp"
#include "host/rpc/message/log_levels.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/request_trace.hpp"
#include "host/rpc/rounds/abilities.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

// The most verbose level that the client gets while the call runs; none: no log lines.
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

void take_item(ItemRequestParts& parts, const Item& item) {
  parts.item_kind = item.spec.kind;
  parts.item_key = item.spec.key();
  parts.output = item.output;
  if (!item.plugin) return;
  parts.plugin = item.plugin->manifest().name;
  parts.generation = item.plugin->generation();
  parts.state_version = item.plugin->manifest().state_version;
}

ItemRequestParts parts_of(const Message& message, const Context& context, ItemEntry& request) {
  ItemRequestParts out = parts_of(context, request);
  out.id = message.id();
  out.method = message.method();
  out.principal = context.principal.name;
  out.progress_token = progress_token(message, context);
  out.log_level = log_level(message, context);
  out.correlation_id = correlation_id(message, context);
  out.can = abilities_of(message, context);
  out.finish = std::move(request.finish);
  out.session = context.session;
  if (request.item != nullptr) take_item(out, *request.item);
  if (out.trace && out.method == "tools/call") out.trace->set_tool(out.item_key);
  out.args_keys = names_of(message.param("arguments"));
  out.auth_type = context.principal.auth_type;
  return out;
}

bool may_ask(std::string_view method) {
  return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

class DiscardingListener final : public CallListener {
 public:
  explicit DiscardingListener(std::function<void(ItemAnswer&&)> done) : done_(std::move(done)) {}
  void progress(double, double, std::string_view) override {}
  void log(int, std::string_view, std::string_view) override {}
  void done(ItemAnswer&& answer) override { done_(std::move(answer)); }

 private:
  const std::function<void(ItemAnswer&&)> done_;
};

}  // namespace

std::optional<Answer> start_item_request(Core& core, const Message& message, const Context& context,
                                         Channel& channel, ItemEntry request) {
  ItemRequestParts parts = parts_of(message, context, request);
  const bool may_retry =
      context.era() == Era::modern && request.item != nullptr && may_ask(parts.method);
  // A retry continues a call that was counted. Only where its state is checked can there be one.
  if (!may_retry || message.param("requestState") == nullptr) {
    if (auto refused = rate_limited(core, parts)) return refused;
  }
  Retry retry;
  if (may_retry) {
    const RoundsOf of{parts.principal, parts.method, parts.item_key, parts.name, parts.arguments};
    retry = read_retry(core.sealer, message, of, *request.item);
    if (retry.error) {
      Answer refused = failure(message, *retry.error);
      record_end(core, parts, {.code = "invalid_input", .bytes = refused.body.size()});
      return refused;
    }
  }
  if (!may_ask(parts.method)) parts.can = {};
  // The answers of a task's questions would need a request that carries them.
  if (parts.wants_task) parts.can = {.tasks = true};
  auto sink = channel.sink();
  const auto run = std::make_shared<ItemRequest>(core, sink, std::move(parts));
  core.open_work.add(run);
  sink->started([weak = std::weak_ptr<ItemRequest>(run)](Stop why) {
    if (const auto running = weak.lock()) running->stop(why);
  });
  run->begin(request.snapshot, request.item, request.parsed, std::move(retry.carried));
  return std::nullopt;
}

std::shared_ptr<CallHandle> enter_item(Core& core, const Context& context, ItemEntry request,
                                       std::function<void(ItemAnswer&&)> done) {
  const ItemRequestParts parts = parts_of(context, request);
  ItemCall call = call_of(parts, request.snapshot, request.item, request.parsed);
  call.most_time = request.most_time;
  return core.calls.start(call, std::make_shared<DiscardingListener>(std::move(done)));
}

std::vector<const Item*> listing_templates(const Core& core, const Snapshot& snapshot,
                                           const Agent& agent) {
  std::vector<const Item*> out;
  for (const ItemPtr& item : snapshot.templates) {
    if (item->spec.lists && !core.calls.denied(agent, *item)) out.push_back(item.get());
  }
  return out;
}

std::shared_ptr<CallHandle> enter_listing(Core& core, const Context& context,
                                          const SnapshotPtr& snapshot, const Item& listing,
                                          std::function<void(ItemAnswer&&)> done) {
  ItemEntry request;
  request.snapshot = snapshot;
  request.item = &listing;
  request.kind = "resource_list";
  request.name = listing.spec.uri;
  request.arguments = "{}";
  return enter_item(core, context, std::move(request), std::move(done));
}

}  // namespace gantry::host::rpc
