// The first request of a client: discovery in the modern era, the handshake in the legacy era.
#include "host/base/json.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/rpc/listen/listeners.hpp"
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
  if (peer.modern()) out += ",\"extensions\":{" + json_string(kTasksExtension) + ":{}}";
  return out + "}";
}

std::string with_instructions(const ProtocolSettings& settings) {
  return settings.instructions.empty() ? ""
                                       : ",\"instructions\":" + json_string(settings.instructions);
}

std::string meta_member(const ProtocolSettings& settings) {
  return ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":" +
         server_info(settings, kModernRevision) + "}";
}

std::string make_discover_result(const ProtocolSettings& settings, bool subscribable) {
  std::string out = "{\"resultType\":\"complete\",\"supportedVersions\":[";
  append_json_string(out, kModernRevision);
  out += "],\"capabilities\":" + capabilities(kModernRevision, subscribable);
  out += with_instructions(settings);
  out += ",\"ttlMs\":" + std::to_string(settings.limits.discover_ttl.count()) +
         ",\"cacheScope\":\"public\"";
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
      modern_meta(meta_member(settings)),
      discover_results{make_discover_result(settings, false), make_discover_result(settings, true)},
      lists(c),
      sealer(k),
      pending_questions(std::make_shared<PendingQuestionLimit>(
          settings.limits.max_waiting, settings.limits.max_waiting_per_session)),
      tasks(b, k, settings),
      listeners(std::make_shared<Listeners>(b)),
      session_listeners(std::make_shared<SessionListeners>(b, settings)) {
  bus.add(listeners);
  bus.add(session_listeners);
}

Core::~Core() {
  bus.remove(*listeners);
  bus.remove(*session_listeners);
}

std::optional<Answer> discover(Core& core, const Message& message, const Context&, Channel&) {
  return result_of(message, core.discover_results[core.registry.current()->subscribable ? 1 : 0]);
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
                                 Channel&) {
  Negotiated agreed = negotiate(message);
  if (agreed.error) return failure(message, *agreed.error);
  if (context.session != nullptr) {
    core.session_listeners->join(*context.session, context.principal.agent);
  }
  std::string result =
      "{\"protocolVersion\":" + json_string(agreed.revision) + ",\"capabilities\":";
  result += capabilities(agreed.revision, core.registry.current()->subscribable);
  result += ",\"serverInfo\":" + server_info(core.settings, agreed.revision);
  // Sent to every revision: even the first one has the member `instructions`.
  return result_of(message, result + with_instructions(core.settings) + "}");
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
