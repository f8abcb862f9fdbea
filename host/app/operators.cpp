#include "host/app/operators.hpp"

#include <unistd.h>

#include <string_view>
#include <utility>

#include <gantry/abi/version.h>

#include "host/auth/keys/key_file.hpp"
#include "host/base/json.hpp"
#include "host/rpc/admin/operator_methods.hpp"
#include "host/rpc/admin/sample_json.hpp"
#include "host/rpc/admin/settings_methods.hpp"

namespace gantry::host {
namespace {

using namespace std::chrono_literals;

// The page's address from that of /mcp; a wildcard address is reached by loopback.
std::string page_of(std::string endpoint) {
  endpoint.resize(endpoint.rfind('/') + 1);
  for (const auto& [any, loopback] :
       {std::pair<std::string_view, std::string_view>{"//0.0.0.0:", "//127.0.0.1:"},
        {"//[::]:", "//[::1]:"}}) {
    const auto at = endpoint.find(any);
    if (at != std::string::npos) endpoint.replace(at, any.size(), loopback);
  }
  return endpoint;
}

}  // namespace

Operators::Operators(const Running& running, rpc::Dispatcher& dispatcher, Approvals& approvals,
                     Transport transport)
    : running_(running),
      dispatcher_(dispatcher),
      approvals_(approvals),
      transport_(std::move(transport)),
      permits_(running.plugins.registry(), running.plugins.calls(), running.access),
      writes_(running.plugins.registry(), running.plugins.calls(), *running.observers.audit),
      search_(*running.observers.audit) {
  seconds_.repeat(std::chrono::steady_clock::now() + 1s, [this] {
    const Calls& calls = running_.plugins.calls();
    running_.observers.audit->series().sample(std::chrono::system_clock::now(), calls.running(),
                                              static_cast<std::int64_t>(calls.queued()));
    return std::chrono::steady_clock::now() + 1s;
  });
}

void Operators::set_endpoint(std::string endpoint) {
  const std::lock_guard lock(mutex_);
  endpoint_ = std::move(endpoint);
}

std::string Operators::endpoint() const {
  const std::lock_guard lock(mutex_);
  return endpoint_;
}

rpc::AdminFacts Operators::facts(std::string endpoint) {
  return {
      .version = GANTRY_SDK_VERSION,
      .endpoint = std::move(endpoint),
      .audit = running_.observers.audit.get(),
      .approvals = &approvals_,
      .permit = [this](const rpc::PermitQuestion& question) { return permits_.verdicts(question); },
      .more = methods()};
}

rpc::AdminMethods Operators::methods() {
  const rpc::HostParts parts{
      .version = GANTRY_SDK_VERSION,
      .since = since_,
      .audit = *running_.observers.audit,
      .plugins = running_.plugins.loader(),
      .registry = running_.plugins.registry(),
      .calls = running_.plugins.calls(),
      .dispatcher = dispatcher_,
      .sessions = transport_.sessions,
      .agents = [&access = running_.access] { return access.file(); },
      .endpoint = [this] { return endpoint(); },
      .streams = transport_.streams,
      .approvals = [this] { return static_cast<std::int64_t>(approvals_.waiting()); },
      .is_configured = [&access = running_.access] { return access.auth().is_configured(); },
      .has_admin = [&access = running_.access] { return access.auth().has_admin(); },
      .classes = [this] { return permits_.classes(); },
      .layers = [this](const AgentPtr& agent,
                       const std::string& cls) { return permits_.layers(agent, cls); },
      .open_gates = running_.plugins.open_gates()};
  rpc::AdminMethods out = rpc::host_methods(parts);
  rpc::append_methods(out, rpc::tool_methods(parts));
  rpc::append_methods(out, rpc::call_methods(dispatcher_));
  rpc::append_methods(out, rpc::agent_methods(parts));
  rpc::append_methods(out, rpc::client_methods(parts));
  rpc::append_methods(out, search_.methods());
  rpc::append_methods(out, rpc::write_methods([this](const rpc::WritesRequest& request) {
                        return writes_.ask(request);
                      }));
  rpc::append_methods(out, rpc::key_methods(key_file(running_.state), parts.agents));
  rpc::append_methods(out, rpc::settings_methods({.now = running_.settings_now,
                                                  .config_file = running_.config_file,
                                                  .environment = gantry_environment()}));
  out.push_back(link_method());
  return out;
}

rpc::AdminMethod Operators::link_method() {
  return {.name = "console.link",
          .reads = false,
          .doors = rpc::AdminMethod::Doors::socket_only,
          .run = [this](const rpc::AdminParams&, const rpc::AdminCaller&) -> Result<std::string> {
            if (transport_.logins == nullptr) {
              return Status::failed(
                  "this server has no console: it serves standard input, listens beyond loopback "
                  "without \"console\": true, or its configuration says \"console\": false");
            }
            std::string out = "{";
            append_text_member(out, "url",
                               page_of(endpoint()) + "#token=" + transport_.logins->make_link());
            append_json_member(out, "expires_s",
                               std::to_string(transport_.logins->limits().link.count()));
            return out + "}";
          }};
}

std::string Operators::gauges() const {
  const Calls& calls = running_.plugins.calls();
  std::string out = rpc::open_sample({.time = std::chrono::system_clock::now(),
                                      .counts = running_.observers.audit->series().latest(1),
                                      .running = calls.running(),
                                      .queued = static_cast<std::int64_t>(calls.queued())});
  append_json_member(out, "sessions",
                     std::to_string(transport_.sessions ? transport_.sessions->size() : 0));
  append_json_member(out, "streams", std::to_string(transport_.streams ? transport_.streams() : 0));
  append_json_member(out, "approvals", std::to_string(approvals_.waiting()));
  return out + "}";
}

std::vector<std::pair<std::string, std::string>> gantry_environment() {
  std::vector<std::pair<std::string, std::string>> out;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const auto equals = variable.find('=');
    if (!variable.starts_with("GANTRY_") || equals == std::string_view::npos) continue;
    out.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return out;
}

}  // namespace gantry::host
