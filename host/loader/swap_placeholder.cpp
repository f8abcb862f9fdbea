#include "host/loader/swap_placeholder.hpp"

#include <utility>

namespace gantry::host {

SwapPlaceholder::SwapPlaceholder(const Generation& of) {
  manifest_ = of.manifest();
  manifest_.exclusive =
      true;  // calls of exclusive plugins leave the caller's thread, so they may wait
  settings_ = of.settings();
  file_ = of.file();
  sha256_ = of.sha256();
  generation_ = of.generation();
  builtin_ = of.builtin();
  in_worker_ = of.in_worker();
  plugin_needs_ = of.plugin_needs();
  host_.instance = this;
  handle_ = &host_;
}

gantry_status SwapPlaceholder::invoke(std::string_view, std::string_view, gantry_call*) noexcept {
  return GANTRY_BUSY;
}

bool SwapPlaceholder::hold(std::function<void(InstancePtr)> go_on) {
  InstancePtr instead;
  {
    std::lock_guard lock(mutex_);
    if (!released_) {
      waiting_.push_back(std::move(go_on));
      return true;
    }
    instead = instead_;
  }
  go_on(std::move(instead));
  return true;
}

void SwapPlaceholder::release(InstancePtr instead) {
  std::vector<std::function<void(InstancePtr)>> waiting;
  {
    std::lock_guard lock(mutex_);
    released_ = true;
    instead_ = instead;
    waiting.swap(waiting_);
  }
  for (auto& go_on : waiting) go_on(instead);
}

}  // namespace gantry::host
