// host/auth/session_ids.hpp: the ids of sessions, which hold what a server needs to open the
// session again after a restart or after it was idle too long.
//
// An id is sealed with a key of the state directory and bound to its principal: another principal
// cannot use it, and no client can make or read one. Servers with one state directory accept each
// other's. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/auth/aead.hpp"
#include "host/base/hash_file.hpp"

namespace gantry::host {

// The parts of a session that stay: the negotiated revision, and the client's capabilities as JSON.
struct SessionTerms {
  std::string protocol, capabilities = "{}";
  bool operator==(const SessionTerms&) const = default;
};

class SessionIds {
 public:
  // Wall time, replaceable in tests.
  using Now = std::chrono::sys_seconds (*)();
  static std::chrono::sys_seconds system_now();

  static constexpr std::chrono::hours kLifetime{30 * 24};
  // Bytes of an id.
  static constexpr std::size_t kMaxId = 1024;
  // Ended sessions that are remembered. A client that ends more can open its oldest ones again.
  static constexpr std::size_t kMostEnded = 4096;

  // Reads the key `session-key` of this directory, or makes it. The error names the file: it cannot
  // be read or made, or is no key.
  static Result<std::unique_ptr<SessionIds>> open(const std::filesystem::path& directory,
                                                  Now now = &system_now);
  ~SessionIds();
  SessionIds(const SessionIds&) = delete;
  SessionIds& operator=(const SessionIds&) = delete;

  // A new id of visible ASCII, which the principal can use for kLifetime. Aborts if OpenSSL fails.
  std::string make(std::string_view principal, const SessionTerms& terms) const;
  // The terms of an id; nothing unless make() made it for this principal with this key, less than
  // kLifetime ago, and its session has not been ended.
  std::optional<SessionTerms> read(std::string_view principal, std::string_view id);
  // read() returns nothing for this id from now on, also after a restart.
  void end(std::string_view id);

 private:
  SessionIds(const aead::Key& key, std::filesystem::path ended, Now now);

  aead::Key key_;
  const Now now_;
  std::mutex mutex_;  // of ended_
  HashFile ended_;
};

}  // namespace gantry::host
