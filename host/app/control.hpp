// host/app/control.hpp: how operators reach the plugins of a host that serves.
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
  // The control socket as `settings` wants it. A path that somebody named must be had; where it is
  // the default one, a host goes on without and says so in the log. `endpoint` is where it serves.
  // `plugins` and `log` must outlive this. Main thread.
  static Result<std::unique_ptr<Control>> start(const Settings& settings, PluginAdmin& plugins,
                                                Log& log, const std::string& endpoint);

 private:
  Control(PluginAdmin& plugins, Log& log, const std::string& endpoint);

  const rpc::AdminCommands commands_;
  std::unique_ptr<control::Server> socket_;  // null without
};

}  // namespace gantry::host
