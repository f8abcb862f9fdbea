// host/app/control.hpp: the control socket of a running server.
#pragma once

#include <memory>
#include <string>

#include "host/config/read.hpp"
#include "host/config/settings.hpp"
#include "host/control/server.hpp"
#include "host/observe/log.hpp"
#include "host/plugin/admin.hpp"
#include "host/rpc/admin/commands.hpp"

namespace gantry::host {

class Control {
 public:
  // Opens the control socket of `settings`. Failure to open a configured path is an error; failure
  // to open the default path is logged, and the server runs without a control socket. `endpoint` is
  // the address that the command plugin.list reports.
  // `plugins`, `audit`, `approvals` and `log` must outlive this. Main thread.
  static Result<std::unique_ptr<Control>> start(const Settings& settings, PluginAdmin& plugins,
                                                const Audit& audit, Approvals& approvals, Log& log,
                                                const std::string& endpoint);
  // Operators can ask: the socket is open.
  bool is_open() const { return socket_ != nullptr; }

 private:
  Control(PluginAdmin& plugins, const Audit& audit, Approvals& approvals, Log& log,
          const std::string& endpoint);

  const rpc::AdminCommands commands_;
  std::unique_ptr<control::Server> socket_;  // null without
};

}  // namespace gantry::host
