#include "host/auth/session_ids.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <openssl/crypto.h>

#include "host/auth/digest.hpp"
#include "host/auth/sealed_text.hpp"
#include "host/base/unique_fd.hpp"

namespace gantry::host {
namespace {

Status unusable(const std::filesystem::path& file, int error) {
  return Status::failed("the key of sessions " + file.string() +
                        " cannot be used: " + std::generic_category().message(error));
}

// A file that appears whole: another server may start on the same directory now.
Status make_key(const std::filesystem::path& file) {
  const std::filesystem::path aside = file.native() + "." + std::to_string(::getpid());
  const aead::Key key = random_key();
  {
    const UniqueFd fd(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd.is_open() ||
        ::write(fd.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size())) {
      const int error = errno;
      ::unlink(aside.c_str());
      return unusable(file, error);
    }
  }
  const bool made = ::link(aside.c_str(), file.c_str()) == 0 || errno == EEXIST;
  const int error = errno;
  ::unlink(aside.c_str());
  return made ? Status::ok() : unusable(file, error);
}

Result<aead::Key> read_key(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    if (Status status = make_key(file); !status) return status;
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return unusable(file, errno);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  aead::Key key;
  if (bytes.size() != key.size()) {
    return Status::failed("the key of sessions " + file.string() + " has " +
                          std::to_string(bytes.size()) + " bytes instead of " +
                          std::to_string(key.size()) +
                          "; remove it, then the server makes a new one, and clients of open "
                          "sessions must initialize again");
  }
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

std::string binding_of(std::string_view principal) { return digest_of({"session", principal}); }

}  // namespace

std::chrono::sys_seconds SessionIds::system_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

Result<std::unique_ptr<SessionIds>> SessionIds::open(const std::filesystem::path& directory,
                                                     Now now) {
  const auto key = read_key(directory / "session-key");
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
