// host/loader/janitor.hpp: ends generations that were replaced or removed.
//
// Calls and the snapshots they pin may hold a generation. The janitor never waits for them: the
// generation's Holders wake the control thread when the last one is gone. Control thread, but for
// counts().
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/loader/loader_options.hpp"
#include "host/plugin/generation.hpp"

namespace gantry::host {

struct StartAttempt;

class Janitor {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Janitor(std::chrono::milliseconds grace) : grace_(grace) {}

  // The generation is published no more. Ended at the next collect() that finds no holder.
  void retire(GenerationPtr instance);
  // A generation that did not start, as far as it got. Ended at once unless a self-check that never
  // returned holds it.
  void retire(StartAttempt attempt);

  // Ends generations without holders; true when there were any. Logs those held beyond the grace.
  bool collect();
  // When the next generation exceeds the grace; nullopt: none will.
  std::optional<Clock::time_point> next_deadline() const;

  // stop, destroy, close; of a generation without holders.
  void end(const GenerationPtr& instance, bool created = true, bool started = true);

  // Retired generations of this name: all, and those held beyond the grace.
  std::size_t draining(std::string_view name) const;
  std::size_t stuck(std::string_view name) const;
  // The counters of their calls that are answered but have not returned, by name.
  void add_counts(std::multimap<std::string, Instance::CallCount>& to) const;
  std::vector<std::string> names() const;

  // Waits until the deadline for each. A generation that still has holders then is kept for ever;
  // returns how many.
  std::size_t end_all(Clock::time_point deadline);

  // `loaded` and `failed` are not counted here. Any thread.
  LoaderCounts counts() const;

 private:
  struct Retired {
    GenerationPtr instance;
    bool created = true, started = true;
    bool is_stuck = false;
    Clock::time_point since = Clock::now();
  };
  void add(Retired retired);
  void log_if_stuck(Retired& retired);
  void count_retired();

  const std::chrono::milliseconds grace_;
  std::list<Retired> retired_;
  mutable std::mutex mutex_;  // of counts_
  LoaderCounts counts_;
};

}  // namespace gantry::host
