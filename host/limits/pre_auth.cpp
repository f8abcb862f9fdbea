#include "host/limits/pre_auth.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry::host {
namespace {

constexpr std::string_view kOthers = "others";

// One customer of an IPv6 network has a whole /64 to choose addresses from.
std::string network_of(std::string_view peer) {
  std::string text(peer);
  in6_addr address{};
  if (inet_pton(AF_INET6, text.c_str(), &address) != 1) return text;
  if (IN6_IS_ADDR_V4MAPPED(&address)) return text;
  std::fill(std::begin(address.s6_addr) + 8, std::end(address.s6_addr), std::uint8_t{0});
  char shown[INET6_ADDRSTRLEN];
  inet_ntop(AF_INET6, &address, shown, sizeof shown);
  return shown;
}

double minutes_of(Clock::Instant at) {
  return std::chrono::duration<double, std::ratio<60>>(at.time_since_epoch()).count();
}

}  // namespace

std::optional<int> PreAuthLimit::blocked(std::string_view peer) {
  if (limit_ == 0) return std::nullopt;
  const double at = minutes_of(clock_.now());
  const auto minute = static_cast<std::int64_t>(at);
  std::lock_guard lock(mutex_);
  auto known = peers_.find(network_of(peer));
  if (known == peers_.end() && peers_.size() >= kMaxPeers) known = peers_.find(kOthers);
  if (known == peers_.end() || known->second.minute + 1 < minute) return std::nullopt;
  const double into = at - static_cast<double>(minute);
  const Window window = window_of(known->first, minute);
  if (weight(window, into) < limit_) return std::nullopt;
  // The wait ends when the older minute's weight has fallen far enough. If the current minute alone
  // is over the limit, the wait ends in the next minute, when its own weight has fallen to the
  // limit.
  const double now = window.now, before = window.before, limit = limit_;
  const double wait = now >= limit ? 2 - into - limit / now : 1 - into - (limit - now) / before;
  return std::max(1, static_cast<int>(std::ceil(wait * 60)));
}

void PreAuthLimit::count(std::string_view peer) {
  if (limit_ == 0) return;
  const auto minute = static_cast<std::int64_t>(minutes_of(clock_.now()));
  std::lock_guard lock(mutex_);
  std::string network = network_of(peer);
  if (peers_.size() >= kMaxPeers && !peers_.contains(network)) {
    if (std::exchange(swept_, minute) != minute) {  // once a minute, because it visits all peers
      std::erase_if(peers_, [&](const auto& entry) { return entry.second.minute + 1 < minute; });
    }
    if (peers_.size() >= kMaxPeers) network = kOthers;
  }
  ++window_of(network, minute).now;
}

bool PreAuthLimit::may_verify() {
  const auto second =
      std::chrono::floor<std::chrono::seconds>(clock_.now().time_since_epoch()).count();
  std::lock_guard lock(mutex_);
  if (std::exchange(second_, second) != second) verified_ = 0;
  if (verified_ == kMostSignatures) return false;
  ++verified_;
  return true;
}

PreAuthLimit::Window& PreAuthLimit::window_of(std::string_view peer, std::int64_t minute) {
  auto known = peers_.find(peer);
  if (known == peers_.end()) known = peers_.emplace(std::string(peer), Window{minute, 0, 0}).first;
  Window& window = known->second;
  if (window.minute != minute) {
    window.before = window.minute + 1 == minute ? window.now : 0;
    window.now = 0;
    window.minute = minute;
  }
  return window;
}

double PreAuthLimit::weight(const Window& window, double into_minute) const {
  return window.now + window.before * (1 - into_minute);
}

}  // namespace gantry::host
