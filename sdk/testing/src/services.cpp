// The optional services of the fake host: configuration, secrets, catalog, calls to others.
#include "sdk/contract/catalog_answer.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/nested_answer.hpp"
#include "state.hpp"

namespace gantry::testing::detail {
namespace {

using contract::give_error;
using contract::give_part;

gantry_bytes config_get(gantry_host* host) { return to_bytes(host->state->options.config); }

gantry_status secret_read(gantry_host* host, gantry_bytes name, gantry_sink sink) {
  const auto& secrets = host->state->options.secrets;
  const auto found = secrets.find(to_view(name));
  if (found == secrets.end()) return GANTRY_NOT_FOUND;
  sink.write(sink.context, to_bytes(found->second));
  return GANTRY_OK;
}

// An item of another plugin that a test provides: kind and name. A method's is "Class.name".
Item provided_item(const std::pair<std::string, std::string>& provided) {
  Item item;
  item.kind = provided.first;
  item.name = provided.second;
  const auto dot = item.name.rfind('.');
  if (item.kind != "method" || dot == item.name.npos) return item;
  item.class_name = item.name.substr(0, dot);
  item.name.erase(0, dot + 1);
  item.input_schema = R"({"type":"object"})";
  return item;
}

gantry_status catalog_items(gantry_host* host, gantry_call*, gantry_bytes kind, gantry_sink sink) {
  if (!contract::is_kind(to_view(kind), contract::kCatalog)) return GANTRY_UNSUPPORTED;
  std::string text = "[";
  {
    const std::lock_guard lock(host->state->mutex);
    for (const Item& item : host->state->items) {
      if (item.kind != to_view(kind)) continue;
      contract::append_catalog_item(text, item, host->state->manifest.name);
    }
    for (const auto& entry : host->state->providers) {
      if (entry.first.first != to_view(kind)) continue;
      contract::append_catalog_item(text, provided_item(entry.first), "other");
    }
  }
  sink.write(sink.context, to_bytes(text += ']'));
  return GANTRY_OK;
}

gantry_status catalog_explain(gantry_host* host, gantry_call*, gantry_bytes kind, gantry_bytes name,
                              gantry_sink sink) {
  if (!contract::is_kind(to_view(kind), contract::kCatalog)) return GANTRY_UNSUPPORTED;
  bool known = false;
  {
    const std::lock_guard lock(host->state->mutex);
    const std::pair<std::string, std::string> key(to_view(kind), to_view(name));
    known =
        host->state->find(key.first, key.second) != nullptr || host->state->providers.contains(key);
  }
  const std::string refusal = contract::not_offered(to_view(kind));
  sink.write(sink.context, to_bytes(known ? contract::kAllowed : std::string_view(refusal)));
  return GANTRY_OK;
}

// The answer of another plugin, given by the test.
gantry_status from_provider(const Provider& provider, const gantry_invocation& what,
                            gantry_answer answer) {
  const std::string_view given = to_view(what.arguments);
  const Answer result = provider(given.empty() ? "{}" : given, to_view(what.narrowing));
  for (const auto& [type, body] : result.parts) give_part(answer, type, body);
  if (result.status < 0 && result.parts.empty()) {
    return give_error(answer, result.status, "internal_error", "the callee failed");
  }
  return result.status;
}

// Calls the plugin's own item on this thread, as the contract says.
gantry_status from_itself(HostState& host, const gantry_invocation& what, gantry_answer answer) {
  const std::string name(to_view(what.name));
  if (!host.manifest.reentrant) {
    return give_error(answer, GANTRY_BUSY, "internal_error",
                      "plugin '" + host.manifest.name +
                          "' is not re-entrant and already in this "
                          "call tree (chain: " +
                          host.manifest.name + " -> " + name + ")");
  }
  gantry_call* call = nullptr;
  {
    const std::lock_guard lock(host.mutex);
    const std::string_view given = to_view(what.arguments);
    host.calls.push_back(std::make_unique<gantry_call>(
        host, to_view(what.kind), name, given.empty() ? "{}" : given,
        CallerTexts{host.options.agent, host.options.agent_scope}, 0));
    call = host.calls.back().get();
  }
  enter_plugin(*call);
  std::unique_lock lock(call->mutex);
  call->changed.wait(lock, [call] { return call->state.is_over(); });
  const Reply reply = call->reply;
  lock.unlock();
  if (reply.status < 0) return give_error(answer, reply.status, reply.error_code, reply.message);
  if (!call->json.empty()) give_part(answer, "json", call->json);
  for (const auto& [type, body] : reply.content) give_part(answer, type, body);
  return GANTRY_OK;
}

// GANTRY_OK, or the reason why the call is not allowed.
gantry_status check(gantry_host* host, gantry_call* parent, const gantry_invocation* what) {
  HostState& state = *host->state;
  if (!contract::is_complete(what)) {
    state.violation("gantry.invoke/1: " + std::string(contract::kSizeNotSet));
    return GANTRY_MISUSE;
  }
  if (parent == nullptr) return GANTRY_DENIED;
  const gantry_status status = use_of(*parent).status();
  if (status == GANTRY_MISUSE) {
    state.violation("gantry.invoke/1 with a parent call that has ended (" + label(*parent) + ")");
  }
  return status;
}

gantry_status run(HostState& host, const gantry_invocation& what, gantry_answer answer) {
  const std::pair<std::string, std::string> key(to_view(what.kind), to_view(what.name));
  Provider provider;
  bool own = false;
  {
    const std::lock_guard lock(host.mutex);
    const auto found = host.providers.find(key);
    if (found != host.providers.end()) provider = found->second;
    own = host.find(key.first, key.second) != nullptr;
  }
  if (key.first == "service" && !host.manifest.asks_for(key.second)) {
    host.report_undeclared(key.second);
    return give_error(
        answer, GANTRY_NOT_FOUND, "not_found",
        "the manifest does not name the service '" + key.second + "': add it to \"needs\"");
  }
  if (provider) return from_provider(provider, what, answer);
  if (own) return from_itself(host, what, answer);
  return give_error(
      answer, GANTRY_NOT_FOUND, "not_found",
      key.first + " '" + key.second +
          "' does not exist; a test can provide() it, and gantry call --plugin FILE has "
          "those of a server");
}

gantry_status invoke_call(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                          gantry_answer answer) {
  const gantry_status status = check(host, parent, what);
  return status == GANTRY_OK ? run(*host->state, *what, answer) : status;
}

// Writes one part into the parent's structured result and passes the others to the caller.
struct Splice {
  gantry_call* parent;
  std::string_view part;
  gantry_answer rest;
  gantry_status status = GANTRY_OK;

  static void take(void* context, gantry_bytes type, gantry_bytes body) {
    auto& self = *static_cast<Splice*>(context);
    if (to_view(type) != self.part) return give_part(self.rest, to_view(type), to_view(body));
    const gantry_status status = call_table().json_raw(self.parent, body);
    if (status < 0) self.status = status;
  }
};

gantry_status invoke_forward(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                             gantry_bytes splice, gantry_answer answer) {
  if (gantry_status status = check(host, parent, what); status != GANTRY_OK) return status;
  bool open = false;
  {
    const std::lock_guard lock(parent->mutex);
    open = parent->order.is_open();
  }
  if (!open) {
    host->state->violation(
        "forward() without an open structured result; json_begin() comes first (" + label(*parent) +
        ")");
    return GANTRY_MISUSE;
  }
  Splice state{parent, to_view(splice), answer};
  const gantry_status status = run(*host->state, *what, {&Splice::take, &state});
  return status >= 0 ? state.status : status;
}

gantry_status invoke_start(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                           gantry_answer answer, void (*done)(void*, gantry_status),
                           void* context) {
  if (gantry_status status = check(host, parent, what); status != GANTRY_OK) return status;
  struct Copy {
    std::string kind, name, arguments, narrowing;
  };
  const Copy copy{std::string(to_view(what->kind)), std::string(to_view(what->name)),
                  std::string(to_view(what->arguments)), std::string(to_view(what->narrowing))};
  HostState& state = *host->state;
  const std::lock_guard lock(state.mutex);
  state.threads.emplace_back([&state, copy, answer, done, context] {
    const gantry_invocation again = {sizeof(gantry_invocation), to_bytes(copy.kind),
                                     to_bytes(copy.name), to_bytes(copy.arguments),
                                     to_bytes(copy.narrowing)};
    done(context, run(state, again, answer));
  });
  return GANTRY_OK;
}

}  // namespace

const void* service_table(std::string_view id) {
  static const gantry_config_api config = {sizeof(gantry_config_api), config_get};
  static const gantry_secret_api secret = {sizeof(gantry_secret_api), secret_read};
  static const gantry_catalog_api catalog = {sizeof(gantry_catalog_api), catalog_items,
                                             catalog_explain};
  static const gantry_invoke_api invoke = {sizeof(gantry_invoke_api), invoke_call, invoke_forward,
                                           invoke_start};
  if (id == GANTRY_CALL_SERVICE) return &call_table();
  if (id == GANTRY_CONFIG_SERVICE) return &config;
  if (id == GANTRY_SECRET_SERVICE) return &secret;
  if (id == GANTRY_CATALOG_SERVICE) return &catalog;
  if (id == GANTRY_INVOKE_SERVICE) return &invoke;
  if (id == GANTRY_INPUT_SERVICE) return &input_table();
  if (id == GANTRY_TASK_SERVICE) return &task_table();
  if (id == GANTRY_EVENTS_SERVICE) return &events_table();
  return nullptr;
}

}  // namespace gantry::testing::detail
