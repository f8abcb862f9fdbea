// gantry/host.hpp: the host as a plugin sees it: log, services, configuration.
//
// A Host is two pointers, cheap to copy, valid until the plugin's destructor has run. It is the
// identity of one instance: never keep it in a global that another instance of the plugin could
// use. All functions may be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gantry/abi/config.h>
#include <gantry/abi/host.h>
#include <gantry/bytes.hpp>
#include <gantry/fields.hpp>

namespace gantry {

// Owns: nothing; the table and the handle are the host's, and they end after the plugin's
// destructor. Errors: log() never fails. config() fails with the path of the wrong member, a fault
// of the operator. offer() returns the codes of the contract.
class Host {
 public:
  Host(const gantry_host_api& api, gantry_host* handle) : api_(&api), handle_(handle) {}

  // Writes a line to the host's log under this plugin's name; text beyond 16 KiB is cut, and a
  // level outside GANTRY_LOG_* counts as an error. The last line at error or worse inside the
  // constructor, start() or self_check() is shown to the operator as the reason of a failure.
  // Secrets and data of callers do not belong here.
  void log(std::int32_t level, std::string_view text) const {
    api_->log(handle_, level, to_bytes(text));
  }
  // The usual levels. debug() is for authors: operators see it only if they ask for it.
  void error(std::string_view text) const { log(GANTRY_LOG_ERROR, text); }
  void warning(std::string_view text) const { log(GANTRY_LOG_WARNING, text); }
  void info(std::string_view text) const { log(GANTRY_LOG_INFO, text); }
  void debug(std::string_view text) const { log(GANTRY_LOG_DEBUG, text); }

  // A service's table, or null if the host has none or the manifest's "needs" or "wants" does not
  // name it. `id` is NUL-terminated, at most 63 bytes. The table is valid as long as the Host.
  // Check its size with GANTRY_HAS before you use a member that was added later. Most services have
  // a class: Invoke, Secrets, Catalog (services.hpp), Input, Task, Events.
  template <class Table>
  const Table* service(const char* id) const {
    return static_cast<const Table*>(api_->service(handle_, id));
  }

  // This plugin's section of the configuration: a JSON object that satisfies the manifest's
  // "config" schema; "{}" if there is none, or without gantry.config/1 in "needs". It never changes
  // for an instance: a changed configuration starts a new one. Valid as long as the Host.
  std::string_view config_text() const {
    const auto* table = service<gantry_config_api>(GANTRY_CONFIG_SERVICE);
    return table == nullptr ? std::string_view("{}") : to_view(table->get(handle_));
  }

  // The same, parsed into a described struct (fields.hpp). A failed Result names the place
  // ("config.url: is missing; …"); return it from start() to refuse the plugin:
  //
  //   auto read = host().config<Settings>();
  //   if (!read) return read.status();
  //   settings_ = std::move(*read);
  template <Described T>
  Result<T> config() const {
    Result<Json> json = Json::parse(config_text());
    if (!json) return json.status();
    return read<T>(*json, "config");
  }

  // Replaces the plugin's whole offer; see gantry_host_api.offer. Plugins made with plugin.hpp use
  // reoffer() instead, which also replaces the handlers.
  gantry_status offer(std::string_view items_json) const {
    return api_->offer(handle_, to_bytes(items_json));
  }

  // For use with the C contract: the host's table and this instance's handle.
  const gantry_host_api& api() const { return *api_; }
  gantry_host* handle() const { return handle_; }

 private:
  // Set once; a Host is never without them.
  const gantry_host_api* api_;
  gantry_host* handle_;
};

}  // namespace gantry
