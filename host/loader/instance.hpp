// host/loader/instance.hpp: one loaded generation of a plugin.
//
// Made by the loader on its control thread, shared by registry snapshots and running calls. The
// loader keeps it until nobody else does, then stops, destroys and unloads it on the control
// thread; the destructor itself runs no code of the plugin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/abi.h>
#include <gantry/result.hpp>

#include "host/base/strand.hpp"
#include "host/loader/manifest.hpp"

namespace gantry::host {

class Instance;

// What stands behind the contract's host side; implemented above the loader and given to it.
// All functions: any thread.
class HostServices {
 public:
  virtual ~HostServices() = default;
  // The table of a host service ("gantry.call/1"), or null when this host has no such service.
  virtual const void* service(std::string_view id) const = 0;
  // Replaces the offer of `instance`; the Status is logged and returned to the plugin.
  virtual Status offer(Instance& instance, std::string_view items_json) = 0;
  // gantry.events/1, of a plugin that is between start() and stop().
  virtual gantry_status resource_changed(Instance&, std::string_view /*uri*/,
                                         std::string_view /*metadata*/, bool /*deleted*/) {
    return GANTRY_UNSUPPORTED;
  }
  virtual gantry_status list_changed(Instance&) { return GANTRY_UNSUPPORTED; }
  // Which of the instance's URIs somebody is subscribed to.
  virtual std::vector<std::string> watched(Instance&) { return {}; }
};

// A secret by reference: exactly one of the two is set.
struct SecretRef {
  std::string environment;
  std::filesystem::path file;
};

// What the operator says about one plugin.
struct PluginSettings {
  std::string config = "{}";             // JSON object
  Isolate isolate = Isolate::automatic;  // automatic: what the manifest says
  bool may_override = false;             // it may take the names of built-in plugins' items
  std::map<std::string, SecretRef, std::less<>> secrets;
};

class Instance {
 public:
  virtual ~Instance() = default;

  const Manifest& manifest() const { return manifest_; }
  const PluginSettings& settings() const { return settings_; }
  const std::filesystem::path& file() const { return file_; }  // as the operator named it
  const std::string& sha256() const { return sha256_; }        // of the file's bytes, hex
  std::uint64_t generation() const { return generation_; }     // counts up, per process
  // A file of the built-in directory: it owns its names, and its structured results are not parsed
  // again in release builds. Everybody else's are checked on every call.
  bool builtin() const { return builtin_; }
  // Those of manifest().needs that other plugins, not the host, provide.
  const std::vector<std::string>& plugin_needs() const { return plugin_needs_; }
  gantry_host* host_handle() { return handle_; }
  // Between the beginning of start() and that of stop(): it may say what it offers and what has
  // changed.
  virtual bool is_started() const { return true; }

  // Enters the plugin. Never throws; see plugin.h for threads. The caller keeps the rules: one at
  // a time through strand() unless manifest().reentrant.
  virtual gantry_status invoke(std::string_view kind, std::string_view name,
                               gantry_call* call) noexcept = 0;

  // Orders the calls of a plugin that is not re-entrant.
  Strand& strand() { return strand_; }

 protected:
  Manifest manifest_;
  PluginSettings settings_;
  std::filesystem::path file_;
  std::string sha256_;
  std::uint64_t generation_ = 0;
  bool builtin_ = false;
  std::vector<std::string> plugin_needs_;
  gantry_host* handle_ = nullptr;
  Strand strand_;
};

using InstancePtr = std::shared_ptr<Instance>;

// The instance behind a contract handle; valid while the instance lives. host_handle.hpp says what
// a handle is.
Instance& instance_of(gantry_host* handle);

}  // namespace gantry::host
