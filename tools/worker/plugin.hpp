// tools/worker/plugin.hpp: the plugin of this process: its library and its one instance.
//
// open(), step() and unload(): the main thread; invoke(): any thread.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/abi.h>
#include <gantry/result.hpp>

#include "host/loader/library.hpp"
#include "host/worker/messages.hpp"
#include "link.hpp"

// The host, as the instance sees it.
struct gantry_host {
  gantry::worker::Link& link;
  std::string config;
  std::vector<std::string> services;  // those that the plugin may use
  std::mutex mutex;
  std::vector<std::string> undeclared;  // further ones that it asked for; under the mutex
};

namespace gantry::worker {

class Plugin {
 public:
  // `unloads`: unload() is possible.
  Plugin(Link& link, bool unloads) : host_{link, {}, {}, {}, {}}, unloads_(unloads) {}

  // Confines the process as `confinement` says and maps the library. Reports each milestone to the
  // host. The error is the reason for it.
  Status open(const wire::Setup& setup, std::string_view confinement);
  // create, start, stop or destroy. `deadline`: of stop.
  gantry_status step(wire::FrameType step, std::uint64_t deadline);
  gantry_status invoke(gantry_call& call);
  // The library's destructors run here.
  void unload();

 private:
  template <class Function>
  gantry_status enter(const char* step, Function function);

  gantry_host host_;
  const bool unloads_;
  std::optional<host::Library> library_;
  void* self_ = nullptr;
  std::atomic<unsigned> turns_{0};  // entries of the plugin and returns from it
};

}  // namespace gantry::worker
