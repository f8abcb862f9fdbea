// gantry/host.hpp: the host as a plugin sees it: log, services, configuration.
//
// A Host is two pointers, cheap to copy, valid until the plugin's destructor has run. All functions
// may be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gantry/abi/config.h>
#include <gantry/abi/host.h>
#include <gantry/bytes.hpp>
#include <gantry/fields.hpp>

namespace gantry {

class Host {
 public:
  Host(const gantry_host_api& api, gantry_host* handle) : api_(&api), handle_(handle) {}

  // Writes a line to the host's log under this plugin's name; text beyond 16 KiB is cut.
  void log(std::int32_t level, std::string_view text) const {
    api_->log(handle_, level, to_bytes(text));
  }
  void error(std::string_view text) const { log(GANTRY_LOG_ERROR, text); }
  void warning(std::string_view text) const { log(GANTRY_LOG_WARNING, text); }
  void info(std::string_view text) const { log(GANTRY_LOG_INFO, text); }
  void debug(std::string_view text) const { log(GANTRY_LOG_DEBUG, text); }

  // A service's table, or null if the host has none or the manifest's "needs" does not name it.
  // Check the table's size with GANTRY_HAS before you use a member that was added later.
  template <class Table>
  const Table* service(const char* id) const {
    return static_cast<const Table*>(api_->service(handle_, id));
  }

  // This plugin's section of the configuration as JSON; "{}" without gantry.config/1.
  std::string_view config_text() const {
    const auto* table = service<gantry_config_api>(GANTRY_CONFIG_SERVICE);
    return table == nullptr ? std::string_view("{}") : to_view(table->get(handle_));
  }

  // The same, parsed into a described struct (fields.hpp).
  template <Described T>
  Result<T> config() const {
    Result<Json> json = Json::parse(config_text());
    if (!json) return json.status();
    return read<T>(*json, "config");
  }

  // Replaces the plugin's whole offer; see gantry_host_api.offer. Plugins made with plugin.hpp use
  // reoffer() instead.
  gantry_status offer(std::string_view items_json) const {
    return api_->offer(handle_, to_bytes(items_json));
  }

  const gantry_host_api& api() const { return *api_; }
  gantry_host* handle() const { return handle_; }

 private:
  const gantry_host_api* api_;
  gantry_host* handle_;
};

}  // namespace gantry
