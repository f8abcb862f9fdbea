// call.active and call.cancel.
#include <charconv>

#include "host/base/json.hpp"
#include "host/observe/utc.hpp"
#include "host/rpc/admin/operator_methods.hpp"
#include "host/rpc/admin/sample_json.hpp"

namespace gantry::host::rpc {
namespace {

void append_call(std::string& out, const ActiveCall& call) {
  const auto since = std::chrono::system_clock::now() - call.running;
  out += out.ends_with('[') ? "{" : ",{";
  append_text_member(out, "id", std::to_string(call.id));
  append_text_member(out, "tool", call.tool);
  append_text_member(out, "agent", call.agent);
  if (!call.user.empty()) append_text_member(out, "user", call.user);
  append_text_member(out, "plugin", call.plugin);
  append_json_member(out, "generation", std::to_string(call.generation));
  append_text_member(out, "since", utc_time(since));
  append_json_member(out, "running_ms", std::to_string(call.running.count()));
  append_text_member(out, "state", call.state);
  if (call.progress >= 0) append_json_member(out, "progress", decimal(call.progress));
  if (call.total > 0) append_json_member(out, "total", decimal(call.total));
  if (!call.note.empty()) append_text_member(out, "note", call.note);
  if (!call.correlation_id.empty()) append_text_member(out, "correlation_id", call.correlation_id);
  out += '}';
}

Result<std::string> active_calls(const Dispatcher& dispatcher) {
  std::string out = "{\"calls\":[";
  for (const ActiveCall& call : dispatcher.active_calls()) append_call(out, call);
  return out + "]}";
}

Result<std::string> cancel_call(Dispatcher& dispatcher, const std::string& id) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  const bool is_number = error == std::errc() && end == id.data() + id.size();
  if (!is_number || !dispatcher.cancel_call(number)) {
    return Status::not_found("no call with the id '" + id +
                             "' runs: it has ended, or never was; see call.active");
  }
  return "{\"id\":" + json_string(id) + ",\"cancelled\":true}";
}

}  // namespace

AdminMethods call_methods(Dispatcher& dispatcher) {
  return {{.name = "call.active",
           .run = [&dispatcher](const AdminParams&,
                                const AdminCaller&) { return active_calls(dispatcher); }},
          {.name = "call.cancel",
           .parameters = {"id"},
           .pace = AdminMethod::Pace::blocks,
           .reads = false,
           .run = [&dispatcher](const AdminParams& params, const AdminCaller&) {
             return cancel_call(dispatcher, params.text("id"));
           }}};
}

}  // namespace gantry::host::rpc
