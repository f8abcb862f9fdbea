// host/plugin/instance.hpp: one loaded generation of a plugin.
//
// Made and owned by the loader; registry snapshots and running calls hold pointers to it. When the
// last of those is dropped, the loader stops, destroys and unloads it on the control thread; the
// destructor runs no code of the plugin.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/abi.h>
#include <gantry/result.hpp>

#include "host/base/strand.hpp"
#include "host/config/plugin_settings.hpp"
#include "host/plugin/manifest.hpp"

namespace gantry::host {

class Instance;
using InstancePtr = std::shared_ptr<Instance>;

// Facts about a call that a worker needs beyond those of the contract.
struct WorkerCallInfo {
  // Bytes that fit into its answer for certain, and into its caller's where its parts are
  // forwarded.
  std::size_t room = 0;
  bool nested = false;          // made by a plugin
  bool ends_in_plugin = false;  // its end runs a plugin's code
  GroupId group = 0;            // of its caller; calls of one group share places with others
};

// The host side of the contract; implemented above the loader and given to it.
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
  // The instance's URIs that have subscribers.
  virtual std::vector<std::string> watched(Instance&) { return {}; }
  // The facts of a call that has not ended. No other thread may write to it meanwhile.
  virtual WorkerCallInfo call_info(const gantry_call&) { return {}; }
  // Runs `work`, which may block, on a thread of the host's pool, at the cost of the client whose
  // call `call` belongs to; null: of none. False: the pool has ended.
  virtual bool post(const gantry_call* /*call*/, std::function<void()> /*work*/) { return false; }
  // Runs `wait`, which blocks this thread; if it is one of the pool's, another works in its place.
  virtual void blocking(const std::function<void()>& wait) { wait(); }
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
  // again in release builds. Other plugins' results are checked on every call.
  bool builtin() const { return builtin_; }
  // The members of manifest().needs that other plugins provide, not the host.
  const std::vector<std::string>& plugin_needs() const { return plugin_needs_; }
  gantry_host* host_handle() { return handle_; }
  // True from the beginning of start() until the beginning of stop(): in between the plugin may
  // change its offer and report events.
  virtual bool is_started() const { return true; }
  // Logs, once for each, that it used the service `id`, which its manifest does not name.
  virtual void report_undeclared(std::string_view /*id*/) {}

  // Enters the plugin. Never throws; see plugin.h for threads. The caller keeps the rules: one at
  // a time through strand() unless manifest().reentrant.
  virtual gantry_status invoke(std::string_view kind, std::string_view name,
                               gantry_call* call) noexcept = 0;

  // The placeholder of an exclusive plugin that is being replaced returns true; then `go_on` is
  // called once, on any thread, with the instance to enter instead, or with null when there is
  // none. Other instances return false.
  virtual bool hold(std::function<void(InstancePtr)> /*go_on*/) { return false; }
  bool in_worker() const { return in_worker_; }  // runs in a process of its own

  // Calls that were answered but have not returned from the plugin; counted by the engine. Shared,
  // so that reading the count keeps no plugin alive. Any thread.
  using CallCount = std::shared_ptr<std::atomic<int>>;
  const CallCount& abandoned_calls() const { return abandoned_calls_; }

  // Orders the calls of a plugin that is not re-entrant.
  Strand& strand() { return strand_; }

 protected:
  Manifest manifest_;
  PluginSettings settings_;
  std::filesystem::path file_;
  std::string sha256_;
  std::uint64_t generation_ = 0;
  bool builtin_ = false;
  bool in_worker_ = false;
  std::vector<std::string> plugin_needs_;
  gantry_host* handle_ = nullptr;
  CallCount abandoned_calls_ = std::make_shared<std::atomic<int>>(0);
  Strand strand_;
};

// The instance behind a contract handle; valid while the instance lives. host_handle.hpp says what
// a handle is.
Instance& instance_of(gantry_host* handle);

}  // namespace gantry::host
