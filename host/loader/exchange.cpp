// Exclusive plugins: never two generations alive. Calls wait in a stand-in while the old one
// drains, ends and the new one starts.
#include <algorithm>
#include <utility>

#include "host/loader/live.hpp"

namespace gantry::host {

// Tries the file out before the old generation is touched; why not, or empty. From now on the
// stand-in is what is published.
std::string Live::begin_exchange(PluginEntry& entry, Candidate& candidate, SealedFilePtr file) {
  if (options_.probe && !runs_in_worker(candidate.origin, options_)) {
    const Status status = options_.probe(candidate.origin, file);
    if (!status) {
      fail(entry, candidate.origin, status.message(), false);
      return status.message();
    }
  }
  auto exchange = std::make_unique<Exchange>();
  exchange->stand_in = std::make_shared<StandIn>(*entry.serving);
  exchange->old = std::move(entry.serving);
  exchange->next = candidate.origin;
  exchange->file = std::move(file);
  exchange->deadline = Clock::now() + options_.grace;
  entry.exchange = std::move(exchange);
  entry.serving = nullptr;
  entry.forced = false;
  candidate.origin = origin_of(*entry.exchange->old);
  candidate.shown = entry.exchange->stand_in;
  candidate.stays = true;
  candidate.seen = nullptr;
  return {};
}

bool Live::poll_exchanges() {
  bool arrived = false;
  for (auto& [name, entry] : book_) {
    if (!entry.exchange) continue;
    if (is_unused(entry.exchange->old)) {
      finish_exchange(name, entry);
    } else if (Clock::now() >= entry.exchange->deadline) {
      give_up(entry);
    } else {
      continue;
    }
    arrived = true;
  }
  return arrived;
}

// Its calls did not let go: it goes on as it was.
void Live::give_up(PluginEntry& entry) {
  const std::unique_ptr<Exchange> exchange = std::move(entry.exchange);
  std::string reason = "it is exclusive, and calls still held the old generation after " +
                       std::to_string(options_.grace.count() / 1000) +
                       " s; the old one goes on: end those calls, then reload the plugin";
  exchange->old->log(GANTRY_LOG_WARNING, "its replacement is given up: " + reason);
  fail(entry, exchange->next, reason, false);
  entry.last_failure = std::move(reason);
  entry.serving = exchange->old;
  publish();
  exchange->stand_in->release(entry.serving);
}

void Live::finish_exchange(const std::string& name, PluginEntry& entry) {
  const std::unique_ptr<Exchange> exchange = std::move(entry.exchange);
  Raised raised = go_over(entry, *exchange);
  if (raised.status) {
    entry.serving = std::move(raised.instance);
    janitor_.count_loaded();
  } else {
    PluginState state = refused_state(exchange->next, entry.last_failure +
                                                          "; and the one before "
                                                          "did not come up again: " +
                                                          raised.status.message());
    entry.last_failure.clear();
    refused_.push_back(std::move(state));
    drop(std::move(raised));
    order_.erase(std::remove(order_.begin(), order_.end(), name), order_.end());
  }
  ++changes_;
  publish();
  exchange->stand_in->release(entry.serving);
}

// The new generation, or the old one again.
Raised Live::go_over(PluginEntry& entry, Exchange& exchange) {
  const std::string name = exchange.next.manifest.name;
  Origin old = origin_of(*exchange.old);
  old.file = entry.file;
  const SealedFilePtr old_file = exchange.old->sealed();
  janitor_.end(exchange.old);
  exchange.old.reset();
  Raised raised = bring_up(exchange.next, exchange.file, with());
  std::string problem = raised.status.message();
  if (raised.status) problem = refused_offer(name, raised.instance);
  if (raised.status && problem.empty()) {
    if (entry.quarantined != exchange.next.sha256) entry.quarantined.clear();
    entry.file = exchange.next.file;
    entry.failed.reset();
    entry.last_failure.clear();
    return raised;
  }
  fail(entry, exchange.next, problem, false);
  entry.last_failure = std::move(problem);
  drop(std::move(raised));
  Result<SealedFilePtr> again = old_file->copy();  // the old one may stay mapped
  if (again) return bring_up(std::move(old), std::move(*again), with());
  Raised none;
  none.status = again.status();
  return none;
}

std::string Live::refused_offer(const std::string& name, const GenerationPtr& newcomer) {
  if (!options_.outlet) return {};
  std::vector<InstancePtr> instances;
  for (const std::string& other : order_) {
    instances.push_back(other == name ? newcomer : book_[other].shown());
  }
  for (const OfferRefusal& refusal : options_.outlet->check(instances)) {
    if (refusal.generation == newcomer->generation()) return refusal.reason;
  }
  return {};
}

}  // namespace gantry::host
