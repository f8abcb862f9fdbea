// host/rpc/open_work.hpp (private): the requests, tasks and downloads that have not ended, so that
// they can be stopped when the rights of their principal are withdrawn.
//
// Any thread; no lock is held while work is told. An entry must be removed before its memory is
// freed: in its destructor.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "host/rpc/listen/agent_changes.hpp"

namespace gantry::host::rpc {

class RevocableWork {
 public:
  virtual ~RevocableWork() = default;
  // The agents have changed. Stops the work if its principal is withdrawn, or may not do it any
  // more. Must be quick.
  virtual void take_agents(const AgentChanges& changes) = 0;
};

class OpenWork {
 public:
  // Work that is added while take_agents() runs is not told: its transport checks the credential
  // again (http::Endpoint).
  void add(const std::shared_ptr<RevocableWork>& work);
  void remove(const RevocableWork& work);
  void take_agents(const AgentChanges& changes);

 private:
  std::mutex mutex_;
  std::unordered_map<const RevocableWork*, std::weak_ptr<RevocableWork>> table_;
};

}  // namespace gantry::host::rpc
