// host/loader/rollout.hpp: applies one change set: starts newcomers, checks that they fit together,
// publishes one snapshot and retires what was replaced.
//
// Control thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "host/loader/exclusive_swaps.hpp"

namespace gantry::host {

class Janitor;
class PluginTable;
class Publication;
class SeenFiles;
struct Batch;
struct Candidate;
struct ChangeSet;
struct PlanConflict;
struct PluginEntry;
struct StartOptions;

class Rollout {
 public:
  using Clock = std::chrono::steady_clock;
  // All outlive this.
  Rollout(const StartOptions& start, SeenFiles& files, PluginTable& table, Janitor& janitor,
          Publication& publication);

  // A newcomer that fails anywhere leaves its plugin as it was.
  void apply(ChangeSet set);

  // Set when a file changed between its inspection and its start: the time to compare again.
  // take_retry() is true once, when that time has come.
  std::optional<Clock::time_point> retry_at() const { return retry_at_; }
  bool take_retry();

  ExclusiveSwaps& swaps() { return swaps_; }

 private:
  void start_all(Batch& batch);
  std::string start(Candidate& candidate);
  std::string wait_for_room(const Candidate& candidate, PluginEntry& entry);
  void resolve_conflicts(Batch& batch);
  std::vector<PlanConflict> refused_offers(const Batch& batch);
  void refuse_started(Batch& batch, std::vector<PlanConflict> conflicts);
  void adopt(Batch& batch, const std::vector<std::string>& removed);

  const StartOptions& start_;
  SeenFiles& files_;
  PluginTable& table_;
  Janitor& janitor_;
  Publication& publication_;
  ExclusiveSwaps swaps_;
  std::optional<Clock::time_point> retry_at_;
};

}  // namespace gantry::host
