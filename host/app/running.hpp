// host/app/running.hpp: what both transports serve, and how they report that they cannot.
//
// References to what run() owns; they outlive serving. Main thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "host/app/access.hpp"
#include "host/app/observers.hpp"
#include "host/app/plugins.hpp"
#include "host/app/signals.hpp"
#include "host/config/settings.hpp"
#include "host/observe/log.hpp"
#include "host/observe/metrics.hpp"
#include "host/rpc/protocol_settings.hpp"

namespace gantry::host {

inline constexpr int kBadConfiguration = 2, kCannotListen = 3;

// Says why on standard error, at every log level, and returns `code`.
int refuse(const Status& status, int code);

struct Running {
  const Settings& settings;
  AgentAccess& access;
  Plugins& plugins;
  const Signals& signals;
  const Observers& observers;
  Log& log;
  Metrics& metrics;
  std::filesystem::path state;             // the state directory
  std::string config_file;                 // empty: none
  std::function<Settings()> settings_now;  // with the keys that apply without a restart

  // `one_agent`: all requests act as one agent.
  rpc::ProtocolSettings protocol(bool one_agent) const;
};

}  // namespace gantry::host
