// host/http/endpoint/admin_events.hpp: GET /admin/events: what happens in the host, as server-sent
// events. host/rpc/admin/README.md has their forms.
//
// A thread of its own, "gantry-events", looks ten times a second, while a stream is open, for what
// is new: calls never wait for it, and a client that does not read misses records and is told so.
// Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/http/endpoint/route.hpp"
#include "host/limits/gate.hpp"
#include "host/observe/feed.hpp"

namespace gantry::host::http {

// What the streams show besides records: JSON objects on one line. Called on the events' thread.
struct EventSources {
  std::function<std::string()> plugins, approvals, gauges;
};

class AdminEvents {
 public:
  static constexpr int kMostStreams = 32;
  // Records that may wait for a stream; more are left out.
  static constexpr std::uint64_t kMostWaiting = 256;

  // `feed` and what the sources use must outlive this.
  AdminEvents(const Feed& feed, EventSources sources) : feed_(feed), sources_(std::move(sources)) {}
  ~AdminEvents() { stop(); }
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
  struct News;

  void loop();
  News news_at(int tick, const std::vector<StreamPtr>& streams) const;
  void tell(Stream& stream, News& news) const;
  void send_records(Stream& stream, News& news) const;

  const Feed& feed_;
  const EventSources sources_;
  Gate places_{kMostStreams};
  std::mutex mutex_;  // of the members below
  std::condition_variable wake_;
  std::vector<StreamPtr> streams_;
  bool ended_ = false;
  std::thread thread_;  // started with the first stream
};

}  // namespace gantry::host::http
