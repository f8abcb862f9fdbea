// The service tables that plugins get: thin functions from the contract into the engine. They do
// not throw; out of memory they return GANTRY_FAILED.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "host/calls/approval_check.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/guarded.hpp"
#include "host/calls/tables.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "sdk/contract/limits.hpp"

namespace gantry::host {
namespace {

// The call whose JSON takes this part of the output (forward()); null: the call's own.
gantry_call* splice_of(gantry_call* call, std::string_view part) {
  return call->nested.splice_into != nullptr && call->nested.splice_part == part
             ? call->nested.splice_into
             : nullptr;
}

gantry_status write(gantry_call* call, gantry_bytes type, gantry_bytes body) noexcept {
  return guarded(call, [&] {
    if (view(type) == contract::kDenialPart)
      return call->engine->answers().set_denial(*call, view(body));
    if (view(type) == contract::kAuditPart)
      return call->engine->answers().add_note(*call, view(body));
    if (view(type) == contract::kSpanPart)
      return call->engine->answers().add_span(*call->root, view(body));
    if (gantry_call* into = splice_of(call, view(type))) return into->output.json_raw(view(body));
    return call->output.write(view(type), view(body));
  });
}

gantry_status json_begin(gantry_call* call) noexcept {
  return guarded(call, [&] { return call->output.json_begin(); });
}

gantry_status json_raw(gantry_call* call, gantry_bytes part) noexcept {
  return guarded(call, [&] {
    gantry_call* into = splice_of(call, "json");
    if (into != nullptr && !call->output.json().is_open()) return GANTRY_MISUSE;
    return (into != nullptr ? into : call)->output.json_raw(view(part));
  });
}

gantry_status json_end(gantry_call* call) noexcept {
  return guarded(call, [&] { return call->output.json_end(); });
}

gantry_status fail(gantry_call* call, gantry_bytes code, gantry_bytes message,
                   gantry_bytes details) noexcept {
  return guarded(call, [&] { return call->output.fail(view(code), view(message), view(details)); });
}

gantry_status progress(gantry_call* call, double done, double total, gantry_bytes note) noexcept {
  return guarded(call,
                 [&] { return call->engine->answers().progress(*call, done, total, view(note)); });
}

gantry_status log(gantry_call* call, int32_t level, gantry_bytes text) noexcept {
  return guarded(call, [&] {
    const int known = level < 0 || level > GANTRY_LOG_DEBUG ? GANTRY_LOG_ERROR : level;
    return call->engine->answers().log(*call, known, view(text));
  });
}

gantry_bytes arguments(const gantry_call* call) noexcept { return bytes_of(call->arguments); }

// The tool that the client called; empty: the call is of another item.
std::string_view tool_of(const gantry_call& root) {
  return root.target.kind->in(contract::kTool) ? root.target.name : std::string_view();
}

// Clients enter no service, and plugins only inside a call: this one the host made for itself.
bool is_of_host(const gantry_call& call) {
  return &call == call.root && call.target.kind->in(contract::kService);
}

gantry_bytes property(const gantry_call* raw, gantry_bytes key) noexcept {
  auto* call = const_cast<gantry_call*>(raw);  // only the agent's JSON changes, under its lock
  if (use_of(call).is_misuse()) return {nullptr, 0};
  try {
    if (view(key) == "max_answer_bytes") return bytes_of(call->engine->answers().limit_text(*call));
    if (view(key) == "agent_scope") return bytes_of(call->agent.profile->scope);
    if (view(key) == "writes_up_to") return bytes_of(tier_name(writes_up_to(*call)));
    if (view(key) == "previews_up_to") return bytes_of(tier_name(previews_up_to(*call)));
    if (view(key) == "correlation_id") return bytes_of(call->root->client.request.correlation_id);
    if (view(key) == "is_traced") {
      return bytes_of(call->root->client.request.is_traced ? "true" : "");
    }
    if (view(key) == "tool") return bytes_of(tool_of(*call->root));
    if (view(key) == "is_of_host") return bytes_of(is_of_host(*call) ? "true" : "");
    if (view(key) == "protocol") return bytes_of(call->root->client.request.protocol);
    return view(key) == "agent" ? bytes_of(call->agent.json()) : gantry_bytes{nullptr, 0};
  } catch (...) {
    return {nullptr, 0};
  }
}

int32_t cancelled(const gantry_call* call) noexcept { return use_of(call).cancelled(); }

gantry_status on_cancel(gantry_call* call, void (*fn)(void*), void* context) noexcept {
  return use_of(call).on_cancel(fn, context);
}

gantry_status off_cancel(gantry_call* call, void (*fn)(void*), void* context) noexcept {
  return use_of(call).off_cancel(fn, context);
}

uint64_t deadline(const gantry_call* call) noexcept { return call->deadline; }

gantry_status finish(gantry_call* call, gantry_status status) noexcept {
  if (call == nullptr || call->engine == nullptr) return GANTRY_MISUSE;
  try {
    return call->engine->runner().finish(*call, status);
  } catch (...) {
    return GANTRY_FAILED;
  }
}

gantry_status invoke_call(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                          gantry_answer answer) noexcept {
  return guarded(
      parent, [&] { return parent->engine->nesting().invoke(host, *parent, *what, {}, answer); });
}

gantry_status invoke_forward(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                             gantry_bytes splice, gantry_answer answer) noexcept {
  return guarded(parent, [&] {
    if (!parent->output.json().is_open() || splice.size == 0) return GANTRY_MISUSE;
    return parent->engine->nesting().invoke(host, *parent, *what, view(splice), answer);
  });
}

gantry_status invoke_start(gantry_host* host, gantry_call* parent, const gantry_invocation* what,
                           gantry_answer answer, void (*done)(void*, gantry_status),
                           void* context) noexcept {
  if (done == nullptr) return GANTRY_MISUSE;
  return guarded(parent, [&] {
    return parent->engine->nesting().start(host, *parent, *what, answer, done, context);
  });
}

gantry_bytes config_get(gantry_host* host) noexcept {
  return bytes_of(instance_of(host).settings().config);
}

// Reads the secret's bytes. GANTRY_NOT_FOUND: no such variable or file. GANTRY_TOO_BIG: over
// contract::kMaxSecret bytes.
gantry_status load_secret(const SecretRef& ref, std::string& bytes) {
  if (!ref.environment.empty()) {
    const char* value = std::getenv(ref.environment.c_str());
    if (value == nullptr) return GANTRY_NOT_FOUND;
    bytes = value;
  } else {
    std::ifstream file(ref.file, std::ios::binary);
    if (!file) return GANTRY_NOT_FOUND;
    bytes.resize(contract::kMaxSecret + 2);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    if (bytes.ends_with('\n')) bytes.pop_back();
  }
  return bytes.size() > contract::kMaxSecret ? GANTRY_TOO_BIG : GANTRY_OK;
}

gantry_status secret_read(gantry_host* host, gantry_bytes name, gantry_sink sink) noexcept {
  try {
    const auto& secrets = instance_of(host).settings().secrets;
    const auto it = secrets.find(view(name));
    if (it == secrets.end()) return GANTRY_NOT_FOUND;
    std::string bytes;
    const gantry_status status = load_secret(it->second, bytes);
    if (status == GANTRY_OK && sink.write != nullptr) sink.write(sink.context, bytes_of(bytes));
    explicit_bzero(bytes.data(), bytes.size());
    return status;
  } catch (...) {
    return GANTRY_FAILED;
  }
}

}  // namespace

const gantry_call_api& call_table() {
  static const gantry_call_api kTable = {sizeof(gantry_call_api),
                                         arguments,
                                         property,
                                         write,
                                         json_begin,
                                         json_raw,
                                         json_end,
                                         fail,
                                         progress,
                                         log,
                                         cancelled,
                                         on_cancel,
                                         deadline,
                                         finish,
                                         off_cancel};
  return kTable;
}

const gantry_invoke_api& invoke_table() {
  static const gantry_invoke_api kTable = {sizeof(gantry_invoke_api), invoke_call, invoke_forward,
                                           invoke_start};
  return kTable;
}

const gantry_config_api& config_table() {
  static const gantry_config_api kTable = {sizeof(gantry_config_api), config_get};
  return kTable;
}

const gantry_secret_api& secret_table() {
  static const gantry_secret_api kTable = {sizeof(gantry_secret_api), secret_read};
  return kTable;
}

}  // namespace gantry::host
