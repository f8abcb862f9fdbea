// host/http/endpoint/admin_events.hpp: GET /admin/events: what happens in the host, as server-sent
// events. host/rpc/admin/README.md has their forms.
//
// A thread of its own, "gantry-events", sends what is new when it is told of a change, and once a
// second, while a stream is open: calls never wait for it, and a client that does not read misses
// records and is told so. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/base/change_signal.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/limits/gate.hpp"
#include "host/observe/feed.hpp"

namespace gantry::host::http {

// What the streams show besides records: JSON objects on one line. Called on the events' thread,
// after a change of one of `states` and each second.
struct EventSources {
  std::function<std::string()> plugins, approvals, gauges;
  std::vector<ChangeSignal*> states{};
};

class AdminEvents {
 public:
  static constexpr int kMostStreams = 32;
  // Records that may wait for a stream; more are left out.
  static constexpr std::uint64_t kMostWaiting = 256;

  // `feed` and what the sources use must outlive this.
  AdminEvents(const Feed& feed, EventSources sources);
  ~AdminEvents();
  AdminEvents(const AdminEvents&) = delete;
  AdminEvents& operator=(const AdminEvents&) = delete;

  // Answers the request by a stream that ends when `in.still_allowed` returns false.
  void open(const RoutedRequest& in);
  // Ends all streams, and refuses later ones.
  void stop();
  int size() const { return places_.taken(); }

 private:
  struct Stream;
  using StreamPtr = std::shared_ptr<Stream>;
  using Streams = std::vector<StreamPtr>;
  using Instant = std::chrono::steady_clock::time_point;
  struct News;

  void note(std::atomic<bool>& change);
  void loop();
  bool wait(Instant second, Streams& streams, bool& states);
  News news(bool second, bool states, const Streams& streams) const;
  void tell(Stream& stream, News& news) const;
  void send_records(Stream& stream, News& news) const;

  const Feed& feed_;
  const EventSources sources_;
  Gate places_{kMostStreams};
  std::atomic<bool> has_records_{false}, has_states_{false};  // since the last look
  std::mutex mutex_;                                          // of the members below
  std::condition_variable wake_;
  Streams streams_;
  bool ended_ = false;
  std::thread thread_;  // started with the first stream
};

}  // namespace gantry::host::http
