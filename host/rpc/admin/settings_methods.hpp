// host/rpc/admin/settings_methods.hpp: settings.show: every key with its value and its source.
//
// The keys that apply without a restart are as they are now. What may be a secret is shown as a
// fingerprint: texts of plugins' configurations, the value of http.require_header, and keys of the
// environment. Reads the configuration file; any thread.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "host/config/settings.hpp"
#include "host/rpc/admin/method.hpp"

namespace gantry::host::rpc {

struct SettingsFacts {
  std::function<Settings()> now;  // of the file and the flags
  std::string config_file;        // empty: none
  // Variables that were read: name and value; the value is shown as its fingerprint.
  std::vector<std::pair<std::string, std::string>> environment;
};

AdminMethods settings_methods(const SettingsFacts& facts);

}  // namespace gantry::host::rpc
