#include "host/loader/rollout.hpp"

#include <algorithm>
#include <utility>

#include "host/loader/batch.hpp"
#include "host/loader/change_set.hpp"
#include "host/loader/janitor.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/plugin_table.hpp"
#include "host/loader/publication.hpp"
#include "host/loader/seen_files.hpp"
#include "host/loader/start_attempt.hpp"

namespace gantry::host {
namespace {

constexpr std::chrono::milliseconds kRetryDelay{50};

}  // namespace

Rollout::Rollout(const StartOptions& start, SeenFiles& files, PluginTable& table, Janitor& janitor,
                 Publication& publication)
    : start_(start),
      files_(files),
      table_(table),
      janitor_(janitor),
      publication_(publication),
      swaps_(start, table, janitor, publication) {}

void Rollout::apply(ChangeSet set) {
  reject_invalid_config(set.batch, *start_.options);
  plan(set.batch, *start_.options->services);
  start_all(set.batch);
  resolve_conflicts(set.batch);
  adopt(set.batch, set.removed);
}

bool Rollout::take_retry() {
  if (!retry_at_ || Clock::now() < *retry_at_) return false;
  retry_at_.reset();
  return true;
}

void Rollout::start_all(Batch& batch) {
  for (std::size_t i = 0; i < batch.candidates.size();) {
    if (batch.candidates[i].stays) {
      ++i;
      continue;
    }
    const std::size_t before = batch.candidates.size();
    if (std::string problem = start(batch.candidates[i]); !problem.empty()) {
      batch.refuse(i, std::move(problem));
    }
    if (batch.candidates.size() == before) ++i;
  }
}

// Returns the reason for a failure, or an empty string.
std::string Rollout::start(Candidate& candidate) {
  PluginEntry& entry = table_[candidate.origin.manifest.name];
  if (std::string wait = wait_for_room(candidate, entry); !wait.empty()) return wait;
  Result<SealedFilePtr> file = files_.take_file(*candidate.seen);
  if (!file) {
    retry_at_ = Clock::now() + kRetryDelay;
    return file.message();
  }
  const bool exclusive = candidate.origin.manifest.exclusive ||
                         (candidate.serving && candidate.serving->manifest().exclusive);
  if (exclusive && candidate.serving) return swaps_.begin(entry, candidate, std::move(*file));
  StartAttempt attempt = start_generation(candidate.origin, std::move(*file), start_);
  if (!attempt.status) {
    const bool denied = attempt.instance && attempt.instance->was_denied();
    std::string reason = attempt.status.message();
    table_.record_failure(entry, candidate.origin, reason, denied);
    publication_.discard(std::move(attempt));
    return reason;
  }
  candidate.made = std::move(attempt.instance);
  return {};
}

// The generations of a plugin are bounded, of an exclusive one to one. When an older one has ended
// the files are compared again, so the newest file starts.
std::string Rollout::wait_for_room(const Candidate& candidate, PluginEntry& entry) {
  const std::size_t draining = janitor_.draining(candidate.origin.manifest.name);
  const std::size_t alive = draining + (candidate.serving ? 1U : 0U);
  const bool only_one = candidate.origin.manifest.exclusive && draining > 0;
  entry.parked = only_one || alive >= start_.options->max_generations;
  if (!entry.parked) return {};
  return "it waits until one of the plugin's older generations is gone, which calls still hold: " +
         std::to_string(draining);
}

void Rollout::resolve_conflicts(Batch& batch) {
  for (;;) {
    std::vector<PlanConflict> conflicts = find_conflicts(batch, *start_.options->services);
    if (conflicts.empty()) conflicts = refused_offers(batch);
    if (conflicts.empty()) return;
    refuse_started(batch, std::move(conflicts));
  }
}

std::vector<PlanConflict> Rollout::refused_offers(const Batch& batch) {
  std::vector<PlanConflict> conflicts;
  if (!start_.options->publisher) return conflicts;
  std::vector<InstancePtr> instances;
  for (const Candidate& candidate : batch.candidates) {
    instances.push_back(candidate.made ? share(candidate.made) : candidate.shown);
  }
  for (OfferRefusal& refusal : start_.options->publisher->check(instances)) {
    for (std::size_t i = 0; i < batch.candidates.size(); ++i) {
      const GenerationPtr& made = batch.candidates[i].made;
      if (!made || made->generation() != refusal.generation) continue;
      conflicts.push_back({i, std::move(refusal.reason)});
    }
  }
  return conflicts;
}

// From the last index down, so that the others stay valid.
void Rollout::refuse_started(Batch& batch, std::vector<PlanConflict> conflicts) {
  std::sort(conflicts.begin(), conflicts.end(),
            [](const auto& a, const auto& b) { return a.index > b.index; });
  for (PlanConflict& conflict : conflicts) {
    Candidate& candidate = batch.candidates[conflict.index];
    PluginEntry& entry = table_[candidate.origin.manifest.name];
    table_.record_failure(entry, candidate.origin, conflict.reason, true);
    StartAttempt attempt;
    attempt.instance = std::move(candidate.made);
    attempt.created = attempt.started = true;
    publication_.discard(std::move(attempt));
    batch.refuse(conflict.index, std::move(conflict.reason));
  }
}

void Rollout::adopt(Batch& batch, const std::vector<std::string>& removed) {
  std::vector<GenerationPtr> old;
  std::vector<std::string> order;
  for (Candidate& candidate : batch.candidates) {
    const std::string& name = candidate.origin.manifest.name;
    order.push_back(name);
    if (!candidate.made) continue;
    PluginEntry& entry = table_[name];
    if (std::exchange(entry.forced, false)) entry.quarantined.clear();
    entry.accept(candidate.origin);
    old.push_back(std::exchange(entry.serving, std::move(candidate.made)));
    table_.record_start();
  }
  table_.set_order(std::move(order));
  for (const PluginState& state : batch.failed) table_[state.name].last_failure = state.reason;
  for (const std::string& name : removed) {
    PluginEntry& entry = table_[name];
    old.push_back(std::exchange(entry.serving, nullptr));
    entry.last_failure.clear();
  }
  table_.set_refused(std::move(batch.refused));
  table_.end_change(!old.empty());
  publication_.publish_instances();
  for (auto at = old.rbegin(); at != old.rend(); ++at) janitor_.retire(std::move(*at));
  publication_.show();
}

}  // namespace gantry::host
