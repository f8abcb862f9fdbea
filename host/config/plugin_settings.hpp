// host/config/plugin_settings.hpp: the operator's settings for one plugin, with keys and defaults.
//
// Values. The visitors are described in settings.hpp.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sdk/contract/words.hpp"

namespace gantry::host {

using contract::Isolate;
using contract::kIsolateWords;

// A secret by reference: exactly one of the two is set.
struct SecretRef {
  std::string environment;
  std::filesystem::path file;
  bool operator==(const SecretRef&) const = default;
};

// Files and directories that a worker may use beside its own. Absolute paths.
struct FileGrants {
  std::vector<std::filesystem::path> read, write;  // write: and read
  bool operator==(const FileGrants&) const = default;
};

// Limits of a plugin in a worker process.
struct WorkerLimits {
  std::uint64_t memory_bytes = std::uint64_t{1} << 30U;  // of address space; 0 = any
  std::chrono::seconds cpu{60};  // of processor time from one answer to the next; 0 = any
  int descriptors = 256;         // open files
  int threads = 256;             // of the worker and its child processes together; 0 = any
  std::uint64_t disk_bytes = std::uint64_t{64} << 20U;  // in its temporary directory; 0 = any
  std::uint64_t log_bytes = std::uint64_t{64} << 10U;   // a second, printed or logged; 0 = any
  int calls = 64;          // in the worker at once; more wait for a place
  bool network = false;    // sockets other than its own to the host
  bool processes = false;  // other programs; they are killed with the worker
  FileGrants files{};
  bool walls = true;  // false: it reaches every file that the host's user reaches
  // The time for which a call may stay in the plugin after its deadline or cancellation, before the
  // worker is killed.
  std::chrono::milliseconds kill_after{1000};
  // So many failures within the time quarantine the plugin; 0 = never.
  int failures = 5;
  std::chrono::milliseconds within{60'000};
  bool operator==(const WorkerLimits&) const = default;
};

// A change starts a new generation.
struct PluginSettings {
  std::string config = "{}";  // JSON object
  Isolate isolate = Isolate::automatic;
  // It may take the names of built-in plugins' items: it is one of Settings::overrides.
  bool may_override = false;
  bool enabled = true;  // false: never loaded
  std::map<std::string, SecretRef, std::less<>> secrets;
  WorkerLimits worker;
  bool operator==(const PluginSettings&) const = default;
};
// By the plugin's name.
using SettingsByName = std::map<std::string, PluginSettings, std::less<>>;

template <class S, class Visit>
void visit_files(S& s, Visit&& visit) {
  visit("read", s.read);
  visit("write", s.write);
}

// The part of a worker's limits that the group `allow` holds.
template <class W>
struct AllowGroup {
  W& worker;
};

template <class W, class Visit>
void visit_allow(const AllowGroup<W>& s, Visit&& visit) {
  visit("files", s.worker.files);
  visit("network", s.worker.network);
  visit("processes", s.worker.processes);
}

template <class S, class Visit>
void visit_worker(S& s, Visit&& visit) {
  visit("memory_bytes", s.memory_bytes);
  visit("cpu_seconds", s.cpu);
  visit("descriptors", s.descriptors);
  visit("threads", s.threads);
  visit("disk_bytes", s.disk_bytes);
  visit("log_bytes_per_second", s.log_bytes);
  visit("calls", s.calls);
  visit("kill_after_ms", s.kill_after);
  visit("failures", s.failures);
  visit("within_ms", s.within);
}

// Without the configuration, which is JSON of the plugin's own.
template <class S, class Visit>
void visit_plugin(S& s, Visit&& visit) {
  AllowGroup<std::remove_reference_t<decltype((s.worker))>> allow{s.worker};
  visit("secrets", s.secrets);
  visit.word("isolate", s.isolate, kIsolateWords);
  visit("enabled", s.enabled);
  visit("allow", allow);
  visit.word(
      "walls", s.worker.walls,
      std::array<std::pair<std::string_view, bool>, 2>{{{"required", true}, {"none", false}}});
  visit("worker", s.worker);
}

}  // namespace gantry::host
