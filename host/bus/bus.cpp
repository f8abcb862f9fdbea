#include "host/bus/bus.hpp"

#include <algorithm>
#include <utility>

#include "host/base/deferred_wakeups.hpp"

namespace gantry::host {

void Bus::add(std::shared_ptr<Subscriber> subscriber) {
  {
    std::lock_guard lock(mutex_);
    if (!ended_) {
      auto next = std::make_shared<List>(*subscribers_);
      next->push_back(std::move(subscriber));
      subscribers_ = std::move(next);
      return;
    }
  }
  subscriber->ended();
}

void Bus::remove(const Subscriber& subscriber) {
  std::shared_ptr<const List> old;  // freed without the lock
  std::lock_guard lock(mutex_);
  auto next = std::make_shared<List>(*subscribers_);
  std::erase_if(*next, [&](const auto& known) { return known.get() == &subscriber; });
  old = std::exchange(subscribers_, std::move(next));
}

std::size_t Bus::size() const {
  std::lock_guard lock(mutex_);
  return subscribers_->size();
}

void Bus::set_relay(std::function<void(const Event&)> relay) { relay_ = std::move(relay); }

void Bus::publish(const Event& event) {
  if (relay_) relay_(event);
  deliver(event);
}

void Bus::publish_received(const Event& event) { deliver(event); }

void Bus::deliver(const Event& event) {
  std::lock_guard order(order_mutex_);
  std::shared_ptr<const List> now;
  {
    std::lock_guard lock(mutex_);
    now = subscribers_;
  }
  // Thousands of streams may share an I/O thread: it is woken once.
  const DeferredWakeups scope;
  for (const auto& subscriber : *now) subscriber->deliver(event);
}

void Bus::end() {
  std::shared_ptr<const List> last = std::make_shared<const List>();
  {
    std::lock_guard order(order_mutex_);  // after a delivery under way
    std::lock_guard lock(mutex_);
    ended_ = true;
    subscribers_.swap(last);
  }
  const DeferredWakeups scope;
  for (const auto& subscriber : *last) subscriber->ended();
}

void Bus::watch(std::string_view uri) {
  std::lock_guard lock(mutex_);
  const auto found = watched_.find(uri);
  if (found != watched_.end()) {
    ++found->second;
  } else {
    watched_.emplace(uri, 1);
  }
}

void Bus::unwatch(std::string_view uri) {
  std::lock_guard lock(mutex_);
  const auto found = watched_.find(uri);
  if (found != watched_.end() && --found->second == 0) watched_.erase(found);
}

std::vector<std::string> Bus::watched() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [uri, count] : watched_) out.push_back(uri);
  return out;
}

std::size_t Bus::watches() const {
  std::lock_guard lock(mutex_);
  std::size_t all = 0;
  for (const auto& [uri, count] : watched_) all += count;
  return all;
}

}  // namespace gantry::host
