#include "host/app/serve_http.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "host/app/control.hpp"
#include "host/app/gauges.hpp"
#include "host/app/operators.hpp"
#include "host/app/options.hpp"
#include "host/app/security.hpp"
#include "host/console/logins.hpp"
#include "host/http/endpoint/admin.hpp"
#include "host/http/endpoint/admin_events.hpp"
#include "host/http/endpoint/console.hpp"
#include "host/http/endpoint/guard.hpp"
#include "host/rpc/admin/state_json.hpp"
#include "host/rpc/dispatcher.hpp"

namespace gantry::host {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr int kReapEvery = 30'000;  // milliseconds

// Clients are told where to get a token at the address by which they came, and the Host of a
// request is not trusted.
void warn_of_no_address(const Running& running, const Address& address) {
  const HttpSettings& http = running.settings.http;
  const bool has_address = !http.public_url.empty() || !http.guard.allowed_hosts.empty();
  const bool has_tokens = running.access.auth().has_tokens();
  if (has_address || http::is_loopback(address.host) || !has_tokens) return;
  running.log.write(
      Level::warn,
      "tokens are accepted, and clients beyond loopback cannot be told where to get one; give "
      "http.public_url (--public-url)");
}

std::string url_of(const Address& address, std::uint16_t port) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return "http://" + (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(port) +
         "/mcp";
}

void say_ready(const std::string& url) {
  std::printf("gantryd ready %s\n", url.c_str());
  std::fflush(stdout);
}

std::chrono::milliseconds left_until(SteadyTime deadline) {
  const auto left = deadline - std::chrono::steady_clock::now();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::max(left, left.zero()));
}

// By default where only this machine reaches it.
bool serves_console(const Running& running, const Address& address) {
  return running.settings.console.value_or(http::is_loopback(address.host));
}

// Operators beyond this machine come in by a key, so some key must be an admin's.
Status check_console(const Running& running, const Address& address) {
  if (http::is_loopback(address.host) || !serves_console(running, address)) return {};
  if (running.settings.remote_admin && running.access.auth().has_admin()) return {};
  return Status::denied(
      "console: \"console\": true beyond loopback needs \"remote_admin\": true and an admin's key "
      "(GANTRY_ADMIN_KEY, or a profile with the tier admin); or leave the console out");
}

// The parts of the server, each of which uses those before it.
class HttpService {
 public:
  HttpService(const Running& running, const Address& address, SessionIds& ids)
      : running_(running),
        address_(address),
        options_(http_options(running.settings, address)),
        sessions_(clock_, running.settings.limits.sessions, options_.unread, &ids),
        pre_auth_(clock_, running.settings.limits.pre_auth_per_minute),
        protocol_(protocol()),
        dispatcher_(running.plugins.registry(), running.plugins.calls(), running.log,
                    running.metrics, running.plugins.bus(), clock_, protocol_),
        logins_(clock_),
        operators_(running, dispatcher_, *protocol_.approvals,
                   {.sessions = &sessions_,
                    .logins = serves_console(running, address) ? &logins_ : nullptr,
                    .streams = [this] { return streams(); }}),
        commands_(running.plugins.loader(), running.log, operators_.facts({})),
        admin_(commands_),
        events_(running.observers.audit->feed(), event_sources()),
        console_(logins_, running.access.auth(), pre_auth_, running.log),
        endpoint_(dispatcher_, running.access.auth(), sessions_, pre_auth_, running.log,
                  running.metrics, endpoint_options(running.settings, address)) {
    endpoint_.serve(admin_, &events_);
    if (serves_console(running, address)) endpoint_.serve(console_);
  }

  // Accepts clients from now on. An error says why it cannot listen.
  Status start() {
    auto server = http::Server::start(options_, endpoint_);
    if (!server) return server.status();
    server_ = std::move(*server);
    console_.set_port(server_->port());
    watch_server(running_.metrics, *server_, endpoint_, sessions_, dispatcher_);
    watch_plugins(running_.metrics, running_.plugins);
    watch_observers(running_.metrics, running_.observers);
    watch_approvals(running_.metrics, *protocol_.approvals);
    const std::string url = url_of(address_, server_->port());
    operators_.set_endpoint(url);
    auto control = Control::start(running_.settings, running_.plugins.loader(), running_.log,
                                  operators_.facts(url));
    if (!control) return control.status();
    control_ = std::move(*control);
    protocol_.approvals->set_operators(control_->is_open() || running_.access.auth().has_admin());
    log_access_summary(is_reachable(address_, running_.settings), running_.access, running_.log);
    warn_of_no_address(running_, address_);
    running_.access.watch([this](const ChangedAgents& changed) {
      endpoint_.take_agents(changed);
      logins_.end_where([this](const std::string& principal) {
        return !running_.access.auth().leads_to(principal);
      });
    });
    malloc_trim(0);
    say_ready(url);
    return {};
  }

  // Until a signal to stop.
  void serve() {
    while (!running_.signals.wait(kReapEvery)) {
      sessions_.reap();
      running_.access.tick();
    }
    running_.access.stop();
    running_.access.tick();
  }

  // Refuses new requests, drains running ones for the grace, closes sessions and connections.
  void stop() {
    running_.signals.release();
    server_->begin_drain();
    running_.log.write(Level::info, "stopping", {{"running", running_.plugins.calls().running()}});
    running_.log.flush();
    running_.plugins.bus().end();
    sessions_.close_listeners();
    events_.stop();
    operators_.stop();
    const auto deadline = std::chrono::steady_clock::now() + running_.settings.shutdown_grace;
    dispatcher_.end_approvals();
    dispatcher_.wait_finished(deadline);
    dispatcher_.stop();
    running_.plugins.calls().drain(left_until(deadline));
    sessions_.end_all();
    endpoint_.end_connections();
    server_->wait_idle(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    server_->stop();
  }

 private:
  std::int64_t streams() const {
    return endpoint_.request_streams() + endpoint_.listeners() + events_.size();
  }
  http::EventSources event_sources() {
    return {.plugins = [&plugins =
                            running_.plugins] { return rpc::states_json(plugins.loader().list()); },
            .approvals = [this] { return protocol_.approvals->list(); },
            .gauges = [this] { return operators_.gauges(); },
            .states = {&running_.plugins.loader().changed(), &protocol_.approvals->changed()}};
  }
  rpc::ProtocolSettings protocol() const {
    auto out = running_.protocol(!running_.access.auth().is_configured());
    out.kept = options_.unread;
    return out;
  }

  const Running& running_;
  const Address& address_;
  const SystemClock clock_;
  const http::Options options_;
  Sessions sessions_;
  PreAuthLimit pre_auth_;
  const rpc::ProtocolSettings protocol_;
  rpc::Dispatcher dispatcher_;
  console::Logins logins_;
  Operators operators_;
  const rpc::AdminCommands commands_;
  http::Admin admin_;
  http::AdminEvents events_;
  http::Console console_;
  http::Endpoint endpoint_;
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<Control> control_;
};

}  // namespace

int serve_http(const Running& running, const Address& address, const std::filesystem::path& state) {
  if (Status status = check_console(running, address); !status)
    return refuse(status, kBadConfiguration);
  const auto ids = SessionIds::open(state);
  if (!ids) return refuse(ids.status(), kBadConfiguration);
  HttpService service(running, address, **ids);
  if (Status status = service.start(); !status) return refuse(status, kCannotListen);
  service.serve();
  service.stop();
  return 0;
}

}  // namespace gantry::host
