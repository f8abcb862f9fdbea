// host/rpc/open_work.hpp (private): the requests, tasks and downloads that have not ended, so that
// they can be stopped when the rights of their principal are withdrawn.
//
// Any thread; no lock is held while work is told. An entry must be removed before its memory is
// freed: in its destructor.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/rpc/active_call.hpp"
#include "host/rpc/listen/agent_changes.hpp"

namespace gantry::host::rpc {

class RevocableWork {
 public:
  virtual ~RevocableWork() = default;
  // The agents have changed. Stops the work if its principal is withdrawn, or may not do it any
  // more. Must be quick.
  virtual void take_agents(const AgentChanges& changes) = 0;
  // The call that this is; nothing: it is none.
  virtual std::optional<ActiveCall> active_call() const { return std::nullopt; }
  // Ends the call because an operator wants it.
  virtual void cancel_by_operator() {}
};

class OpenWork {
 public:
  // Work that is added while take_agents() runs is not told: its transport checks the credential
  // again (http::Endpoint).
  void add(const std::shared_ptr<RevocableWork>& work);
  void remove(const RevocableWork& work);
  void take_agents(const AgentChanges& changes);
  // All calls, the oldest first.
  std::vector<ActiveCall> active_calls() const;
  // False: no call has this id.
  bool cancel(std::uint64_t id) const;

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::weak_ptr<RevocableWork> work;
  };
  using Living = std::vector<std::pair<std::uint64_t, std::shared_ptr<RevocableWork>>>;
  Living living() const;

  mutable std::mutex mutex_;  // of the members below
  std::uint64_t ids_ = 0;
  std::unordered_map<const RevocableWork*, Entry> table_;
};

}  // namespace gantry::host::rpc
