// The fake host's life cycle, and a running call.
#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <gantry/testing/fake_host.hpp>

#include "state.hpp"

namespace gantry::testing {

// A call and its rounds, each on a thread of its own.
struct RunningCall::State {
  detail::HostState* host = nullptr;
  std::atomic<gantry_call*> call{nullptr};  // of the current round
  Reply early;  // the reply if the call was refused before the plugin was entered
  std::string kind, name, arguments;
  detail::CallerTexts caller;
  std::chrono::milliseconds timeout{0};
  std::atomic<bool> cancelled{false};
  std::future<void> inside;  // ready when the plugin has returned
  std::mutex waiting;        // guards the members below
  std::optional<Reply> last;

  ~State() { join(); }
  void join() {
    if (inside.valid()) inside.get();
  }
  void enter(detail::Inputs inputs);
  bool wait_for_end(gantry_call& entered);
  Reply wait_for_reply();
};

struct FakeHost::Impl {
  Impl(const gantry_plugin* table, Result<std::string> manifest_text, Options options);

  Status start();
  Status create_and_start();
  Status stop();
  std::vector<gantry_call*> calls();
  void wait_for_invokes();
  void check_calls();
  void check_surroundings();
  Status refused(const char* function, gantry_status status) const;
  std::shared_ptr<RunningCall::State> begin(std::string_view kind, std::string_view name,
                                            std::string_view arguments, const CallOptions& options);
  std::shared_ptr<RunningCall::State> enter(std::string_view kind, std::string_view name,
                                            std::string_view arguments, const CallOptions& options);
  Reply run(std::string_view kind, std::string_view name, std::string_view arguments,
            const CallOptions& options);
  Reply refusal(std::string_view kind, std::string_view name, std::string_view arguments,
                const CallOptions& options);

  detail::HostState state;
  Status problem;  // the reason why the plugin cannot be used
  std::mutex lifecycle;
  std::ptrdiff_t threads_before = 0;
  std::string directory_before, locale_before;
};

}  // namespace gantry::testing
