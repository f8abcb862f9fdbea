// host/bus/bus.hpp: events about changes, delivered to all subscribers.
//
// Producers are the registry, plugins and tasks; subscribers are the listening streams of both
// eras. Any thread. No lock is held while a subscriber's ended() runs; deliveries follow one
// another.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/text.hpp"
#include "host/bus/event.hpp"
#include "host/bus/list_change_debouncer.hpp"

namespace gantry::host {

// One listening stream. Any thread.
class Subscriber {
 public:
  virtual ~Subscriber() = default;
  // Must be quick and must not block; may add and remove subscribers, but not publish.
  virtual void deliver(const Event& event) = 0;
  // Called once, when the server stops: no more events are delivered, and the bus has released the
  // subscriber.
  virtual void ended() {}
};

class Bus {
 public:
  // After end() the subscriber's ended() is called at once instead.
  void add(std::shared_ptr<Subscriber> subscriber);
  // A delivery that is under way may still reach the subscriber; later ones do not.
  void remove(const Subscriber& subscriber);
  std::size_t size() const;

  // Delivers to all subscribers, to each of them in the order of the publish() calls.
  void publish(const Event& event);
  // Changes of lists, debounced before they are published.
  ListChangeDebouncer& lists() { return lists_; }

  // Calls ended() of all subscribers, so that they end their streams properly.
  void end();

  // Counts the subscriptions to the updates of each URI.
  void watch(std::string_view uri);
  void unwatch(std::string_view uri);
  std::vector<std::string> watched() const;
  std::size_t watches() const;  // subscriptions, all together

 private:
  using List = std::vector<std::shared_ptr<Subscriber>>;

  mutable std::mutex mutex_;
  std::shared_ptr<const List> subscribers_ = std::make_shared<const List>();
  std::mutex order_mutex_;  // one delivery after the other
  std::map<std::string, std::size_t, std::less<>> watched_;
  bool ended_ = false;
  // Last: it uses the others.
  ListChangeDebouncer lists_{[this](const Event& event) { publish(event); }};
};

}  // namespace gantry::host
