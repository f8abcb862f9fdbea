#include "host/rpc/listen/scoped_lists.hpp"

#include <algorithm>
#include <atomic>

#include "host/auth/digest.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/start_item.hpp"
#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/listen/session_listeners.hpp"
#include "host/rpc/message/era.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::chrono::milliseconds kSlowList{50}, kPauseWhenBusy{250};
constexpr std::chrono::seconds kLongestPause{60};

// The templates whose plugins list other resources for other callers.
std::vector<const Item*> scoped_templates(const Core& core, const Snapshot& snapshot,
                                          const Agent& agent) {
  auto out = listing_templates(core, snapshot, agent);
  std::erase_if(out, [](const Item* item) { return !item->spec.scoped; });
  return out;
}

// The lists of all templates, until the last of them has come.
class ListsDigest {
 public:
  // `done` gets nothing where the server was too busy.
  using Done = std::function<void(std::optional<std::string>)>;

  ListsDigest(Core& core, SnapshotPtr snapshot, std::size_t count, Done done)
      : scoped_count_(core.runs),
        snapshot_(std::move(snapshot)),
        parts_(count),
        open_(count),
        done_(std::move(done)) {}

  void take(std::size_t place, const ItemAnswer& answer) {
    if (answer.kind == ItemAnswer::Kind::busy) busy_ = true;
    parts_[place] = answer.kind == ItemAnswer::Kind::result && !answer.is_error ? answer.structured
                                                                                : answer.error_code;
    if (open_.fetch_sub(1) > 1) return;
    std::string all;
    for (const std::string& part : parts_) all += digest_of({part});
    done_(busy_ ? std::nullopt : std::optional(digest_of({all})));
  }

 private:
  const ScopedCount scoped_count_;
  const SnapshotPtr snapshot_;
  std::vector<std::string> parts_;  // each written by the answer of its template alone
  std::atomic<std::size_t> open_;
  std::atomic<bool> busy_{false};
  const Done done_;
};

void make_lists(Core& core, const Principal& caller, ListsDigest::Done done) {
  const SnapshotPtr snapshot = core.registry.snapshot();
  const auto templates = scoped_templates(core, *snapshot, *caller.agent);
  if (templates.empty()) return done(digest_of({}));
  const auto all = std::make_shared<ListsDigest>(core, snapshot, templates.size(), std::move(done));
  const Context context{.principal = caller, .revision = kModernRevision};
  for (std::size_t i = 0; i < templates.size(); ++i) {
    enter_listing(core, context, snapshot, *templates[i],
                  [all, i](ItemAnswer&& answer) { all->take(i, answer); });
  }
}

}  // namespace

ScopedLists::Viewers ScopedLists::viewers() const {
  Viewers viewers;
  core_.listeners->add_list_viewers(viewers);
  core_.session_listeners->add_list_viewers(viewers);
  return viewers;
}

bool ScopedLists::has_lists(const Principal& caller) const {
  return !scoped_templates(core_, *core_.registry.snapshot(), *caller.agent).empty();
}

void ScopedLists::expect(const Principal& caller, std::function<void()> known) {
  if (!has_lists(caller)) return known();
  const std::string& fingerprint = caller.agent->fingerprint;
  const bool is_viewed = viewers().contains(fingerprint);
  {
    const std::lock_guard lock(mutex_);
    Scope& scope = scopes_[fingerprint];
    scope.caller = caller;
    // Changes that came while no client listened were not compared.
    if (!is_viewed && scope.waiting.empty()) scope.digest.reset();
    if (!scope.digest) {
      scope.waiting.push_back(std::move(known));
      return check_later(fingerprint, scope);
    }
  }
  known();
}

void ScopedLists::expect_all() {
  for (const auto& [fingerprint, caller] : viewers()) {
    if (!has_lists(caller)) continue;
    const std::lock_guard lock(mutex_);
    Scope& scope = scopes_[fingerprint];
    scope.caller = caller;
    if (!scope.digest) check_later(fingerprint, scope);
  }
}

void ScopedLists::deliver(const Event& event) {
  if (event.kind != Event::Kind::resources_listed || !event.audience.empty()) return;
  const bool is_scoped = std::any_of(event.seen.begin(), event.seen.end(),
                                     [](const Event::Seen& item) { return item.scoped; });
  if (!is_scoped) return expect_all();  // perhaps a plugin with such a template was loaded
  const Viewers all = viewers();
  const std::lock_guard lock(mutex_);
  std::erase_if(scopes_, [&](const auto& each) {
    return !all.contains(each.first) && !each.second.is_checked && each.second.waiting.empty();
  });
  for (const auto& [fingerprint, caller] : all) {
    Scope& scope = scopes_[fingerprint];
    scope.caller = caller;
    check_later(fingerprint, scope);
  }
}

void ScopedLists::check_later(const std::string& fingerprint, Scope& scope) {
  if (std::exchange(scope.is_checked, true)) {
    scope.is_stale = true;
    return;
  }
  core_.timer.set(std::max(Clock::now(), scope.not_before), [weak = weak_from_this(), fingerprint] {
    if (const auto self = weak.lock()) self->check(fingerprint);
  });
}

void ScopedLists::check(const std::string& fingerprint) {
  Principal caller;
  {
    const std::lock_guard lock(mutex_);
    const auto known = scopes_.find(fingerprint);
    if (known == scopes_.end()) return;
    caller = known->second.caller;
  }
  make_lists(core_, caller,
             [weak = weak_from_this(), fingerprint, began = Clock::now()](auto digest) {
               const auto self = weak.lock();
               if (self) self->take(fingerprint, std::move(digest), Clock::now() - began);
             });
}

void ScopedLists::take(const std::string& fingerprint, std::optional<std::string> digest,
                       Clock::duration took) {
  std::vector<std::function<void()>> waiting;
  bool concerns = false;
  {
    const std::lock_guard lock(mutex_);
    const auto known = scopes_.find(fingerprint);
    if (known == scopes_.end()) return;
    Scope& scope = known->second;
    scope.is_checked = false;
    scope.not_before = Clock::now();
    if (!digest) {
      scope.not_before += kPauseWhenBusy;
      return check_later(fingerprint, scope);
    }
    if (took > kSlowList) scope.not_before += std::min<Clock::duration>(20 * took, kLongestPause);
    concerns = scope.digest && *scope.digest != *digest;
    scope.digest = std::move(digest);
    waiting.swap(scope.waiting);
    if (std::exchange(scope.is_stale, false)) check_later(fingerprint, scope);
  }
  for (const auto& each : waiting) each();
  if (!concerns) return;
  Event event;
  event.kind = Event::Kind::resources_listed;
  event.audience = fingerprint;
  core_.bus.publish(event);
}

}  // namespace gantry::host::rpc
