// session.list, session.end, stream.list and subscription.list.
#include "host/auth/digest.hpp"
#include "host/base/json.hpp"
#include "host/rpc/admin/operator_methods.hpp"

namespace gantry::host::rpc {
namespace {

std::string seconds(Clock::Duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

void append_session(std::string& out, const Sessions::Standing& each) {
  const Session& session = *each.session;
  out += out.ends_with('[') ? "{" : ",{";
  append_text_member(out, "id", each.short_id);
  append_text_member(out, "principal", session.principal());
  append_text_member(out, "revision", session.protocol());
  append_json_member(out, "age_s", seconds(each.age));
  append_json_member(out, "idle_s", seconds(each.idle));
  append_json_member(out, "running", std::to_string(session.running().size()));
  append_json_member(out, "streams", std::to_string(session.streams().attached()));
  append_json_member(out, "queued_bytes", std::to_string(session.streams().backlog()));
  out += '}';
}

Result<std::string> list_sessions(const Sessions* sessions) {
  std::string out = "{\"sessions\":[";
  if (sessions != nullptr) {
    for (const auto& each : sessions->list()) append_session(out, each);
  }
  return out + "]}";
}

Result<std::string> end_session(Sessions* sessions, const std::string& id) {
  const auto cancelled = sessions ? sessions->end_short(id) : std::nullopt;
  if (!cancelled) {
    return Status::not_found("there is no session '" + id +
                             "', or not any more; the list of sessions has all");
  }
  std::string out = "{";
  append_text_member(out, "id", id);
  append_json_member(out, "ended", "true");
  append_json_member(out, "cancelled", std::to_string(*cancelled));
  return out + "}";
}

// The members that a stream and a subscription share.
void append_client(std::string& out, const ListeningClient& client) {
  append_text_member(out, "kind", client.is_session ? "session" : "listen");
  append_text_member(out, "principal", client.principal);
  append_text_member(out, "agent", client.agent);
  if (!client.session.empty()) append_text_member(out, "session", fingerprint_of(client.session));
}

const char* word(bool is) { return is ? "true" : "false"; }

Result<std::string> list_streams(const Dispatcher& dispatcher) {
  std::string out = "{\"streams\":[";
  for (const ListeningClient& client : dispatcher.listening_clients()) {
    out += out.ends_with('[') ? "{" : ",{";
    append_client(out, client);
    append_json_member(out, "tools", word(client.tools));
    append_json_member(out, "prompts", word(client.prompts));
    append_json_member(out, "resources", word(client.resources));
    append_json_member(out, "uris", std::to_string(client.uris.size()));
    append_json_member(out, "tasks", std::to_string(client.tasks));
    out += '}';
  }
  return out + "]}";
}

Result<std::string> list_subscriptions(const Dispatcher& dispatcher) {
  std::string out = "{\"subscriptions\":[";
  for (const ListeningClient& client : dispatcher.listening_clients()) {
    for (const auto& [uri, age] : client.uris) {
      out += out.ends_with('[') ? "{" : ",{";
      append_text_member(out, "uri", uri);
      append_client(out, client);
      append_json_member(out, "age_s", seconds(age));
      out += '}';
    }
  }
  return out + "]}";
}

}  // namespace

AdminMethods client_methods(const HostParts& parts) {
  Sessions* const sessions = parts.sessions;
  Dispatcher& dispatcher = parts.dispatcher;
  return {
      {.name = "session.list",
       .run = [sessions](const AdminParams&,
                         const AdminCaller&) { return list_sessions(sessions); }},
      {.name = "session.end",
       .parameters = {"id"},
       .pace = AdminMethod::Pace::blocks,
       .reads = false,
       .run = [sessions](const AdminParams& params,
                         const AdminCaller&) { return end_session(sessions, params.text("id")); }},
      {.name = "stream.list",
       .run = [&dispatcher](const AdminParams&,
                            const AdminCaller&) { return list_streams(dispatcher); }},
      {.name = "subscription.list", .run = [&dispatcher](const AdminParams&, const AdminCaller&) {
         return list_subscriptions(dispatcher);
       }}};
}

}  // namespace gantry::host::rpc
