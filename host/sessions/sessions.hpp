// host/sessions/sessions.hpp: all legacy sessions of this process.
//
// A session that has been idle too long is ended and forgotten, but its id stays good: find() opens
// it again, with the same revision and capabilities and nothing else of what it was. So does
// another process with the same SessionIds. A session that its client has ended stays ended.
//
// The table shares each session with its requests, so an ended session lives until the last of them
// has released it. Any thread; sessions are ended with no lock held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/auth/principal.hpp"
#include "host/auth/session_ids.hpp"
#include "host/sessions/session.hpp"

namespace gantry::host {

class Sessions {
 public:
  // `clock` must outlive this. Bytes kept for replay are counted in `kept`, which other holders may
  // share; without it only the limits of each session apply. `ids` must outlive this, too; without
  // it no session is opened again.
  Sessions(const Clock& clock, SessionLimits limits, std::shared_ptr<ByteBudget> kept = nullptr,
           SessionIds* ids = nullptr)
      : clock_(clock), limits_(limits), kept_(std::move(kept)), ids_(ids) {}

  // A new session with an unguessable id. At the cap it evicts the principal's own session that has
  // been idle longest and has no running request and no listening connection; null when there is
  // none.
  std::shared_ptr<Session> create(std::string_view principal, const SessionTerms& terms);
  // The session, marked as used now, or opened again; null if no session has this id, its client
  // has ended it, it belongs to another principal, or create() would return null.
  std::shared_ptr<Session> find(std::string_view id, std::string_view principal);
  // Ends the session; false where find() returns null.
  bool end(std::string_view id, std::string_view principal);
  // Ends the sessions of these principals and closes their streams; their ids stay theirs.
  void end_of(const PrincipalNames& principals);
  // Ends sessions that have been idle too long. Call it periodically.
  void reap();
  // Ends all sessions; create() still makes new ones.
  void end_all();
  // Closes every listening connection; the sessions stay.
  void close_listeners();
  std::size_t size() const;

  // For operators: all, the oldest first; `short_id` is no credential.
  struct Standing {
    std::string short_id;
    std::shared_ptr<const Session> session;
    Clock::Duration age{0}, idle{0};
  };
  std::vector<Standing> list() const;
  static std::string short_id(const Session& session);
  // Ends the session of this short id for good; nothing: there is none. The calls that it cancels.
  std::optional<std::size_t> end_short(std::string_view short_id);

 private:
  using Table =
      std::unordered_map<std::string, std::shared_ptr<Session>, TextHash, std::equal_to<>>;

  std::shared_ptr<Session> make(std::string id, std::string_view principal,
                                const SessionTerms& terms, std::uint64_t first_stream) const;
  std::shared_ptr<Session> adopt(std::string_view id, std::string_view principal);
  std::shared_ptr<Session> add(std::shared_ptr<Session> session);
  bool expired(const Session& session, Clock::Instant now) const;
  std::vector<std::shared_ptr<Session>> all() const;
  std::shared_ptr<Session> take_oldest_idle(std::string_view principal);

  const Clock& clock_;
  const SessionLimits limits_;
  const std::shared_ptr<ByteBudget> kept_;  // null: none
  SessionIds* const ids_;                   // null: none
  mutable std::mutex mutex_;
  Table table_;
};

}  // namespace gantry::host
