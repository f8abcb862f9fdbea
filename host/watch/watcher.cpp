#include "host/watch/watcher.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "host/watch/inotify.hpp"

namespace gantry::host {
namespace {

using Time = Dwell::Time;

Time now() { return std::chrono::steady_clock::now(); }

}  // namespace

struct Watcher::State {
  State(std::function<void()> then, WatcherOptions given)
      : changed(std::move(then)), options(given), dwell(given.dwell) {}

  void run();
  bool wait_until(Time when);
  bool take_paths();
  void refresh();
  void look();
  void ring() const;

  const std::function<void()> changed;
  const WatcherOptions options;
  UniqueFd wake{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  std::atomic<std::size_t> watches = 0;
  std::atomic<bool> ending = false;

  std::mutex mutex;
  std::optional<std::vector<std::filesystem::path>> replacement;  // of `paths`

  // Of the thread alone.
  Inotify events;
  Dwell dwell;
  std::vector<std::filesystem::path> paths;
  std::map<std::string, std::string> files;  // as they stood last

  std::thread thread;
};

void Watcher::State::ring() const {
  const std::uint64_t one = 1;
  (void)!::write(wake.get(), &one, sizeof one);
}

// True when `options.also` was readable.
bool Watcher::State::wait_until(Time when) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - now());
  std::array<pollfd, 3> ready{
      {{wake.get(), POLLIN, 0}, {events.fd(), POLLIN, 0}, {options.also, POLLIN, 0}}};
  ::poll(ready.data(), ready.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
  std::array<char, 1024> rung;
  (void)!::read(wake.get(), rung.data(), rung.size());
  if ((ready[2].revents & POLLIN) == 0) return false;
  while (::read(options.also, rung.data(), rung.size()) > 0) {
  }
  return true;
}

bool Watcher::State::take_paths() {
  std::lock_guard lock(mutex);
  if (!replacement) return false;
  paths = std::move(*replacement);
  replacement.reset();
  return true;
}

// Stamps are read after the watches are set: a later change is an event.
void Watcher::State::refresh() {
  WatchPlan plan = make_watch_plan(paths, options.tree);
  if (events.follow(plan)) {
    plan = make_watch_plan(paths, options.tree);
    events.follow(plan);
  }
  files = std::move(plan.files);
  watches = events.size();
}

void Watcher::State::look() {
  const auto before = std::exchange(files, {});
  refresh();
  if (files != before) dwell.touch("", Dwell::Touch::whole, now());
}

void Watcher::State::run() {
  const auto between = events.works() ? options.look : options.look / 4;
  Time next_look = now() + between;
  while (!ending) {
    const bool asked = wait_until(std::min(next_look, dwell.next().value_or(next_look)));
    if (events.works()) events.read(dwell, now());
    const bool replaced = take_paths();
    const bool at_rest = dwell.take(now());
    if ((asked || replaced || at_rest) && !ending) {
      refresh();
      changed();
    } else if (now() >= next_look) {
      look();
    } else {
      continue;
    }
    next_look = now() + between;
  }
}

Watcher::Watcher(std::function<void()> changed, WatcherOptions options)
    : state_(std::make_unique<State>(std::move(changed), options)) {
  state_->thread = std::thread([state = state_.get()] { state->run(); });
  ::pthread_setname_np(state_->thread.native_handle(), "gantry-watch");
}

Watcher::~Watcher() {
  state_->ending = true;
  state_->ring();
  state_->thread.join();
}

void Watcher::watch(std::vector<std::filesystem::path> paths) {
  for (auto& path : paths) path = std::filesystem::absolute(path);
  {
    std::lock_guard lock(state_->mutex);
    state_->replacement = std::move(paths);
  }
  state_->ring();
}

std::size_t Watcher::watches() const { return state_->watches; }

}  // namespace gantry::host
