#include <cstdlib>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/control/paths.hpp"
#include "tools/gantry/command.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

// Where the packaged service has its socket, which its own user and root can use.
constexpr const char* kService = "/run/gantry";

Status unreachable(std::string sentence) { return {GANTRY_NOT_FOUND, std::move(sentence)}; }

// One line "--control PATH (URL)" for each socket.
std::string choices(const std::vector<std::filesystem::path>& sockets) {
  std::string out;
  for (const auto& socket : sockets) {
    out += "\n  --control " + socket.string();
    auto host = socket_host(socket);
    if (!host) continue;
    const auto info = (*host)->ask("host.info", "{}");
    if (info) out += "  (" + printable(text_at(parsed(*info), "endpoint")) + ")";
  }
  return out;
}

}  // namespace

CLI::Option* declare_control(CLI::App& command, HostChoice& choice) {
  return command
      .add_option("--control", choice.control,
                  "Ask the host with this control socket [this user's, else the service's]")
      ->type_name("PATH");
}

void declare_host(CLI::App& command, HostChoice& choice) {
  auto* control = declare_control(command, choice);
  auto* url = command.add_option("--url", choice.url, "Ask over HTTP instead, as an admin");
  url->type_name("URL")->excludes(control);
  command.add_option("--key", choice.key, "The admin's key for --url [$GANTRY_ADMIN_KEY]")
      ->type_name("KEY")
      ->needs(url);
}

Result<std::unique_ptr<Host>> find_host(const HostChoice& choice) {
  if (!choice.url.empty()) {
    const char* key = std::getenv("GANTRY_ADMIN_KEY");
    return http_host(choice.url, choice.key.empty() && key != nullptr ? key : choice.key);
  }
  if (!choice.control.empty()) return socket_host(choice.control);
  const auto directory = host::control::runtime_directory();
  auto sockets = host::control::living_sockets(directory);
  if (sockets.empty()) sockets = host::control::living_sockets(kService);
  if (sockets.size() == 1) return socket_host(sockets.front());
  if (sockets.size() > 1) return unreachable("several hosts run; name one:" + choices(sockets));
  return unreachable("no host of this user runs (none listens in " + directory.string() +
                     "); start gantryd, or name one with --control PATH or --url URL");
}

int exit_code(const Status& status) {
  return status.code() == GANTRY_NOT_FOUND ? kUnusable : kFailed;
}

}  // namespace gantry::cli
