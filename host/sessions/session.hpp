// host/sessions/session.hpp: one legacy client, from initialize to its end.
//
// Over HTTP it has an id that only its principal may use; over stdio it is the connection itself
// and its id is empty. Any thread; callbacks are called with no lock held.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/auth/session_ids.hpp"
#include "host/base/clock.hpp"
#include "host/sessions/client_requests.hpp"
#include "host/sessions/running_requests.hpp"
#include "host/sessions/streams.hpp"

namespace gantry::host {

class Session : public std::enable_shared_from_this<Session> {
 public:
  // `first_stream`: as Streams has it.
  Session(std::string id, std::string principal, SessionTerms terms, Clock::Instant now,
          ReplayLimits replay = {}, std::uint64_t first_stream = 1)
      : id_(std::move(id)),
        principal_(std::move(principal)),
        terms_(std::move(terms)),
        began_(now),
        last_used_(now.time_since_epoch().count()),
        streams_(replay, first_stream) {}

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }
  const std::string& protocol() const { return terms_.protocol; }  // the negotiated revision

  // The client's logging/setLevel as a syslog number; nothing: the client has not set a level.
  std::optional<int> log_level() const;
  void set_log_level(int level) { log_level_ = level; }

  // Marks the session as used at `now`, for the idle timeout.
  void touch(Clock::Instant now) { last_used_ = now.time_since_epoch().count(); }
  Clock::Instant last_used() const { return Clock::Instant(Clock::Duration(last_used_.load())); }

  // When it was opened, or opened again.
  Clock::Instant began() const { return began_; }

  // Called when the client has sent notifications/initialized, now or before a restart.
  void set_ready() { ready_ = true; }

  // The streams of answers and notifications. Over stdio: stream 0 alone.
  Streams& streams() { return streams_; }
  const Streams& streams() const { return streams_; }
  // Sends a message that belongs to no request. False: dropped, because the client is not ready or
  // never opened its listening stream.
  bool push(std::string message) { return ready_ && streams_.push(std::move(message)); }

  // The unanswered requests to this client.
  ClientRequests& client_requests() { return client_requests_; }
  // The capabilities that the client declared in initialize, as JSON text.
  const std::string& capabilities() const { return terms_.capabilities; }
  // Sets revision and capabilities of a session that is older than its client's initialize. Once,
  // before the session serves a request.
  void agree(SessionTerms terms) { terms_ = std::move(terms); }

  // The unanswered requests of this client.
  RunningRequests& running() { return running_; }
  const RunningRequests& running() const { return running_; }

  // Stops all requests, also those that come later, ends the client requests and the streams (those
  // of stopped requests end with their answers), and calls the functions of on_end(). The second
  // call does nothing.
  void end();
  // Calls `ended` once when the session ends, on the thread that ends it; at once if it has ended.
  void on_end(std::function<void()> ended);

 private:
  const std::string id_, principal_;
  SessionTerms terms_;
  const Clock::Instant began_;
  std::atomic<Clock::Duration::rep> last_used_;
  std::atomic<int> log_level_{-1};
  std::atomic<bool> ready_{false};
  ClientRequests client_requests_;
  Streams streams_;
  RunningRequests running_;
  struct {
    std::mutex mutex;
    bool came = false;
    std::vector<std::function<void()>> callbacks;
  } end_;
};

}  // namespace gantry::host
