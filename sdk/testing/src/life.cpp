// The plugin's life in the fake host: create, start, stop, and the checks around them.
#include <clocale>
#include <filesystem>
#include <iterator>
#include <thread>

#include "impl.hpp"

namespace gantry::testing {

using detail::Phase;

namespace {

// The threads of this process without those that calls run on.
std::ptrdiff_t count_threads() {
  const auto own = static_cast<std::ptrdiff_t>(detail::CallThreads::alive());
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}) - own;
}

std::string working_directory() {
  std::error_code ignored;
  return std::filesystem::current_path(ignored).string();
}

std::string table_problem(const gantry_plugin& table) {
  if (table.magic != GANTRY_MAGIC) return "gantry_plugin.magic is not GANTRY_MAGIC";
  if (!GANTRY_HAS(&table, gantry_plugin, destroy)) return "gantry_plugin.size is too small";
  if (table.create == nullptr || table.start == nullptr || table.invoke == nullptr ||
      table.stop == nullptr || table.destroy == nullptr) {
    return "a function of gantry_plugin is null";
  }
  return {};
}

}  // namespace

FakeHost::Impl::Impl(const gantry_plugin* table, Result<std::string> manifest_text, Options options)
    : state(std::move(options), detail::Manifest{}), problem(manifest_text.status()) {
  state.table = table;
  if (!manifest_text) return;
  Result<detail::Manifest> parsed = contract::parse_manifest(*manifest_text);
  problem = parsed.status();
  if (!parsed) return;
  state.manifest = std::move(*parsed);
  state.items = state.manifest.items;
  if (const std::string text = table_problem(*table); !text.empty()) {
    problem = Status::invalid(text);
  }
}

Status FakeHost::Impl::refused(const char* function, gantry_status status) const {
  std::string reason;
  const std::lock_guard lock(state.mutex);
  for (const LogLine& line : state.log) {
    if (line.level <= GANTRY_LOG_ERROR) reason = line.text;
  }
  return Status(status, std::string(function) + "() failed with status " + std::to_string(status) +
                            (reason.empty() ? "" : ": " + reason));
}

Status FakeHost::Impl::create_and_start() {
  std::thread([] {}).join();  // sanitizers start a thread of their own with the first one
  threads_before = count_threads();
  directory_before = working_directory();
  locale_before = std::setlocale(LC_ALL, nullptr);
  state.phase = Phase::creating;
  gantry_status status = state.table->create(&detail::host_table(), &state.handle, &state.self);
  if (status < 0) {
    state.phase = Phase::destroyed;
    return refused("create", status);
  }
  state.phase = Phase::starting;
  status = state.table->start(state.self);
  if (status < 0) {
    state.table->destroy(state.self);
    state.phase = Phase::destroyed;
    return refused("start", status);
  }
  state.phase = Phase::started;
  return {};
}

Status FakeHost::Impl::start() {
  const std::lock_guard lock(lifecycle);
  if (problem && state.phase == Phase::idle) problem = create_and_start();
  return problem;
}

std::vector<gantry_call*> FakeHost::Impl::calls() {
  std::vector<gantry_call*> all;
  const std::lock_guard lock(state.mutex);
  for (const auto& call : state.calls) all.push_back(call.get());
  return all;
}

// The host's duty: no invoke() runs when stop() is called.
void FakeHost::Impl::wait_for_invokes() {
  for (gantry_call* call : calls()) {
    std::unique_lock lock(call->mutex);
    if (call->changed.wait_for(lock, state.options.patience, [call] { return call->returned; })) {
      continue;
    }
    lock.unlock();
    state.violation("invoke() of " + detail::label(*call) + " has not returned before stop()");
  }
}

void FakeHost::Impl::check_calls() {
  for (gantry_call* call : calls()) {
    bool left = false;
    {
      const std::lock_guard lock(call->mutex);
      left = call->state.phase() == contract::CallState::Phase::pending && call->state.finish();
      call->changed.notify_all();
    }
    if (left) {
      state.violation(detail::label(*call) +
                      " returned GANTRY_PENDING and was not finished when stop() returned");
    }
  }
}

void FakeHost::Impl::check_surroundings() {
  if (working_directory() != directory_before) state.violation("the working directory was changed");
  if (locale_before != std::setlocale(LC_ALL, nullptr)) state.violation("the locale was changed");
  if (!state.options.check_threads) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (count_threads() > threads_before) {
    if (std::chrono::steady_clock::now() > until) {
      state.violation("threads are still running after stop(); stop() joins every thread");
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Status FakeHost::Impl::stop() {
  const std::lock_guard lock(lifecycle);
  if (state.phase != Phase::started) return problem;
  wait_for_invokes();
  state.phase = Phase::stopping;
  const gantry_status status =
      state.table->stop(state.self, detail::nanoseconds_from_now(state.options.patience));
  state.phase = Phase::stopped;
  check_calls();
  std::vector<std::thread> threads;
  {
    const std::lock_guard guard(state.mutex);
    threads.swap(state.threads);
  }
  for (std::thread& thread : threads) thread.join();
  check_surroundings();
  return status < 0 ? refused("stop", status) : Status();
}

}  // namespace gantry::testing
