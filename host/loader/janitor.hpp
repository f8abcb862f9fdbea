// host/loader/janitor.hpp: ends generations that nobody needs any more.
//
// A generation may be held by calls that run in it and by snapshots that other calls pinned. The
// janitor waits for none of them: it looks again now and then. Control thread, but for counts().
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

#include "host/loader/bring_up.hpp"
#include "host/loader/loader_options.hpp"
#include "host/plugin/generation.hpp"

namespace gantry::host {

class Janitor {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Janitor(std::chrono::milliseconds grace) : grace_(grace) {}

  // It is published no more. Ended at the next poll() that finds nobody else holding it.
  void retire(GenerationPtr instance);
  // One that did not come up, as far as it got. Ended at once unless a self-check that never came
  // back holds it.
  void retire(Raised raised);

  // Ends those that are free; true when some are.
  bool poll();
  // When to poll again; nothing when none is left.
  std::optional<std::chrono::milliseconds> next();

  // stop, destroy, close; of an instance that nobody else holds.
  void end(const GenerationPtr& instance, bool created = true, bool started = true);

  // All of this name, and those held beyond the grace.
  std::size_t draining(std::string_view name) const;
  std::size_t stuck(std::string_view name) const;
  // Who counts their calls that are answered but not over, by name.
  void add_counts(std::multimap<std::string, Instance::CallCount>& to) const;
  std::vector<std::string> names() const;
  bool is_empty() const { return retired_.empty(); }

  // Waits for each until the deadline; those that are still held are kept for ever. How many.
  std::size_t end_all(Clock::time_point deadline);

  void count_loaded();
  void count_failed();
  LoaderCounts counts() const;  // any thread

 private:
  struct Retired {
    GenerationPtr instance;
    bool created = true, started = true;
    bool is_stuck = false;
    Clock::time_point since = Clock::now();
  };
  void name_if_stuck(Retired& retired);
  void count_retired();

  const std::chrono::milliseconds grace_;
  std::list<Retired> retired_;
  std::chrono::milliseconds wait_{1};
  mutable std::mutex mutex_;  // of counts_
  LoaderCounts counts_;
};

// Nobody but the caller's pointer holds it; what the others did before they let go is seen.
bool is_unused(const GenerationPtr& instance);

}  // namespace gantry::host
