// core/changes.hpp: an offer that changes while the plugin runs.
//
// The lists contain one tool and one prompt whose descriptions say how often they were changed, so
// every change really is one. Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include <gantry/host.hpp>

namespace conformance {

class Changes {
 public:
  // `items` makes the whole offer, as gantry_host_api.offer takes it.
  Changes(gantry::Host host, std::function<std::string()> items)
      : host_(host), items_(std::move(items)) {}

  // Each gives the status of the offer.
  gantry_status change_tools() { return change(tools_); }
  gantry_status change_prompts() { return change(prompts_); }

  std::uint64_t tools() const { return tools_; }
  std::uint64_t prompts() const { return prompts_; }

 private:
  gantry_status change(std::uint64_t& count) {
    const std::lock_guard lock(mutex_);
    ++count;
    return host_.offer(items_());
  }

  gantry::Host host_;
  std::function<std::string()> items_;
  std::mutex mutex_;
  std::uint64_t tools_ = 0, prompts_ = 0;
};

}  // namespace conformance
