// host/loader/swap_placeholder.hpp: takes the place of an exclusive plugin while it is replaced.
//
// It has the plugin's manifest and generation number, so that no list changes; calls wait in it.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "host/plugin/generation.hpp"
#include "host/plugin/host_handle.hpp"
#include "host/plugin/instance.hpp"

namespace gantry::host {

class SwapPlaceholder final : public Instance {
 public:
  explicit SwapPlaceholder(const Generation& of);

  // GANTRY_BUSY: a caller asks hold() first and does not enter.
  gantry_status invoke(std::string_view kind, std::string_view name,
                       gantry_call* call) noexcept override;
  // Any thread. After release() `go_on` is called at once.
  bool hold(std::function<void(InstancePtr)> go_on) override;

  // Calls that wait, and all later ones, go on with `instead`; null: there is no instance. Called
  // once, on any thread.
  void release(InstancePtr instead);

 private:
  gantry_host host_;
  std::mutex mutex_;
  bool released_ = false;
  InstancePtr instead_;
  std::vector<std::function<void(InstancePtr)>> waiting_;
};

}  // namespace gantry::host
