// host/sessions/session.hpp: one legacy client between initialize and its end.
//
// Over HTTP it has an id that only its principal may use; over stdio it is the connection itself.
// Any thread.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/base/clock.hpp"
#include "host/base/text.hpp"
#include "host/sessions/asks.hpp"

namespace gantry::host {

// Why a session stops a request.
enum class Stop { cancelled, disconnected, session_ended };

class Session {
 public:
  using Cancel = std::function<void(Stop)>;

  Session(std::string id, std::string principal, std::string protocol, Clock::Instant now)
      : id_(std::move(id)),
        principal_(std::move(principal)),
        protocol_(std::move(protocol)),
        last_used_(now.time_since_epoch().count()) {}

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }
  const std::string& protocol() const { return protocol_; }  // the negotiated revision

  // The client's logging/setLevel as a syslog number; nothing: it never asked for logs.
  std::optional<int> log_level() const;
  void set_log_level(int level) { log_level_ = level; }

  void touch(Clock::Instant now) { last_used_ = now.time_since_epoch().count(); }
  Clock::Instant last_used() const { return Clock::Instant(Clock::Duration(last_used_.load())); }

  // What the server asks this client.
  Asks& asks() { return asks_; }
  // What the client declared in initialize: its capabilities as JSON text. Set once, before the
  // session is used.
  void set_capabilities(std::string json) { capabilities_ = std::move(json); }
  const std::string& capabilities() const { return capabilities_; }

  // Keeps `cancel` for the unanswered request `key` until forget(). False: the key is in use (or
  // the session has ended, then `cancel` was called).
  bool track(std::string key, Cancel cancel);
  void forget(std::string_view key);
  bool is_running(std::string_view key) const;
  std::size_t running() const;

  // Stops one request; false when there is none of that key.
  bool cancel(std::string_view key);
  // Stops all, and whatever is tracked later; ends what was asked. The second call does nothing.
  void end();

 private:
  const std::string id_, principal_, protocol_;
  std::atomic<Clock::Duration::rep> last_used_;
  std::atomic<int> log_level_{-1};
  Asks asks_;
  std::string capabilities_ = "{}";
  mutable std::mutex mutex_;
  bool ended_ = false;
  std::unordered_map<std::string, Cancel, TextHash, std::equal_to<>> running_;
};

}  // namespace gantry::host
