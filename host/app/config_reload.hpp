// host/app/config_reload.hpp: reloads the configuration while the server runs.
//
// The file is read again when it changes and when the process gets SIGHUP. An invalid file is
// reported and changes nothing. Changes that need a restart are named and change nothing either.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gantry/status.hpp>

#include "host/config/flags.hpp"
#include "host/observe/log.hpp"
#include "host/watch/watcher.hpp"

namespace gantry::host {

class ConfigReload {
 public:
  // `read` reads the command line and its file anew. `apply` applies the settings that may change,
  // or returns an error; it is called only if one of them differs. Both run on a thread of this
  // object, one at a time. `hangup` is a descriptor that becomes readable with SIGHUP. `log` must
  // outlive this.
  ConfigReload(const CommandLine& line, int hangup, std::function<CommandLine()> read,
               std::function<Status(const Settings&)> apply, Log& log);

 private:
  void reread();
  void refuse(const std::string& reason);
  Status take_over(const Settings& next);

  Settings now_;
  const std::string file_;
  const std::function<CommandLine()> read_;
  const std::function<Status(const Settings&)> apply_;
  Log& log_;
  bool first_ = true;     // the watcher's first call, for changes while the server started
  std::string reported_;  // the last fault that was logged
  Watcher watcher_;       // last: it uses the others
};

}  // namespace gantry::host
