// host/observe/counters.hpp (private): labelled counters, created when first counted.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include <prometheus/counter.h>
#include <prometheus/family.h>

#include "host/observe/labels.hpp"
#include "host/observe/seconds.hpp"

namespace gantry::host {

using CounterFamily = prometheus::Family<prometheus::Counter>;

// Two threads that make it at once get the same one from the family.
class LazyCounter {
 public:
  template <class MakeLabels>
  void count(CounterFamily& family, MakeLabels labels) {
    prometheus::Counter* counter = counter_.load(std::memory_order_acquire);
    if (counter == nullptr) {
      counter = &family.Add(labels());
      counter_.store(counter, std::memory_order_release);
    }
    counter->Increment();
  }

 private:
  std::atomic<prometheus::Counter*> counter_{nullptr};
};

// The counters of a plugin, a reason or a stage.
struct NamedCounter {
  prometheus::Counter* counter = nullptr;
};

// The counters of a tool.
struct ToolCounters {
  std::string name;
  Seconds seconds;
  std::array<LazyCounter, kOutcomes.size() + 1> by_outcome;
};

// The counters of a method.
using StatusCounters = std::array<LazyCounter, kStatuses.size() + 1>;

}  // namespace gantry::host
