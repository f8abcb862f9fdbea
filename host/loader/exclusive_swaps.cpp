#include "host/loader/exclusive_swaps.hpp"

#include <algorithm>
#include <utility>

#include "host/loader/batch.hpp"
#include "host/loader/janitor.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/plugin_table.hpp"
#include "host/loader/publication.hpp"
#include "host/loader/start_attempt.hpp"

namespace gantry::host {

std::string ExclusiveSwaps::begin(PluginEntry& entry, Candidate& candidate, SealedFilePtr file) {
  const LoaderOptions& options = *start_.options;
  if (options.probe && !runs_in_worker(candidate.origin, options)) {
    const Status status = options.probe(candidate.origin, file);
    if (!status) {
      table_.record_failure(entry, candidate.origin, status.message(), false);
      return status.message();
    }
  }
  auto swap = std::make_unique<ExclusiveSwap>();
  swap->placeholder = std::make_shared<SwapPlaceholder>(*entry.serving);
  swap->old = std::move(entry.serving);
  swap->next = candidate.origin;
  swap->file = std::move(file);
  swap->deadline = Clock::now() + options.grace;
  entry.swap = std::move(swap);
  entry.serving = nullptr;
  entry.forced = false;
  candidate.origin = origin_of(*entry.swap->old);
  candidate.shown = entry.swap->placeholder;
  candidate.stays = true;
  candidate.seen = nullptr;
  return {};
}

bool ExclusiveSwaps::advance() {
  bool advanced = false;
  for (auto& [name, entry] : table_.entries()) {
    if (!entry.swap) continue;
    if (!entry.swap->old->holders().any()) {
      finish(name, entry);
    } else if (Clock::now() >= entry.swap->deadline) {
      give_up(entry);
    } else {
      continue;
    }
    advanced = true;
  }
  return advanced;
}

std::optional<ExclusiveSwaps::Clock::time_point> ExclusiveSwaps::next_deadline() const {
  std::optional<Clock::time_point> next;
  for (const auto& [name, entry] : table_.entries()) {
    if (entry.swap) next = std::min(next.value_or(entry.swap->deadline), entry.swap->deadline);
  }
  return next;
}

// The calls did not end in time: the old generation goes on.
void ExclusiveSwaps::give_up(PluginEntry& entry) {
  const std::unique_ptr<ExclusiveSwap> swap = std::move(entry.swap);
  std::string reason = "it is exclusive, and calls still held the old generation after " +
                       std::to_string(start_.options->grace.count() / 1000) +
                       " s; the old one goes on: end those calls, then reload the plugin";
  swap->old->log(GANTRY_LOG_WARNING, "its replacement is given up: " + reason);
  table_.record_failure(entry, swap->next, reason, false);
  entry.last_failure = std::move(reason);
  entry.serving = swap->old;
  publication_.publish();
  swap->placeholder->release(share(entry.serving));
}

void ExclusiveSwaps::finish(const std::string& name, PluginEntry& entry) {
  const std::unique_ptr<ExclusiveSwap> swap = std::move(entry.swap);
  StartAttempt attempt = replace(entry, *swap);
  if (attempt.status) {
    entry.serving = std::move(attempt.instance);
    table_.record_start();
  } else {
    PluginState state = refused_state(swap->next, entry.last_failure +
                                                      "; and the one before did not come up "
                                                      "again: " +
                                                      attempt.status.message());
    entry.last_failure.clear();
    table_.add_refused(std::move(state));
    publication_.discard(std::move(attempt));
    table_.remove_from_order(name);
  }
  table_.end_change(true);
  publication_.publish();
  swap->placeholder->release(share(entry.serving));
}

// Starts the new generation, or the old one's file again.
StartAttempt ExclusiveSwaps::replace(PluginEntry& entry, ExclusiveSwap& swap) {
  const std::string name = swap.next.manifest.name;
  Origin old = origin_of(*swap.old);
  old.file = entry.file;
  const SealedFilePtr old_file = swap.old->sealed();
  janitor_.end(swap.old);
  swap.old.reset();
  StartAttempt attempt = start_generation(swap.next, swap.file, start_);
  std::string problem = attempt.status.message();
  if (attempt.status) problem = refused_offer(name, attempt.instance);
  if (attempt.status && problem.empty()) {
    entry.accept(swap.next);
    return attempt;
  }
  table_.record_failure(entry, swap.next, problem, false);
  entry.last_failure = std::move(problem);
  publication_.discard(std::move(attempt));
  Result<SealedFilePtr> again = old_file->copy();  // the old library may stay mapped
  if (again) return start_generation(std::move(old), std::move(*again), start_);
  StartAttempt none;
  none.status = again.status();
  return none;
}

std::string ExclusiveSwaps::refused_offer(const std::string& name, const GenerationPtr& newcomer) {
  PluginPublisher* const publisher = start_.options->publisher;
  if (!publisher) return {};
  std::vector<InstancePtr> instances;
  for (const std::string& other : table_.order()) {
    instances.push_back(other == name ? share(newcomer) : table_[other].shown());
  }
  for (const OfferRefusal& refusal : publisher->check(instances)) {
    if (refusal.generation == newcomer->generation()) return refusal.reason;
  }
  return {};
}

}  // namespace gantry::host
