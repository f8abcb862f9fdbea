// The first request of a client: discovery in the modern era, the handshake in the legacy era.
#include "host/base/json.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/rpc/introduction.hpp"
#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/listen/scoped_lists.hpp"
#include "host/rpc/listen/scoped_updates.hpp"
#include "host/rpc/listen/session_listeners.hpp"
#include "host/rpc/message/log_levels.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/rounds/abilities.hpp"

namespace gantry::host::rpc {
namespace {

std::string capabilities(std::string_view revision, bool subscribable) {
  const Features peer(revision);
  std::string out =
      "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"
      "\"resources\":{\"listChanged\":true";
  if (subscribable) out += ",\"subscribe\":true";
  out += "},\"logging\":{}";
  if (peer.completions()) out += ",\"completions\":{}";
  if (peer.requested_tasks()) {
    out += R"(,"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}})";
  }
  if (peer.modern()) out += ",\"extensions\":{" + json_string(kTasksExtension) + ":{}}";
  return out + "}";
}

std::string instructions_member(std::string_view instructions) {
  return instructions.empty() ? "" : ",\"instructions\":" + json_string(instructions);
}

std::string meta_member(const ProtocolSettings& settings) {
  return ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":" +
         server_info(settings, kModernRevision) + "}";
}

// `scope`: "private" where the instructions are this caller's own.
std::string make_discover_result(const ProtocolSettings& settings, bool subscribable,
                                 std::string_view instructions, std::string_view scope) {
  std::string out = "{\"resultType\":\"complete\",\"supportedVersions\":[";
  append_json_string(out, kModernRevision);
  out += "],\"capabilities\":" + capabilities(kModernRevision, subscribable);
  out += instructions_member(instructions);
  out += ",\"ttlMs\":" + std::to_string(settings.limits.discover_ttl.count());
  out.append(",\"cacheScope\":\"").append(scope).append("\"");
  return out + meta_member(settings) + "}";
}

}  // namespace

std::string server_info(const ProtocolSettings& settings, std::string_view revision) {
  std::string out = "{\"name\":\"gantry\",\"version\":" + json_string(settings.version);
  if (Features(revision).titles()) out += ",\"title\":\"Gantry\"";
  return out + "}";
}

Core::Core(const Registry& r, Calls& c, Log& l, Metrics& m, Bus& b, const Clock& k,
           ProtocolSettings f)
    : registry(r),
      calls(c),
      log(l),
      metrics(m),
      bus(b),
      clock(k),
      settings(std::move(f)),
      audit(settings.audit ? settings.audit : std::make_shared<Audit>(l)),
      approvals(settings.approvals
                    ? settings.approvals
                    : std::make_shared<Approvals>(l, m, approval_limits_of(settings.limits))),
      modern_meta(meta_member(settings)),
      discover_results{make_discover_result(settings, false, settings.instructions, "public"),
                       make_discover_result(settings, true, settings.instructions, "public")},
      lists(c, settings.discovery),
      sealer(k),
      rates(k),
      pending_questions(std::make_shared<PendingQuestionLimit>(
          settings.limits.max_waiting, settings.limits.max_waiting_per_session)),
      tasks(b, k, settings),
      listeners(std::make_shared<Listeners>(b, k)),
      session_listeners(std::make_shared<SessionListeners>(b, k, settings)),
      scoped_updates(std::make_shared<ScopedUpdates>(*this)),
      scoped_lists(std::make_shared<ScopedLists>(*this)) {
  bus.add(listeners);
  bus.add(session_listeners);
  bus.add(scoped_updates);
  bus.add(scoped_lists);
}

Core::~Core() {
  bus.remove(*listeners);
  bus.remove(*session_listeners);
  bus.remove(*scoped_updates);
  bus.remove(*scoped_lists);
}

std::optional<Answer> discover(Core& core, const Message& message, const Context& context,
                               Channel& channel) {
  const SnapshotPtr snapshot = core.registry.current();
  const bool subscribable = snapshot->subscribable;
  const Item* const introduction = introduction_of(core, *snapshot);
  if (introduction == nullptr) {
    return result_of(message, core.discover_results[subscribable ? 1 : 0]);
  }
  introduce(core, message, context, channel, {snapshot, introduction},
            [&core, subscribable](std::string_view text) {
              return make_discover_result(core.settings, subscribable, text, "private");
            });
  return std::nullopt;
}

std::optional<Answer> ping(Core&, const Message& message, const Context&, Channel&) {
  return result_of(message, "{}");
}

Negotiated negotiate(const Message& message) {
  const auto wanted = text_of(message.param("protocolVersion"));
  if (!wanted) {
    return {{},
            Error::invalid_params("initialize needs params.protocolVersion, a string; supported: " +
                                  std::string(kLegacyRevisions.front())),
            {}};
  }
  std::string capabilities = declared_capabilities(message);
  for (const auto revision : kLegacyRevisions) {
    if (revision == *wanted) return {revision, std::nullopt, std::move(capabilities)};
  }
  return {kLegacyRevisions.front(), std::nullopt, std::move(capabilities)};
}

std::optional<Answer> initialize(Core& core, const Message& message, const Context& context,
                                 Channel& channel) {
  Negotiated agreed = negotiate(message);
  if (agreed.error) return failure(message, *agreed.error);
  if (context.session != nullptr) {
    core.scoped_lists->expect(context.principal, [] {});
    core.session_listeners->join(*context.session, context.principal.agent);
  }
  const SnapshotPtr snapshot = core.registry.current();
  std::string result =
      "{\"protocolVersion\":" + json_string(agreed.revision) + ",\"capabilities\":";
  result += capabilities(agreed.revision, snapshot->subscribable);
  result += ",\"serverInfo\":" + server_info(core.settings, agreed.revision);
  // Sent to every revision: even the first one has the member `instructions`.
  const Item* const introduction = introduction_of(core, *snapshot);
  if (introduction == nullptr) {
    return result_of(message, result + instructions_member(core.settings.instructions) + "}");
  }
  introduce(core, message, context, channel, {snapshot, introduction},
            [result](std::string_view text) { return result + instructions_member(text) + "}"; });
  return std::nullopt;
}

std::optional<Answer> set_level(Core&, const Message& message, const Context& context, Channel&) {
  const auto level = syslog_level(text_of(message.param("level")).value_or(""));
  if (!level) {
    return failure(message,
                   Error::invalid_params("params.level must be one of " + std::string(kLevelList)));
  }
  if (context.session != nullptr) context.session->set_log_level(*level);
  return result_of(message, "{}");
}

}  // namespace gantry::host::rpc
