// host/plugin/generation.hpp: an instance whose life the loader runs, whatever process it is in.
//
// create, start, stop, destroy and close run on the control thread, in this order; the rest on any
// thread. The destructor runs no code of the plugin: what was not ended stays where it is.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "host/plugin/host_handle.hpp"
#include "host/plugin/instance.hpp"
#include "host/plugin/log_sink.hpp"
#include "host/plugin/sealed_file.hpp"

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

// How a generation is by itself, beyond what the loader did with it.
struct Health {
  enum class Mode { serving, restarting, quarantined };
  Mode mode = Mode::serving;
  std::string reason;          // why it does not serve; empty when it does
  std::uint64_t restarts = 0;  // of its worker
  int pid = 0;                 // of its worker; 0 = none
  int abandoned_calls = 0;     // answered, but still inside it
};

class Generation : public Instance {
 public:
  // Errors carry the last line the plugin logged at error level or worse.
  virtual Status create() = 0;
  virtual Status start() = 0;
  // A negative status is logged; the code stays where it is then.
  virtual void stop(std::chrono::steady_clock::time_point deadline) = 0;
  virtual void destroy() = 0;
  // After a stop() that failed something may still run: the code stays for ever.
  virtual void pin() = 0;
  // Takes the code out of memory; true when it is gone.
  virtual bool close() = 0;

  // Whoever changes it tells the loader (MakeWorker's `changed`). Any thread.
  virtual Health health() const;

  // The bytes that its code was loaded from; set once, by the loader.
  const SealedFilePtr& sealed() const { return sealed_; }
  void set_sealed(SealedFilePtr sealed) { sealed_ = std::move(sealed); }

  bool is_started() const override { return may_offer_; }
  bool has_offered() const { return offered_; }
  // An offer of it took names that others own.
  bool was_denied() const { return denied_; }
  bool was_stopped_well() const { return stopped_well_; }
  // The last error line since create(), start() or this was called; empty when there is none.
  std::string take_reason();

  // What the contract's host table does for this plugin.
  const void* service(std::string_view id) const;
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
  SealedFilePtr sealed_;
  LogSink log_;
  gantry_host host_;
  std::mutex reason_mutex_;
  std::string reason_;
};

using GenerationPtr = std::shared_ptr<Generation>;

// What a generation was made from.
Origin origin_of(const Generation& generation);

// False when somebody beside the caller still holds the instance at the deadline.
bool wait_until_unused(const GenerationPtr& instance,
                       std::chrono::steady_clock::time_point deadline);

// For an instance whose code may still be on a thread: it and its library outlive everything.
void keep_for_ever(GenerationPtr instance);

}  // namespace gantry::host
