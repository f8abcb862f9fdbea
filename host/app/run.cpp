#include "host/app/run.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

#include "host/app/agent_names.hpp"
#include "host/app/check.hpp"
#include "host/app/config_reload.hpp"
#include "host/app/options.hpp"
#include "host/app/plugin_keys.hpp"
#include "host/app/running.hpp"
#include "host/app/security.hpp"
#include "host/app/serve_http.hpp"
#include "host/app/serve_stdio.hpp"
#include "host/config/paths.hpp"

namespace gantry::host {
namespace {

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

void warn_of_limits(const Settings& settings, Log& log) {
  if (settings.limits.calls.max_running == 0) log.write(Level::warn, "max_calls is unlimited");
  if (settings.limits.streams.requests == 0)
    log.write(Level::warn, "max_request_streams is unlimited");
  if (settings.limits.streams.listeners == 0) log.write(Level::warn, "max_listeners is unlimited");
  if (const auto raised = http::raise_descriptor_limit(); !raised)
    log.write(Level::warn, raised.message());
}

// The server from loaded plugins to its end.
class Run {
 public:
  Run(const CommandLine& line, const std::vector<PluginKeys>& keys, std::filesystem::path state,
      Log& log, Observers observers)
      : line_(line),
        keys_(keys),
        state_(std::move(state)),
        log_(log),
        observers_(std::move(observers)),
        now_(line.settings) {}

  // The exit code of a failure, or 0.
  int load(AccessOptions options) {
    auto access = AgentAccess::open(std::move(options), log_);
    if (!access) return refuse(access.status(), kBadConfiguration);
    access_ = std::move(*access);
    auto plugins =
        Plugins::load(complete(line_.settings), line_.required_plugins, state_, log_, metrics_);
    log_.flush();
    if (!plugins) return refuse(plugins.status(), kBadConfiguration);
    plugins_ = std::move(*plugins);
    if (!is_governed()) return 0;
    const Status good = access_->check_names([this](const AgentsFile& file) {
      return check_agents(file, plugins_->registry(), plugins_->calls(), log_);
    });
    return good ? 0 : refuse(good, kBadConfiguration);
  }

  // The exit code. Does not return if a plugin's code may still be on a thread's stack.
  int serve(const Address& address, const Signals& signals, std::function<CommandLine()> reread) {
    std::optional<ConfigReload> reload(
        std::in_place, line_, signals.hangup_fd(), std::move(reread),
        [this](const Settings& next) { return apply(next); }, log_);
    const Running running{
        line_.settings, *access_, *plugins_, signals,           observers_,
        log_,           metrics_, state_,    line_.config_file, [this] { return settings_now(); }};
    const int code =
        line_.settings.stdio ? serve_stdio(running) : serve_http(running, address, state_);
    reload.reset();
    const bool unloaded = plugins_->unload();
    if (code == 0) log_.write(Level::info, "stopped");
    if (unloaded) return code;
    observers_.audit->flush();
    log_.flush();
    std::_Exit(code);
  }

 private:
  bool is_governed() const { return !line_.settings.agents.empty(); }
  Settings complete(const Settings& given) const {
    return with_plugin_keys(given, keys_, state_, &log_);
  }
  Status apply(const Settings& next) {
    const Status good =
        is_governed() ? check_services_in_process(*plugins_->registry().snapshot(), &next.plugins)
                      : Status();
    const Status applied = good ? plugins_->apply(complete(next)) : good;
    if (applied) {
      const std::lock_guard lock(mutex_);
      now_ = next;
    }
    return applied;
  }
  Settings settings_now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }

  const CommandLine& line_;
  const std::vector<PluginKeys>& keys_;
  const std::filesystem::path state_;
  Log& log_;
  const Observers observers_;
  std::unique_ptr<AgentAccess> access_;
  Metrics metrics_;
  std::unique_ptr<Plugins> plugins_;
  mutable std::mutex mutex_;  // of now_
  Settings now_;              // with the keys that were applied since the start
};

int load_and_serve(const CommandLine& line, const std::vector<PluginKeys>& keys,
                   const Address& address, std::vector<EnvironmentKey> environment,
                   const Signals& signals, std::function<CommandLine()> reread) {
  const Settings& settings = line.settings;
  const auto state = state_directory(settings);
  if (!state) return refuse(state.status(), kBadConfiguration);
  Log log(log_options(settings));
  auto observers = Observers::make(settings, log);
  if (!observers) return refuse(observers.status(), kBadConfiguration);
  warn_of_limits(settings, log);
  Run run(line, keys, *state, log, std::move(*observers));
  const int code = run.load(access_options(settings, address, *state, std::move(environment)));
  return code == 0 ? run.serve(address, signals, std::move(reread)) : code;
}

int check(const CommandLine& line, const std::vector<PluginKeys>& keys, const Address& address,
          std::vector<EnvironmentKey> environment) {
  Log silent({.level = Level::off});
  if (auto observers = Observers::make(line.settings, silent); !observers) {
    return refuse(observers.status(), kBadConfiguration);
  }
  if (Status status = check_parts(line, keys, address, std::move(environment)); !status) {
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
  if (line.action == CommandLine::Action::check) {
    return check(line, plugins, *address, std::move(*keys));
  }
  return load_and_serve(line, plugins, *address, std::move(*keys), signals, std::move(reread));
}

}  // namespace gantry::host
