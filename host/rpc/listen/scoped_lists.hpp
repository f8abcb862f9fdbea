// host/rpc/listen/scoped_lists.hpp (private): decides which clients a change of listed resources
// concerns.
//
// A plugin reports that its listed resources have changed, whatever the rights of the callers that
// list them. Where its template is "scoped", a caller may see fewer than others: telling it of a
// change that it cannot see would tell it that something exists. So the list is made once for each
// scope among the listening clients, and the change concerns the scope only if the list differs
// from the one that was made when its first client began to listen, or at the last change.
//
// Lists of one scope are made one after the other, with a pause after slow ones, as the reads of
// scoped_updates.hpp. Any thread; no lock is held while a plugin runs.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/auth/principal.hpp"
#include "host/bus/bus.hpp"

namespace gantry::host::rpc {

struct Core;

class ScopedLists final : public Subscriber, public std::enable_shared_from_this<ScopedLists> {
 public:
  // `core` must outlive this, and the lists that it makes.
  explicit ScopedLists(Core& core) : core_(core) {}

  // The caller is about to listen. `known` is called once, from any thread and perhaps before this
  // returns, when the list that later ones are compared with has been made.
  void expect(const Principal& caller, std::function<void()> known);
  // Callers that listen have other agents now, or there are other templates.
  void expect_all();

  void deliver(const Event& event) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Scope {
    Principal caller;                   // one of the scope
    std::optional<std::string> digest;  // of the list that its clients know; nothing: not made yet
    bool is_checked = false;            // a list is due or being made
    bool is_stale = false;              // another change came meanwhile
    std::vector<std::function<void()>> waiting{};  // for the first list
    Clock::time_point not_before{};
  };
  using Viewers = std::map<std::string, Principal>;

  Viewers viewers() const;
  bool has_lists(const Principal& caller) const;
  void check_later(const std::string& fingerprint, Scope& scope);
  void check(const std::string& fingerprint);
  void take(const std::string& fingerprint, std::optional<std::string> digest,
            Clock::duration took);

  Core& core_;
  std::mutex mutex_;
  std::map<std::string, Scope> scopes_;  // by the scope's fingerprint
};

}  // namespace gantry::host::rpc
