// host/rpc/listen/scoped_updates.hpp (private): decides which subscribers of a resource a change of
// it concerns.
//
// A plugin reports that a resource changed, whatever the rights of its subscribers. Where its item
// is "scoped", a subscriber may see less than others: telling it of a change that it cannot see
// would tell it of rows that it may not see. So each change is checked once for each scope among
// the subscribers: the resource is read as a subscriber of that scope, and the change concerns the
// scope only if the content differs from what it last saw. A resource that the scope may not read
// concerns it no more. An update with metadata concerns each scope that may read the resource.
//
//   bus: resource_updated, scoped, without audience -> deliver() -> a read for each scope
//     -> the content differs -> bus: the same event with the scope as audience -> the listeners
//
// Reads of one scope follow one another; after a slow one there is a pause of twenty times its
// duration, at most a minute, so that a busy database is not read for its subscribers alone. Any
// thread; no lock is held while a plugin runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "host/auth/principal.hpp"
#include "host/bus/bus.hpp"
#include "host/calls/calls.hpp"

namespace gantry::host::rpc {

struct Core;

// What a caller with some rights sees, as a digest; and whether it may read it.
struct SeenContent {
  explicit SeenContent(const ItemAnswer& answer);

  std::string digest;
  bool is_readable;
};

class ScopedUpdates final : public Subscriber, public std::enable_shared_from_this<ScopedUpdates> {
 public:
  // `core` must outlive this, and its reads.
  explicit ScopedUpdates(Core& core) : core_(core) {}

  // The caller is about to read the resource in order to subscribe to it: changes since are
  // checked.
  void will_read(const Principal& caller, std::string_view uri);
  // It has read this.
  void will_subscribe(const Principal& caller, std::string_view uri, SeenContent content);
  // Its subscription is made: changes since will_read() are checked now.
  void subscribed(const Principal& caller, std::string_view uri);

  void deliver(const Event& event) override;

 private:
  using Clock = std::chrono::steady_clock;
  using Key = std::pair<std::string, std::string>;  // the URI and the scope's fingerprint
  struct Scope {
    Principal caller;         // one of the scope
    std::string digest;       // of the content that its subscribers know; empty: not known
    std::string metadata;     // of the update that is being checked
    bool is_checked = false;  // a check is due or under way
    bool is_stale = false;    // another update came meanwhile
    Clock::time_point used, not_before;
  };
  // How long a scope without subscribers is kept.
  static constexpr std::chrono::minutes kKept{1};

  void check_later(const Key& key, Scope& scope);
  void check(const Key& key);
  void take(const Key& key, const ItemAnswer& answer, Clock::duration took);
  void forget_unused(std::string_view uri, const std::map<std::string, Principal>& viewers);
  void forget_unwatched();

  Core& core_;
  std::mutex mutex_;
  std::map<Key, Scope> scopes_;
  Clock::time_point swept_;
};

}  // namespace gantry::host::rpc
