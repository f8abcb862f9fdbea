// host/loader/exclusive_swaps.hpp: replaces exclusive plugins, of which two generations must never
// be alive: calls wait in a placeholder while the old one drains and ends and the new one starts.
//
// Control thread. The swap in progress is in the plugin's entry of the table.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "host/plugin/generation.hpp"
#include "host/plugin/sealed_file.hpp"

namespace gantry::host {

class Janitor;
class PluginTable;
class Publication;
struct Candidate;
struct ExclusiveSwap;
struct PluginEntry;
struct StartAttempt;
struct StartOptions;

class ExclusiveSwaps {
 public:
  using Clock = std::chrono::steady_clock;
  // All outlive this.
  ExclusiveSwaps(const StartOptions& start, PluginTable& table, Janitor& janitor,
                 Publication& publication)
      : start_(start), table_(table), janitor_(janitor), publication_(publication) {}

  // Probes the file before the old generation is touched; then the candidate becomes the
  // placeholder. Returns why not, or an empty string.
  std::string begin(PluginEntry& entry, Candidate& candidate, SealedFilePtr file);

  // Ends the swaps whose old generation has no holders, and gives up those beyond their deadline.
  // True when there were any.
  bool advance();
  // The earliest deadline; nullopt: no swap is in progress.
  std::optional<Clock::time_point> next_deadline() const;

 private:
  void give_up(PluginEntry& entry);
  void finish(const std::string& name, PluginEntry& entry);
  StartAttempt replace(PluginEntry& entry, ExclusiveSwap& swap);
  std::string refused_offer(const std::string& name, const GenerationPtr& newcomer);

  const StartOptions& start_;
  PluginTable& table_;
  Janitor& janitor_;
  Publication& publication_;
};

}  // namespace gantry::host
