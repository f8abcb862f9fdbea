#include "host/app/run.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include <gantry/abi/version.h>
#include "host/app/access.hpp"
#include "host/app/agent_names.hpp"
#include "host/app/check.hpp"
#include "host/app/class_lookup.hpp"
#include "host/app/config_reload.hpp"

#include "host/app/control.hpp"
#include "host/app/gauges.hpp"
#include "host/app/observers.hpp"
#include "host/app/options.hpp"
#include "host/app/plugin_keys.hpp"
#include "host/app/plugins.hpp"
#include "host/app/security.hpp"
#include "host/config/paths.hpp"
#include "host/http/endpoint/admin.hpp"
#include "host/http/endpoint/guard.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/stdio/stdio.hpp"

namespace gantry::host {
namespace {

constexpr int kBadConfiguration = 2, kCannotListen = 3;
constexpr int kReapEvery = 30'000;  // milliseconds

// Configuration errors go to the terminal at every log level.
int refuse(const Status& status, int code) {
  std::fprintf(stderr, "gantryd: %s\n", status.message().c_str());
  return code;
}

Result<std::filesystem::path> state_directory(const Settings& settings) {
  std::filesystem::path directory = settings.state;
  if (directory.empty()) {
    auto users = user_state_directory();
    if (!users) return users.status();
    directory = std::move(*users);
  }
  if (Status status = make_private_directory(directory); !status) return status;
  return directory;
}

void warn_of_unlimited(const Settings& settings, Log& log) {
  if (settings.limits.calls.max_running == 0) log.write(Level::warn, "max_calls is unlimited");
  if (settings.limits.streams.requests == 0)
    log.write(Level::warn, "max_request_streams is unlimited");
  if (settings.limits.streams.listeners == 0) log.write(Level::warn, "max_listeners is unlimited");
}

// Clients are told where to get a token at the address by which they came, and the Host of a
// request is not trusted.
void warn_of_no_address(const Settings& settings, const Address& address, const AgentAccess& access,
                        Log& log) {
  const bool has_address =
      !settings.http.public_url.empty() || !settings.http.guard.allowed_hosts.empty();
  if (has_address || http::is_loopback(address.host) || !access.auth().has_tokens()) return;
  log.write(
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

std::chrono::milliseconds left_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = deadline - std::chrono::steady_clock::now();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::max(left, left.zero()));
}

// Shutdown order: refuse new requests, drain running ones for `grace`, close sessions and
// connections, unload.
void stop(http::Server& server, http::Endpoint& endpoint, rpc::Dispatcher& dispatcher,
          Plugins& plugins, Sessions& sessions, const Signals& signals,
          std::chrono::milliseconds grace, Log& log) {
  signals.release();
  log.write(Level::info, "stopping", {{"running", plugins.calls().running()}});
  log.flush();
  server.begin_drain();
  plugins.bus().end();
  sessions.close_listeners();
  const auto deadline = std::chrono::steady_clock::now() + grace;
  dispatcher.end_approvals();
  dispatcher.wait_finished(deadline);
  dispatcher.stop();
  plugins.calls().drain(left_until(deadline));
  sessions.end_all();
  endpoint.end_connections();
  server.wait_idle(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  server.stop();
}

int serve_http(const Settings& settings, const Address& address, AgentAccess& access,
               const std::filesystem::path& state, Plugins& plugins, const Signals& signals,
               const Observers& observers, Log& log, Metrics& metrics) {
  const SystemClock clock;
  const http::Options options = http_options(settings, address);
  const auto ids = SessionIds::open(state);
  if (!ids) return refuse(ids.status(), kBadConfiguration);
  Sessions sessions(clock, settings.limits.sessions, options.unread, ids->get());
  PreAuthLimit pre_auth(clock, settings.limits.pre_auth_per_minute);
  rpc::ProtocolSettings protocol = protocol_settings_of(settings, !access.auth().is_configured());
  protocol.kept = options.unread;
  protocol.audit = observers.audit;
  protocol.approvals =
      std::make_shared<Approvals>(log, metrics, rpc::approval_limits_of(protocol.limits));
  protocol.tracer = observers.tracer;
  rpc::Dispatcher dispatcher(plugins.registry(), plugins.calls(), log, metrics, plugins.bus(),
                             clock, protocol);
  const rpc::AdminCommands commands(
      plugins.loader(), log,
      {GANTRY_SDK_VERSION, {}, observers.audit.get(), protocol.approvals.get()});
  http::Admin admin(commands);
  http::Endpoint endpoint(dispatcher, access.auth(), sessions, pre_auth, log, metrics,
                          endpoint_options(settings, address));
  endpoint.serve(admin);
  auto server = http::Server::start(options, endpoint);
  if (!server) return refuse(server.status(), kCannotListen);
  watch_server(metrics, **server, endpoint, sessions, dispatcher);
  watch_plugins(metrics, plugins);
  watch_observers(metrics, observers);
  watch_approvals(metrics, *protocol.approvals);
  const std::string url = url_of(address, (*server)->port());
  const auto control =
      Control::start(settings, plugins.loader(), *observers.audit, *protocol.approvals, log, url);
  if (!control) return refuse(control.status(), kCannotListen);
  protocol.approvals->set_operators((*control)->is_open() || access.auth().has_admin());
  log_access_summary(address, access, log);
  warn_of_no_address(settings, address, access, log);
  access.watch([&](const PrincipalNames& withdrawn, const AgentsByName& agents) {
    sessions.end_of(withdrawn);
    dispatcher.take_agents(withdrawn, agents);
  });
  malloc_trim(0);
  say_ready(url);
  while (!signals.wait(kReapEvery)) {
    sessions.reap();
    access.tick();
  }
  access.stop();
  access.tick();
  stop(**server, endpoint, dispatcher, plugins, sessions, signals, settings.shutdown_grace, log);
  return 0;
}

int serve_stdio(const Settings& settings, const AgentAccess& access, Plugins& plugins,
                const Signals& signals, const Observers& observers, Log& log, Metrics& metrics) {
  const SystemClock clock;
  rpc::ProtocolSettings protocol = protocol_settings_of(settings, true);
  protocol.audit = observers.audit;
  protocol.approvals =
      std::make_shared<Approvals>(log, metrics, rpc::approval_limits_of(protocol.limits));
  protocol.tracer = observers.tracer;
  rpc::Dispatcher dispatcher(plugins.registry(), plugins.calls(), log, metrics, plugins.bus(),
                             clock, protocol);
  StdioOptions options;
  options.max_line = settings.http.limits.body_bytes;
  options.max_unread = settings.http.limits.unread_bytes;
  options.grace = settings.limits.stdio_grace;
  options.max_listeners = settings.limits.streams.listeners;
  options.on_end = [&plugins] { plugins.bus().end(); };
  const auto control = Control::start(settings, plugins.loader(), *observers.audit,
                                      *protocol.approvals, log, "stdio");
  if (!control) return refuse(control.status(), kCannotListen);
  protocol.approvals->set_operators((*control)->is_open());
  Stdio stdio(dispatcher, *access.stdio(), clock, metrics, options);
  stdio.run(signals.fd());
  signals.release();
  dispatcher.stop();
  plugins.calls().drain(options.grace);
  return 0;
}

int load_and_serve(const CommandLine& line, const std::vector<PluginKeys>& keys,
                   const Address& address, std::vector<EnvironmentKey> environment,
                   const Signals& signals, std::function<CommandLine()> reread) {
  const Settings& settings = line.settings;
  const auto state = state_directory(settings);
  if (!state) return refuse(state.status(), kBadConfiguration);
  Log log(log_options(settings));
  const auto observers = Observers::make(settings, log);
  if (!observers) return refuse(observers.status(), kBadConfiguration);
  warn_of_unlimited(settings, log);
  if (const auto raised = http::raise_descriptor_limit(); !raised) {
    log.write(Level::warn, raised.message());
  }
  const auto access =
      AgentAccess::open(access_options(settings, address, *state, std::move(environment)), log);
  if (!access) return refuse(access.status(), kBadConfiguration);
  if (settings.stdio && !(*access)->stdio()) {
    return refuse(Status::invalid("--stdio with --agents needs --agent NAME; profiles: " +
                                  (*access)->file()->names()),
                  kBadConfiguration);
  }
  Metrics metrics;
  const auto complete = [&keys, &state](const Settings& given) {
    return with_plugin_keys(given, keys, *state);
  };
  auto plugins = Plugins::load(complete(settings), line.required_plugins, *state, log, metrics);
  log.flush();
  if (!plugins) return refuse(plugins.status(), kBadConfiguration);
  const auto known = [&it = **plugins, &log](const AgentsFile& file) {
    const ClassLookup classes(it.registry(), it.calls());
    const SnapshotPtr snapshot = it.registry().snapshot();
    if (Status good = check_services_in_process(*snapshot); !good) return good;
    if (Status good = check_tool_names(file, *snapshot, log); !good) return good;
    return check_class_names(
        file, [&classes](const std::string& name) { return classes.exists(name); }, log);
  };
  if (!settings.agents.empty()) {
    if (Status good = (*access)->check_names(known); !good) return refuse(good, kBadConfiguration);
  }
  std::optional<ConfigReload> reload(
      std::in_place, line, signals.hangup_fd(), std::move(reread),
      [&it = **plugins, &complete, governed = !settings.agents.empty()](const Settings& next) {
        const Status good =
            governed ? check_services_in_process(*it.registry().snapshot(), &next.plugins)
                     : Status();
        return good ? it.apply(complete(next)) : good;
      },
      log);
  const int code =
      settings.stdio ? serve_stdio(settings, **access, **plugins, signals, *observers, log, metrics)
                     : serve_http(settings, address, **access, *state, **plugins, signals,
                                  *observers, log, metrics);
  reload.reset();
  const bool unloaded = (*plugins)->unload();
  if (code == 0) log.write(Level::info, "stopped");
  if (unloaded) return code;
  observers->audit->flush();
  log.flush();
  std::_Exit(code);
}

int check(const CommandLine& line, const std::vector<PluginKeys>& keys) {
  Log silent({.level = Level::off});
  if (auto observers = Observers::make(line.settings, silent); !observers) {
    return refuse(observers.status(), kBadConfiguration);
  }
  const std::string& agents = line.settings.agents;
  if (const auto file = read_agents_file(agents); !agents.empty() && !file) {
    return refuse(file.status(), kBadConfiguration);
  }
  if (Status status = check_plugins(line, keys); !status) {
    return refuse(status, kBadConfiguration);
  }
  std::puts("gantryd: the configuration is good");
  return 0;
}

}  // namespace

int run(const CommandLine& line, const std::vector<PluginKeys>& plugins, const Signals& signals,
        std::function<CommandLine()> reread) {
  const auto address = parse_address(line.settings.listen);
  if (!address) return refuse(address.status(), kBadConfiguration);
  auto keys = environment_keys();
  if (!keys) return refuse(keys.status(), kBadConfiguration);
  if (!line.settings.stdio) {
    if (Status status = check_exposure(*address, *keys, line.settings); !status)
      return refuse(status, kBadConfiguration);
  }
  if (Status status = check_paths(line); !status) return refuse(status, kBadConfiguration);
  if (line.action == CommandLine::Action::check) return check(line, plugins);
  return load_and_serve(line, plugins, *address, std::move(*keys), signals, std::move(reread));
}

}  // namespace gantry::host
