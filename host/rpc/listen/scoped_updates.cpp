#include "host/rpc/listen/scoped_updates.hpp"

#include <algorithm>

#include "host/auth/digest.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/listen/may_subscribe.hpp"
#include "host/rpc/listen/session_listeners.hpp"
#include "host/rpc/message/era.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::chrono::milliseconds kSlow{50}, kBusyPause{250};
constexpr std::chrono::seconds kMostPause{60};

bool is_result(const ItemAnswer& answer) {
  return answer.kind == ItemAnswer::Kind::result && !answer.is_error;
}

// The callers that subscribe to the resource, one of each scope, by fingerprint.
std::map<std::string, Principal> viewers_of(const Core& core, std::string_view uri) {
  std::map<std::string, Principal> viewers;
  core.listeners->add_viewers(uri, viewers);
  core.session_listeners->add_viewers(uri, viewers);
  return viewers;
}

}  // namespace

SeenContent::SeenContent(const ItemAnswer& answer)
    : digest(is_result(answer) ? digest_of({answer.content, answer.structured})
                               : digest_of({answer.error_code})),
      is_readable(is_result(answer)) {}

void ScopedUpdates::will_read(const Principal& caller, std::string_view uri) {
  const std::lock_guard lock(mutex_);
  Scope& scope = scopes_[{std::string(uri), caller.agent->fingerprint}];
  scope.caller = caller;
  scope.used = Clock::now();
}

void ScopedUpdates::will_subscribe(const Principal& caller, std::string_view uri,
                                   SeenContent content) {
  const auto viewers = viewers_of(core_, uri);
  const bool has_subscribers = viewers.contains(caller.agent->fingerprint);
  const std::lock_guard lock(mutex_);
  forget_unwatched();
  Key key{uri, caller.agent->fingerprint};
  Scope& scope = scopes_[key];
  scope.caller = caller;
  scope.used = Clock::now();
  if (!has_subscribers) {
    scope.digest = std::move(content.digest);
  } else if (scope.digest != content.digest) {
    check_later(key, scope);  // the other subscribers have not heard of it
  }
}

void ScopedUpdates::subscribed(const Principal& caller, std::string_view uri) {
  const Key key{uri, caller.agent->fingerprint};
  const std::lock_guard lock(mutex_);
  const auto known = scopes_.find(key);
  if (known != scopes_.end() && std::exchange(known->second.is_stale, false))
    check_later(key, known->second);
}

void ScopedUpdates::deliver(const Event& event) {
  const bool is_update = event.kind == Event::Kind::resource_updated && !event.deleted;
  if (!is_update || !event.scoped || !event.audience.empty()) return;
  const auto viewers = viewers_of(core_, event.uri);
  const std::lock_guard lock(mutex_);
  forget_unused(event.uri, viewers);
  for (const auto& [fingerprint, caller] : viewers) {
    const Key key{event.uri, fingerprint};
    Scope& scope = scopes_[key];
    scope.caller = caller;
    scope.used = Clock::now();
    if (!event.metadata.empty()) scope.metadata = event.metadata;
    check_later(key, scope);
  }
}

// A scope that is about to subscribe has no subscriber yet: it is checked then.
void ScopedUpdates::forget_unused(std::string_view uri,
                                  const std::map<std::string, Principal>& viewers) {
  const auto oldest = Clock::now() - kKept;
  for (auto each = scopes_.lower_bound({std::string(uri), ""});
       each != scopes_.end() && each->first.first == uri;) {
    Scope& scope = each->second;
    const bool is_viewed = viewers.contains(each->first.second);
    if (!is_viewed) scope.is_stale = true;
    const bool is_over = !is_viewed && !scope.is_checked && scope.used < oldest;
    each = is_over ? scopes_.erase(each) : std::next(each);
  }
}

// Of resources to which nothing subscribes any more.
void ScopedUpdates::forget_unwatched() {
  const auto now = Clock::now();
  if (now < swept_ + kKept) return;
  swept_ = now;
  const std::vector<std::string> watched = core_.bus.watched();  // sorted
  std::erase_if(scopes_, [&](const auto& each) {
    const auto& [key, scope] = each;
    return !scope.is_checked && scope.used < now - kKept &&
           !std::binary_search(watched.begin(), watched.end(), key.first);
  });
}

void ScopedUpdates::check_later(const Key& key, Scope& scope) {
  if (std::exchange(scope.is_checked, true)) {
    scope.is_stale = true;
    return;
  }
  core_.timer.set(std::max(Clock::now(), scope.not_before), [weak = weak_from_this(), key] {
    if (const auto self = weak.lock()) self->check(key);
  });
}

void ScopedUpdates::check(const Key& key) {
  Principal caller;
  {
    const std::lock_guard lock(mutex_);
    const auto known = scopes_.find(key);
    if (known == scopes_.end()) return;
    caller = known->second.caller;
  }
  // Whatever the end of the read uses must live until then.
  const auto counted = std::make_shared<ScopedCount>(core_.runs);
  const Context context{.principal = caller, .revision = kModernRevision};
  read_as(core_, context, key.first,
          [weak = weak_from_this(), key, counted, began = Clock::now()](ItemAnswer&& answer) {
            if (const auto self = weak.lock()) self->take(key, answer, Clock::now() - began);
          });
}

void ScopedUpdates::take(const Key& key, const ItemAnswer& answer, Clock::duration took) {
  Event event;
  {
    const std::lock_guard lock(mutex_);
    const auto known = scopes_.find(key);
    if (known == scopes_.end()) return;
    Scope& scope = known->second;
    scope.is_checked = false;
    scope.not_before = Clock::now();
    if (answer.kind == ItemAnswer::Kind::busy) {
      scope.not_before += kBusyPause;
      return check_later(key, scope);
    }
    if (took > kSlow) scope.not_before += std::min<Clock::duration>(20 * took, kMostPause);
    SeenContent content(answer);
    const bool concerns = content.digest != scope.digest || !scope.metadata.empty();
    if (concerns && content.is_readable) {
      event.kind = Event::Kind::resource_updated;
      event.uri = key.first;
      event.scoped = true;
      event.audience = key.second;
      event.metadata = std::move(scope.metadata);
    }
    scope.metadata.clear();
    scope.digest = std::move(content.digest);
    if (std::exchange(scope.is_stale, false)) check_later(key, scope);
  }
  if (!event.uri.empty()) core_.bus.publish(event);
}

}  // namespace gantry::host::rpc
