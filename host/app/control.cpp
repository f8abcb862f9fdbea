#include "host/app/control.hpp"

#include <unistd.h>

#include <gantry/abi/version.h>

#include "host/control/paths.hpp"

namespace gantry::host {
namespace {

// A socket of its own, so that any number of a user's hosts run beside each other.
Result<std::string> own_path() {
  auto directory = control::make_runtime_directory();
  if (!directory) return directory.status();
  control::living_sockets(*directory, true);
  return control::default_socket(*directory, ::getpid()).string();
}

}  // namespace

Control::Control(PluginAdmin& plugins, const Audit& audit, Approvals& approvals, Log& log,
                 const std::string& endpoint)
    : commands_(plugins, log, {GANTRY_SDK_VERSION, endpoint, &audit, &approvals}) {}

Result<std::unique_ptr<Control>> Control::start(const Settings& settings, PluginAdmin& plugins,
                                                const Audit& audit, Approvals& approvals, Log& log,
                                                const std::string& endpoint) {
  std::unique_ptr<Control> out(new Control(plugins, audit, approvals, log, endpoint));
  if (settings.control == "none") return out;
  const bool named = !settings.control.empty();
  const auto path = named ? Result<std::string>(settings.control) : own_path();
  auto socket = path ? control::Server::start(*path, out->commands_, log)
                     : Result<std::unique_ptr<control::Server>>(path.status());
  if (socket) {
    out->socket_ = std::move(*socket);
    log.write(Level::info, "control socket", {{"path", *path}});
    return out;
  }
  if (named) return socket.status();
  log.write(Level::warn, "no control socket", {{"reason", socket.message()}});
  return out;
}

}  // namespace gantry::host
