#include "host/console/logins.hpp"

#include <algorithm>
#include <utility>

#include "host/base/ids.hpp"

namespace gantry::host::console {
namespace {

constexpr std::size_t kSecretBytes = 32;

template <class All>
auto find_equal(All& all, std::string_view secret) {
  const Sha256 digest = sha256(secret);
  return std::find_if(all.begin(), all.end(),
                      [&digest](const auto& each) { return same_digest(each.digest, digest); });
}

}  // namespace

std::string Logins::make_link() {
  std::string secret = random_hex(kSecretBytes);
  const std::lock_guard lock(mutex_);
  drop_old();
  if (links_.size() >= limits_.links) links_.erase(links_.begin());
  links_.push_back({sha256(secret), clock_.now()});
  return secret;
}

std::optional<std::string> Logins::open_by_link(std::string_view secret) {
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto link = find_equal(links_, secret);
  if (link == links_.end()) return std::nullopt;
  links_.erase(link);
  return open({});
}

std::string Logins::open_for(std::string principal) {
  const std::lock_guard lock(mutex_);
  drop_old();
  return open(std::move(principal));
}

// Called with the mutex. The session that was used least recently makes room.
std::string Logins::open(std::string principal) {
  if (sessions_.size() >= limits_.sessions) {
    sessions_.erase(std::min_element(sessions_.begin(), sessions_.end(),
                                     [](const Open& a, const Open& b) { return a.used < b.used; }));
  }
  std::string secret = random_hex(kSecretBytes);
  const auto now = clock_.now();
  const std::string name = "console session " + random_hex(4);
  sessions_.push_back({sha256(secret), now, now, {name, std::move(principal)}});
  return secret;
}

std::optional<Logins::Session> Logins::find(std::string_view secret) {
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto found = find_equal(sessions_, secret);
  if (found == sessions_.end()) return std::nullopt;
  found->used = clock_.now();
  return found->session;
}

void Logins::close(std::string_view secret) {
  const std::lock_guard lock(mutex_);
  const auto found = find_equal(sessions_, secret);
  if (found != sessions_.end()) sessions_.erase(found);
}

void Logins::end_where(const std::function<bool(const std::string&)>& is_gone) {
  const std::lock_guard lock(mutex_);
  std::erase_if(sessions_, [&is_gone](const Open& open) {
    return !open.session.principal.empty() && is_gone(open.session.principal);
  });
}

std::size_t Logins::size() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

// Called with the mutex.
void Logins::drop_old() {
  const auto now = clock_.now();
  std::erase_if(links_, [&](const Link& link) { return now - link.made >= limits_.link; });
  std::erase_if(sessions_, [&](const Open& open) {
    return now - open.used >= limits_.idle || now - open.began >= limits_.longest;
  });
}

}  // namespace gantry::host::console
