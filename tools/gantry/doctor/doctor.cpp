// gantry doctor
#include "tools/gantry/doctor/doctor.hpp"

#include <cstdio>
#include <optional>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/control/paths.hpp"
#include "tools/gantry/doctor/checks.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using namespace doctor;

struct DoctorOptions {
  ServerChoice server;
  std::string control, listen, state;
  Color color;
  bool json = false;
};

std::optional<LivingHost> host_at(const std::string& socket) {
  auto host = socket_host(socket);
  if (!host) return std::nullopt;
  const auto info = (*host)->ask("host.info", "{}");
  const auto plugins = (*host)->ask("plugin.list", "{}");
  if (!info || !plugins) return std::nullopt;
  const auto told = parsed(*info);
  return LivingHost{socket, text_at(told, "version"), text_at(told, "endpoint"),
                    number_at(told, "pid"), *plugins};
}

// The host that --control names, else the only one of this user.
std::optional<LivingHost> living_host(const std::string& control) {
  if (!control.empty()) return host_at(control);
  const auto sockets = host::control::living_sockets(host::control::runtime_directory());
  return sockets.size() == 1 ? host_at(sockets.front()) : std::nullopt;
}

// The flags of the user; without any, those of the host.
Invocation invocation_to_check(const DoctorOptions& options, const LivingHost* host) {
  Invocation out{gantryd_flags(options.server)};
  for (const auto& [flag, value] :
       {std::pair{"--listen", &options.listen}, std::pair{"--state", &options.state}}) {
    if (!value->empty()) out.flags.insert(out.flags.end(), {flag, *value});
  }
  if (!out.flags.empty() || host == nullptr) return out;
  auto theirs = invocation_of(host->pid);
  return theirs ? *theirs : out;
}

int examine(const DoctorOptions& options) {
  const Stop stop;
  const auto living = living_host(options.control);
  const LivingHost* host = living ? &*living : nullptr;
  Findings found;
  if (!options.control.empty() && host == nullptr) {
    found.push_back({Verdict::fail, "host", "none answers at " + options.control,
                     "start gantryd, or leave --control out"});
  }
  check_versions(host, stop, found);
  const Invocation invocation = invocation_to_check(options, host);
  const auto configuration = check_configuration(invocation, stop, found);
  if (configuration.IsObject()) {
    check_agents_file(configuration, invocation.directory, found);
    check_database_files(configuration, invocation.directory, found);
    check_models(configuration, invocation.directory, found);
    if (host != nullptr && !invocation.directory.empty()) {
      check_plugins_of(host->plugins, found);
    } else {
      try_plugins(invocation, stop, found);
    }
    check_state(configuration, invocation.directory, found);
    check_port(configuration, host, found);
  }
  check_control(host, found);
  if (stop.told()) return complain("cancelled", kFailed);
  const std::string text =
      options.json ? visible_json(json_of(found)) + "\n" : lines_of(found, options.color);
  std::fputs(text.c_str(), stdout);
  return is_healthy(found) ? kDone : kFailed;
}

}  // namespace

void declare_doctor(CLI::App& app, Run& run) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Check programs, configuration, database, plugins, directories and the port");
  command->add_flag("--json", options->json, "{healthy, checks} as JSON");
  command->add_option("--control", options->control, "The control socket of the host to ask")
      ->type_name("PATH");
  declare_gantryd_flags(*command, options->server);
  for (const auto& [flag, value, help, type] :
       {std::tuple{"--listen", &options->listen, "Where to serve HTTP", "HOST:PORT"},
        std::tuple{"--state", &options->state, "Private directory of the server", "DIR"}}) {
    command->add_option(flag, *value, help)
        ->type_name(type)
        ->group("A server of its own, with these flags of gantryd");
  }
  Color::declare(*command, options->color);
  command->footer(
      "Without flags of gantryd the host of this user is examined, with its own flags; where none "
      "runs, what gantryd would serve without any. Nothing is changed.\n"
      "Exit codes: 0 nothing failed, 1 a check failed.\n\n"
      "Try:  gantry doctor --db shop.db --model model/ --agents agents.json");
  command->callback([options, &run] { run = [options] { return examine(*options); }; });
}

}  // namespace gantry::cli
