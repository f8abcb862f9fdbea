// host/plugin/generation.hpp: an instance whose life the loader runs, in this process or a worker.
//
// create, start, stop, destroy and close run on the control thread, in this order; the rest on any
// thread. The loader owns it; snapshots and calls get pointers from share(). The destructor runs no
// code of the plugin: a generation that was not ended keeps its code mapped.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "host/plugin/holders.hpp"
#include "host/plugin/host_handle.hpp"
#include "host/plugin/instance.hpp"
#include "host/plugin/log_sink.hpp"
#include "host/plugin/sealed_file.hpp"

namespace gantry::host {

// The source of an instance and the operator's settings for it.
struct Origin {
  Manifest manifest;
  PluginSettings settings;
  std::filesystem::path file;
  std::string sha256;
  bool builtin = false;
  std::vector<std::string> plugin_needs;
};

// The condition of a generation that is loaded.
struct Health {
  enum class Mode { serving, restarting, quarantined };
  Mode mode = Mode::serving;
  std::string reason;          // why it does not serve; empty when it does
  std::uint64_t restarts = 0;  // of its worker
  int pid = 0;                 // of its worker; 0 = none
  int abandoned_calls = 0;     // answered, but still inside the plugin
};

// It has more than twenty methods: the steps of a plugin's life, and the facts that the loader
// asks.
class Generation : public Instance {
 public:
  // Errors carry the last line the plugin logged at error level or worse.
  virtual Status create() = 0;
  virtual Status start() = 0;
  // A negative status is logged; the code stays where it is then.
  virtual void stop(std::chrono::steady_clock::time_point deadline) = 0;
  virtual void destroy() = 0;
  // For a stop() that failed: the plugin's threads may still run, so its code stays mapped for
  // ever.
  virtual void pin() = 0;
  // Unmaps the code; true when it is gone.
  virtual bool close() = 0;

  // Each change of it calls MakeWorker's `changed`. Any thread.
  virtual Health health() const;

  Holders& holders() { return holders_; }

  // The bytes that its code was loaded from; set once, by the loader.
  const SealedFilePtr& sealed() const { return sealed_; }
  void set_sealed(SealedFilePtr sealed) { sealed_ = std::move(sealed); }

  bool is_started() const override { return may_offer_; }
  void report_undeclared(std::string_view id) override;
  bool has_offered() const { return offered_; }
  // One of its offers took names that other plugins own.
  bool was_denied() const { return denied_; }
  bool was_stopped_well() const { return stopped_well_; }
  // The last line logged at error level or worse since create(), start() or this was called.
  std::string take_reason();

  // The contract's host table, for this plugin.
  const void* service(std::string_view id);
  void log(int level, std::string_view text);
  gantry_status offer(std::string_view json);

 protected:
  Generation(Origin origin, HostServices& services, LogSink log);

  // The Status of a step that ended with `status`, with the reason the plugin logged.
  Status failed(const char* step, gantry_status status);

  HostServices& services_;
  std::atomic<bool> may_offer_ = false;
  std::atomic<bool> offered_ = false;
  std::atomic<bool> denied_ = false;
  bool stopped_well_ = true;

 private:
  Holders holders_;
  SealedFilePtr sealed_;
  LogSink log_;
  gantry_host host_;
  std::mutex reason_mutex_;  // of both
  std::string reason_;
  std::vector<std::string> undeclared_;  // services that were asked for
};

using GenerationPtr = std::shared_ptr<Generation>;

// For snapshots and calls: counted by holders(). Null for null. Control thread.
InstancePtr share(const GenerationPtr& generation);

// The origin that a generation was made from.
Origin origin_of(const Generation& generation);

// For a generation whose code may still run on a thread: it is never destroyed.
void keep_for_ever(GenerationPtr instance);

}  // namespace gantry::host
