// host/loader/loaded_instance.hpp: an instance whose code is in a mapped library.
//
// create, start, stop, destroy and close run on the control thread, in this order; the rest on any
// thread. The destructor runs no code of the plugin: what was not ended stays mapped.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "host/loader/host_handle.hpp"
#include "host/loader/instance.hpp"
#include "host/loader/library.hpp"
#include "host/loader/log_sink.hpp"

namespace gantry::host {

// Where an instance comes from and what the operator said about it.
struct Origin {
  Manifest manifest;
  PluginSettings settings;
  std::filesystem::path file;
  std::string sha256;
  bool builtin = false;
  std::vector<std::string> plugin_needs;
};

class LoadedInstance final : public Instance {
 public:
  LoadedInstance(Origin origin, Library library, HostServices& services, LogSink log);

  // Errors carry the last line the plugin logged at error level or worse.
  Status create();
  Status start();
  // A negative status is logged; the library stays mapped then.
  void stop(std::chrono::steady_clock::time_point deadline);
  void destroy();
  // Keeps the library mapped for ever: after a stop() that failed something may still run in it.
  void pin() { library_.pin(); }
  // Unmaps the library; true when it is gone.
  bool close();

  gantry_status invoke(std::string_view kind, std::string_view name,
                       gantry_call* call) noexcept override;

  bool is_started() const override { return may_offer_; }
  bool has_offered() const { return offered_; }
  bool was_stopped_well() const { return stopped_well_; }
  // The last error line since create(), start() or this was called; empty when there is none.
  std::string take_reason();

  // What the contract's host table does for this plugin.
  const void* service(std::string_view id) const;
  void log(int level, std::string_view text);
  gantry_status offer(std::string_view json);

 private:
  Status failed(const char* step, gantry_status status);
  template <class Function>
  gantry_status guarded(const char* step, Function function) noexcept;

  Library library_;
  HostServices& services_;
  LogSink log_;
  gantry_host host_;
  void* self_ = nullptr;
  std::atomic<bool> may_offer_ = false;
  std::atomic<bool> offered_ = false;
  bool stopped_well_ = true;
  std::mutex reason_mutex_;
  std::string reason_;
};

using LoadedPtr = std::shared_ptr<LoadedInstance>;

// False when somebody beside the caller still holds the instance at the deadline.
bool wait_until_unused(const LoadedPtr& instance, std::chrono::steady_clock::time_point deadline);

// For an instance whose code may still be on a thread: it and its library outlive everything.
void keep_for_ever(LoadedPtr instance);

}  // namespace gantry::host
