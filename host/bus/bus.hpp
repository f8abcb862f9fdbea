// host/bus/bus.hpp: what has changed, told to whoever listens.
//
// Producers publish events; subscribers are the listening streams of both eras. An event is plain
// data: a relay may carry it to other processes and publish() here what comes from them.
// Any thread. No lock is held while a subscriber runs.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/text.hpp"
#include "host/bus/event.hpp"
#include "host/bus/quiet_lists.hpp"

namespace gantry::host {

// One listening stream. Any thread.
class Subscriber {
 public:
  virtual ~Subscriber() = default;
  // Must be quick and must not block; may call the bus.
  virtual void deliver(const Event& event) = 0;
  // The server stops: nothing will be delivered any more. Called once; the bus has let go of it.
  virtual void ended() {}
};

class Bus {
 public:
  // After end() the subscriber is told so at once instead.
  void add(std::shared_ptr<Subscriber> subscriber);
  // May still be delivered to while this returns; not after.
  void remove(const Subscriber& subscriber);
  std::size_t size() const;

  // To all subscribers, in the order of publish() calls as seen by each of them, and to the relay.
  void publish(const Event& event);
  // A list has changed: published once the changes are over, see quiet_lists.hpp.
  QuietLists& lists() { return lists_; }
  // The same for what came from another process: not to the relay.
  void publish_received(const Event& event);
  // Gets every published event first; for nodes that share clients. Once, before serving.
  void set_relay(std::function<void(const Event&)> relay);

  // Tells all subscribers that the server stops, so that they end their streams properly.
  void end();

  // Who is interested in the updates of which URI; counted.
  void watch(std::string_view uri);
  void unwatch(std::string_view uri);
  std::vector<std::string> watched() const;
  std::size_t watches() const;  // subscriptions, all together

 private:
  using List = std::vector<std::shared_ptr<Subscriber>>;

  void deliver(const Event& event);

  mutable std::mutex mutex_;
  std::shared_ptr<const List> subscribers_ = std::make_shared<const List>();
  std::mutex order_mutex_;  // one delivery after the other
  std::function<void(const Event&)> relay_;
  std::map<std::string, std::size_t, std::less<>> watched_;
  bool ended_ = false;
  QuietLists lists_{[this](const Event& event) { publish(event); }};  // last: it uses the others
};

}  // namespace gantry::host
