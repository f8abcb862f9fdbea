// host/console/logins.hpp: one-time links to the console and the sessions that they open.
//
// Links and sessions are kept as SHA-256 digests alone, live in memory and end with the process.
// Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/clock.hpp"
#include "host/base/sha256.hpp"

namespace gantry::host::console {

struct LoginLimits {
  std::chrono::seconds link{600};         // a link is good for, once
  std::chrono::seconds idle{3'600};       // a session without requests ends
  std::chrono::seconds longest{43'200};   // a session ends
  std::size_t links = 16, sessions = 16;  // at most; the oldest one makes room
};

class Logins {
 public:
  // `clock` must outlive this.
  explicit Logins(const Clock& clock, LoginLimits limits = {}) : clock_(clock), limits_(limits) {}

  // The secret of a new link: 64 hex digits.
  std::string make_link();
  // Uses up the link and opens a session; its secret, or nothing: the link is unknown, used or too
  // old.
  std::optional<std::string> open_by_link(std::string_view secret);
  // Opens a session for the credential of this principal; its secret.
  std::string open_for(std::string principal);

  // The session's name for the log, and the principal that it was opened for (empty: by a link).
  struct Session {
    std::string name, principal;
  };
  // The session, marked as used now; nothing: there is none.
  std::optional<Session> find(std::string_view secret);
  // Nothing happens if there is none.
  void close(std::string_view secret);
  // Ends the sessions of principals for which `is_gone` returns true.
  void end_where(const std::function<bool(const std::string& principal)>& is_gone);
  std::size_t size() const;

  const LoginLimits& limits() const { return limits_; }

 private:
  struct Link {
    Sha256 digest;
    Clock::Instant made;
  };
  struct Open {
    Sha256 digest;
    Clock::Instant began, used;
    Session session;
  };
  std::string open(std::string principal);
  void drop_old();

  const Clock& clock_;
  const LoginLimits limits_;
  mutable std::mutex mutex_;  // of the members below
  std::vector<Link> links_;
  std::vector<Open> sessions_;
};

}  // namespace gantry::host::console
