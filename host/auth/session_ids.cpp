#include "host/auth/session_ids.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include <openssl/crypto.h>

#include "host/auth/digest.hpp"
#include "host/auth/sealed_text.hpp"
#include "host/auth/state_key.hpp"

namespace gantry::host {
namespace {

std::string binding_of(std::string_view principal) { return digest_of({"session", principal}); }

}  // namespace

std::chrono::sys_seconds SessionIds::system_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

Result<std::unique_ptr<SessionIds>> SessionIds::open(const std::filesystem::path& directory,
                                                     Now now) {
  const auto key = read_or_make_key(directory / "session-key");
  if (!key) return key.status();
  return std::unique_ptr<SessionIds>(new SessionIds(*key, directory / "ended-sessions", now));
}

SessionIds::SessionIds(const aead::Key& key, std::filesystem::path ended, Now now)
    : key_(key), now_(now), ended_(std::move(ended), kMostEnded) {}

SessionIds::~SessionIds() { OPENSSL_cleanse(key_.data(), key_.size()); }

std::string SessionIds::make(std::string_view principal, const SessionTerms& terms) const {
  const auto seconds = static_cast<std::uint64_t>(now_().time_since_epoch().count());
  auto id =
      seal_text(key_, binding_of(principal), seconds, terms.protocol + '\n' + terms.capabilities);
  if (!id) std::abort();
  return *std::move(id);
}

std::optional<SessionTerms> SessionIds::read(std::string_view principal, std::string_view id) {
  if (id.size() > kMaxId) return std::nullopt;
  const auto opened = open_text(key_, binding_of(principal), id);
  if (!opened) return std::nullopt;
  const std::chrono::sys_seconds made{
      std::chrono::seconds(static_cast<std::int64_t>(opened->time))};
  if (now_() - made >= kLifetime) return std::nullopt;
  {
    const std::lock_guard lock(mutex_);
    if (ended_.has(digest_of({id}))) return std::nullopt;
  }
  const auto line = opened->payload.find('\n');
  return SessionTerms{opened->payload.substr(0, line), opened->payload.substr(line + 1)};
}

void SessionIds::end(std::string_view id) {
  const std::lock_guard lock(mutex_);
  ended_.add(digest_of({id}));
}

}  // namespace gantry::host
