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
  // to open the default path is logged, and the server runs without a control socket. `facts` are
  // those of its commands. `plugins` and `log` must outlive this. Main thread.
  static Result<std::unique_ptr<Control>> start(const Settings& settings, PluginAdmin& plugins,
                                                Log& log, rpc::AdminFacts facts);

  // Operators can ask: the socket is open.
  bool is_open() const { return socket_ != nullptr; }

 private:
  Control(PluginAdmin& plugins, Log& log, rpc::AdminFacts facts);

  const rpc::AdminCommands commands_;
  std::unique_ptr<control::Server> socket_;  // null without
};

}  // namespace gantry::host
