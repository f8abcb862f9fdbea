// The tables that belong to the instance, not to a call: the host's core table, configuration,
// secrets, the catalogue, events.
#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "plugin.hpp"
#include "sdk/contract/limits.hpp"
#include "sdk/contract/undeclared.hpp"
#include "tables.hpp"

namespace gantry::worker {
namespace {

// Sends the question that `fill` writes into a frame. GANTRY_FAILED: out of memory.
template <class Fill>
Reply ask(gantry_host* host, wire::FrameType type, std::uint64_t call, Fill fill) noexcept {
  try {
    Link& link = host->link;
    const std::uint64_t request = link.next_request();
    wire::FrameWriter frame(type, call, request);
    fill(frame);
    return link.ask(frame, request);
  } catch (...) {
    return {};
  }
}

// For an answer that is one text.
void hand_over(const Reply& reply, gantry_sink sink) {
  if (reply.status < 0 || sink.write == nullptr) return;
  wire::BodyReader body(reply.body);
  sink.write(sink.context, bytes_of(body.text()));
}

// Null for an id that no worker knows.
const void* table_of(std::string_view id) {
  if (id == GANTRY_CALL_SERVICE) return &call_table();
  if (id == GANTRY_INVOKE_SERVICE) return &invoke_table();
  if (id == GANTRY_CONFIG_SERVICE) return &config_table();
  if (id == GANTRY_SECRET_SERVICE) return &secret_table();
  if (id == GANTRY_CATALOG_SERVICE) return &catalog_table();
  if (id == GANTRY_INPUT_SERVICE) return &input_table();
  if (id == GANTRY_TASK_SERVICE) return &task_table();
  if (id == GANTRY_EVENTS_SERVICE) return &events_table();
  return nullptr;
}

void log(gantry_host* host, int32_t level, gantry_bytes text) noexcept {
  if (host == nullptr) return;
  try {
    // A little more than the host keeps, so that it cuts where it would have cut.
    wire::FrameWriter frame(wire::FrameType::log);
    frame.number(level).text(view(text).substr(0, contract::kMaxLogLine + 4));
    host->link.send(frame);
  } catch (...) {
    // A line that cannot be logged is dropped: the error could not be logged either.
  }
}

// Once for each service; what cannot be logged is dropped.
void report_undeclared(gantry_host* host, std::string_view id) noexcept {
  try {
    const std::lock_guard lock(host->mutex);
    auto& known = host->undeclared;
    if (std::find(known.begin(), known.end(), id) != known.end()) return;
    known.emplace_back(id);
    log(host, GANTRY_LOG_WARNING, bytes_of(contract::undeclared_service(id)));
  } catch (...) {
    return;
  }
}

const void* service(gantry_host* host, const char* id) noexcept {
  if (host == nullptr || id == nullptr) return nullptr;
  const std::size_t size = ::strnlen(id, contract::kMaxServiceId + 1);
  const auto& allowed = host->services;
  const std::string_view name(id, size);
  const void* const table = table_of(name);
  if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) return table;
  if (table != nullptr) report_undeclared(host, name);
  return nullptr;
}

gantry_status offer(gantry_host* host, gantry_bytes json) noexcept {
  if (host == nullptr) return GANTRY_MISUSE;
  return ask(host, wire::FrameType::offer, 0, [&](auto& frame) { frame.text(view(json)); }).status;
}

gantry_bytes config_get(gantry_host* host) noexcept { return bytes_of(host->config); }

gantry_status secret_read(gantry_host* host, gantry_bytes name, gantry_sink sink) noexcept {
  Reply reply = ask(host, wire::FrameType::secret, 0, [&](auto& frame) { frame.text(view(name)); });
  hand_over(reply, sink);
  ::explicit_bzero(reply.body.data(), reply.body.size());
  return reply.status;
}

gantry_status catalog(gantry_host* host, gantry_call* call, gantry_bytes kind, bool explains,
                      gantry_bytes name, gantry_sink sink) noexcept {
  const Reply reply = ask(host, wire::FrameType::catalog, call->id, [&](auto& frame) {
    frame.text(view(kind)).number(std::uint8_t{explains}).text(view(name));
  });
  hand_over(reply, sink);
  return reply.status;
}

gantry_status items(gantry_host* host, gantry_call* call, gantry_bytes kind,
                    gantry_sink sink) noexcept {
  return catalog(host, call, kind, false, {nullptr, 0}, sink);
}

gantry_status explain(gantry_host* host, gantry_call* call, gantry_bytes kind, gantry_bytes name,
                      gantry_sink sink) noexcept {
  return catalog(host, call, kind, true, name, sink);
}

gantry_status changed(gantry_host* host, wire::Change what, gantry_bytes uri,
                      gantry_bytes metadata) noexcept {
  if (host == nullptr) return GANTRY_MISUSE;
  return ask(host, wire::FrameType::changed, 0,
             [&](auto& frame) {
               frame.number(static_cast<std::uint8_t>(what)).text(view(uri)).text(view(metadata));
             })
      .status;
}

gantry_status updated(gantry_host* host, gantry_bytes uri, gantry_bytes metadata) noexcept {
  return changed(host, wire::Change::updated, uri, metadata);
}

gantry_status deleted(gantry_host* host, gantry_bytes uri, gantry_bytes metadata) noexcept {
  return changed(host, wire::Change::deleted, uri, metadata);
}

gantry_status list_changed(gantry_host* host) noexcept {
  return changed(host, wire::Change::listed, {nullptr, 0}, {nullptr, 0});
}

gantry_status watched(gantry_host* host, gantry_sink sink) noexcept {
  if (host == nullptr) return GANTRY_MISUSE;
  const Reply reply = ask(host, wire::FrameType::watched, 0, [](auto&) {});
  hand_over(reply, sink);
  return reply.status;
}

}  // namespace

const gantry_host_api& host_api() {
  static constexpr gantry_host_api kApi = {
      sizeof(gantry_host_api), GANTRY_ABI_MINOR, 0, service, log, offer};
  return kApi;
}

const gantry_config_api& config_table() {
  static const gantry_config_api kTable = {sizeof(gantry_config_api), config_get};
  return kTable;
}

const gantry_secret_api& secret_table() {
  static const gantry_secret_api kTable = {sizeof(gantry_secret_api), secret_read};
  return kTable;
}

const gantry_catalog_api& catalog_table() {
  static const gantry_catalog_api kTable = {sizeof(gantry_catalog_api), items, explain};
  return kTable;
}

const gantry_events_api& events_table() {
  static const gantry_events_api kTable = {sizeof(gantry_events_api), updated, deleted,
                                           list_changed, watched};
  return kTable;
}

}  // namespace gantry::worker
