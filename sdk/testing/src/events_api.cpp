// gantry.events/1 and gantry.task/1 of the fake host.
#include <gantry/json_writer.hpp>

#include "sdk/contract/limits.hpp"
#include "sdk/contract/uris.hpp"
#include "use.hpp"

namespace gantry::testing::detail {
namespace {

// GANTRY_OK from start() until stop() is called.
gantry_status in_time(HostState& host, const char* function) {
  const Phase phase = host.phase;
  if (phase == Phase::starting || phase == Phase::started) return GANTRY_OK;
  if (phase == Phase::stopping) return GANTRY_STOPPING;
  host.violation(std::string(function) + "() outside start() to stop()");
  return GANTRY_MISUSE;
}

gantry_status tell(gantry_host* handle, const char* kind, gantry_bytes uri_bytes,
                   gantry_bytes metadata_bytes) {
  HostState& host = *handle->state;
  if (gantry_status status = in_time(host, kind); status != GANTRY_OK) return status;
  const std::string_view uri = to_view(uri_bytes);
  const std::string_view metadata = to_view(metadata_bytes);
  if (uri.size() > contract::kMaxUri || metadata.size() > contract::kMaxEventMetadata)
    return GANTRY_TOO_BIG;
  if (!metadata.empty() && !is_json_object(metadata)) {
    host.violation(std::string(kind) + "() with metadata that is no JSON object");
    return GANTRY_INVALID_ARGUMENT;
  }
  const std::lock_guard lock(host.mutex);
  if (host.find_readable(uri) == nullptr) return GANTRY_DENIED;
  host.events.push_back({kind, std::string(uri), std::string(metadata)});
  return GANTRY_OK;
}

gantry_status updated(gantry_host* host, gantry_bytes uri, gantry_bytes metadata) {
  return tell(host, "updated", uri, metadata);
}

gantry_status deleted(gantry_host* host, gantry_bytes uri, gantry_bytes metadata) {
  const gantry_status status = tell(host, "deleted", uri, metadata);
  if (status != GANTRY_OK) return status;
  const std::lock_guard lock(host->state->mutex);
  std::erase(host->state->watched, to_view(uri));
  return GANTRY_OK;
}

gantry_status list_changed(gantry_host* host) {
  HostState& state = *host->state;
  if (gantry_status status = in_time(state, "list_changed"); status != GANTRY_OK) return status;
  const std::lock_guard lock(state.mutex);
  state.events.push_back({"list_changed", "", ""});
  return GANTRY_OK;
}

gantry_status watched(gantry_host* host, gantry_sink sink) {
  HostState& state = *host->state;
  if (gantry_status status = in_time(state, "watched"); status != GANTRY_OK) return status;
  std::string text;
  JsonWriter out(text);
  out.begin_array();
  {
    const std::lock_guard lock(state.mutex);
    for (const std::string& uri : state.watched) out.string(uri);
  }
  out.end_array();
  sink.write(sink.context, to_bytes(text));
  return GANTRY_OK;
}

// The number of running tasks. Each call is one round; a task that waits for input does not count.
std::size_t running_tasks(HostState& host, const gantry_call* but) {
  std::vector<gantry_call*> calls;
  {
    const std::lock_guard lock(host.mutex);
    for (const auto& call : host.calls) calls.push_back(call.get());
  }
  std::size_t count = 0;
  for (gantry_call* call : calls) {
    if (call == but) continue;
    const std::lock_guard lock(call->mutex);
    if (call->is_task && !call->state.is_over()) ++count;
  }
  return count;
}

gantry_status begin(gantry_call* call) {
  const Options& options = call->host.options;
  const std::size_t others = running_tasks(call->host, call);
  Use use(call, "begin", true);
  if (use.status() != GANTRY_OK) return use.status();
  if (call->is_task) return GANTRY_OK;
  if (call->kind != "tool") return GANTRY_UNSUPPORTED;
  if (!options.client.tasks) {
    call->reply.lacks = "tasks";
    return GANTRY_UNSUPPORTED;
  }
  if (others >= options.max_tasks) return GANTRY_BUSY;
  call->is_task = true;
  return GANTRY_OK;
}

gantry_status release(gantry_call* call) {
  Use use(call, "release", true);
  if (use.status() != GANTRY_OK) return use.status();
  if (call->is_task || !call->host.options.client.comes_back) return GANTRY_UNSUPPORTED;
  call->reply.released = true;
  return GANTRY_OK;
}

}  // namespace

const gantry_events_api& events_table() {
  static const gantry_events_api table = {sizeof(gantry_events_api), updated, deleted, list_changed,
                                          watched};
  return table;
}

const gantry_task_api& task_table() {
  static const gantry_task_api table = {sizeof(gantry_task_api), begin, release};
  return table;
}

}  // namespace gantry::testing::detail
