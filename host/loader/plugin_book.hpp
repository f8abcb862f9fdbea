// host/loader/plugin_book.hpp: what the loader knows of each plugin. Values; control thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "host/loader/stand_in.hpp"
#include "host/plugin/generation.hpp"

namespace gantry::host {

// A file and configuration that did not come up: not tried again as they are.
struct Attempt {
  std::string sha256;
  PluginSettings settings;
  bool builtin = false;
  std::string reason;
  // Another plugin stood in its way: it is tried again once this change set is not the last.
  std::optional<std::uint64_t> until_change;

  bool is_of(const Origin& origin, std::uint64_t change) const {
    if (until_change && *until_change != change) return false;
    return sha256 == origin.sha256 && builtin == origin.builtin && settings == origin.settings;
  }
};

// An exclusive plugin on its way from one generation to the next.
struct Exchange {
  std::shared_ptr<StandIn> stand_in;
  GenerationPtr old;
  Origin next;
  SealedFilePtr file;  // of `next`
  std::chrono::steady_clock::time_point deadline;
};

inline constexpr const char* kUnusable = "unusable";

// One plugin name. `serving` is null while there is an exchange.
struct PluginEntry {
  GenerationPtr serving;
  std::filesystem::path file;  // from which it is, also when that was moved
  std::optional<Attempt> failed;
  std::string last_failure;  // of what should serve now
  bool unloading = false;    // the file as it is now shall not be loaded
  std::string unloaded;      // its sha256; of a file that is no plugin: kUnusable
  std::string quarantined;   // the operator's; sha256 of the file that shall not be shown
  bool forced = false;       // a new generation, whatever changed
  bool parked = false;       // its newest file waits until older generations are gone
  std::unique_ptr<Exchange> exchange;

  bool is_loaded() const { return serving || exchange; }
  const GenerationPtr& code() const { return exchange ? exchange->old : serving; }
  InstancePtr shown() const {
    if (exchange) return exchange->stand_in;
    return serving;
  }
};

using PluginBook = std::map<std::string, PluginEntry, std::less<>>;

}  // namespace gantry::host
