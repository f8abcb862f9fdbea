// One change set: what the files and the operator say, brought up, published, the old retired.
#include <algorithm>
#include <utility>

#include "host/loader/live.hpp"

namespace gantry::host {

void Live::follow() {
  if (ended_) return;
  std::vector<PluginSource> sources = given_;
  sources.insert(sources.end(), added_.begin(), added_.end());
  ChangeSet set = compare(files_.look(sources), options_, remembered_, changes_, book_);
  refuse_unfit(set.batch, options_);
  plan(set.batch, *options_.services);
  raise(set.batch);
  settle(set.batch);
  adopt(set.batch, set.removed);
  files_.drop_bytes();
  first_ = false;
}

void Live::raise(Batch& batch) {
  for (std::size_t i = 0; i < batch.candidates.size();) {
    if (batch.candidates[i].stays) {
      ++i;
      continue;
    }
    const std::size_t before = batch.candidates.size();
    if (std::string problem = raise(batch.candidates[i]); !problem.empty()) {
      batch.refuse(i, std::move(problem));
    }
    if (batch.candidates.size() == before) ++i;
  }
}

// Why it is not up, or empty.
std::string Live::raise(Candidate& candidate) {
  PluginEntry& entry = book_[candidate.origin.manifest.name];
  if (std::string wait = wait_for_place(candidate, entry); !wait.empty()) return wait;
  Result<SealedFilePtr> file = files_.take_file(*candidate.seen);
  if (!file) {
    again_ = true;
    return file.message();
  }
  const bool exclusive = candidate.origin.manifest.exclusive ||
                         (candidate.serving && candidate.serving->manifest().exclusive);
  if (exclusive && candidate.serving) {
    return begin_exchange(entry, candidate, std::move(*file));
  }
  Raised raised = bring_up(candidate.origin, std::move(*file), with());
  if (!raised.status) {
    const bool denied = raised.instance && raised.instance->was_denied();
    fail(entry, candidate.origin, raised.status.message(), denied);
    std::string reason = raised.status.message();
    drop(std::move(raised));
    return reason;
  }
  candidate.made = std::move(raised.instance);
  return {};
}

// Generations of one plugin are bounded, those of an exclusive one to one. The newest file wins:
// when there is room the files are looked at again.
std::string Live::wait_for_place(const Candidate& candidate, PluginEntry& entry) {
  const std::size_t draining = janitor_.draining(candidate.origin.manifest.name);
  const std::size_t alive = draining + (candidate.serving ? 1U : 0U);
  const bool only_one = candidate.origin.manifest.exclusive && draining > 0;
  entry.parked = only_one || alive >= options_.max_generations;
  if (!entry.parked) return {};
  return "it waits until one of the plugin's older generations is gone, which calls still hold: " +
         std::to_string(draining);
}

// What a change of others can mend is tried again when another plugin has changed, the rest when
// its file or configuration has.
void Live::fail(PluginEntry& entry, const Origin& origin, std::string reason, bool may_pass) {
  entry.failed = Attempt{origin.sha256, origin.settings, origin.builtin, std::move(reason), {}};
  entry.forced = false;
  if (may_pass) tried_.push_back(origin.manifest.name);
  janitor_.count_failed();
}

// One that is up, or some way up, and will not be published.
void Live::drop(Raised raised) {
  if (raised.instance && options_.outlet) options_.outlet->forget(*raised.instance);
  janitor_.retire(std::move(raised));
}

void Live::settle(Batch& batch) {
  for (;;) {
    std::vector<Misfit> misfits = find_misfits(batch, *options_.services);
    if (misfits.empty()) misfits = refused_offers(batch);
    if (misfits.empty()) return;
    turn_down(batch, std::move(misfits));
  }
}

std::vector<Misfit> Live::refused_offers(const Batch& batch) {
  std::vector<Misfit> misfits;
  if (!options_.outlet) return misfits;
  std::vector<InstancePtr> instances;
  for (const Candidate& candidate : batch.candidates) {
    instances.push_back(candidate.made ? candidate.made : candidate.shown);
  }
  for (OfferRefusal& refusal : options_.outlet->check(instances)) {
    for (std::size_t i = 0; i < batch.candidates.size(); ++i) {
      const GenerationPtr& made = batch.candidates[i].made;
      if (!made || made->generation() != refusal.generation) continue;
      misfits.push_back({i, std::move(refusal.reason)});
    }
  }
  return misfits;
}

// From the last on, so that the places of the others stay what they are.
void Live::turn_down(Batch& batch, std::vector<Misfit> misfits) {
  std::sort(misfits.begin(), misfits.end(),
            [](const auto& a, const auto& b) { return a.index > b.index; });
  for (Misfit& misfit : misfits) {
    Candidate& candidate = batch.candidates[misfit.index];
    const std::string& name = candidate.origin.manifest.name;
    fail(book_[name], candidate.origin, misfit.reason, true);
    Raised raised;
    raised.instance = std::move(candidate.made);
    raised.created = raised.started = true;
    drop(std::move(raised));
    batch.refuse(misfit.index, std::move(misfit.reason));
  }
}

void Live::adopt(Batch& batch, const std::vector<std::string>& removed) {
  std::vector<GenerationPtr> old;
  bool changed = !removed.empty();
  order_.clear();
  for (Candidate& candidate : batch.candidates) {
    const std::string& name = candidate.origin.manifest.name;
    order_.push_back(name);
    if (!candidate.made) continue;
    changed = true;
    PluginEntry& entry = book_[name];
    if (entry.forced || entry.quarantined != candidate.origin.sha256) entry.quarantined.clear();
    old.push_back(std::exchange(entry.serving, std::move(candidate.made)));
    entry.file = candidate.origin.file;
    entry.failed.reset();
    entry.last_failure.clear();
    entry.forced = false;
    janitor_.count_loaded();
  }
  for (const PluginState& state : batch.failed) book_[state.name].last_failure = state.reason;
  for (const std::string& name : removed) {
    PluginEntry& entry = book_[name];
    old.push_back(std::exchange(entry.serving, nullptr));
    entry.last_failure.clear();
  }
  refused_ = std::move(batch.refused);
  changes_ += changed ? 1 : 0;
  for (const std::string& name : tried_) {
    if (book_[name].failed) book_[name].failed->until_change = changes_;
  }
  tried_.clear();
  tell_outlet();
  for (auto at = old.rbegin(); at != old.rend(); ++at) janitor_.retire(std::move(*at));
  show();
}

}  // namespace gantry::host
