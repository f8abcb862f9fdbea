// host/app/access.hpp: all accepted credentials: those of the environment, the keys of the state
// directory and the profiles and issuers of the agents file, kept up to date while the server runs.
//
// A changed file is read again. A bad file is reported and changes nothing: the last good one
// stays. Any thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <gantry/result.hpp>

#include "host/auth/agents/agents_file.hpp"
#include "host/auth/authenticator.hpp"
#include "host/auth/jwt/tokens.hpp"
#include "host/auth/keys/key_file.hpp"
#include "host/base/clock.hpp"
#include "host/base/timer.hpp"
#include "host/observe/log.hpp"
#include "host/watch/watcher.hpp"

namespace gantry::host {

// A key of the server's environment and the profile that it makes.
struct EnvironmentKey {
  std::string key;
  Agent agent;
  Authenticator::Others others;
};

struct AccessOptions {
  std::filesystem::path agents;  // the agents file; empty: none
  std::filesystem::path state;   // empty: no stored keys
  std::string agent;             // of --agent; empty: none
  bool stdio = false;            // the one client is on standard input and needs a profile
  bool loopback = true;          // the server listens on this machine only
  bool reachable = false;        // other machines may come in all the same (is_reachable())
  bool remote_admin = false;     // every admin may come from other machines
  std::vector<EnvironmentKey> environment;
};

// It has more than twelve members: the files, all that was read from them, and their watcher.
class AgentAccess {
 public:
  // Called after a change, on a thread of this object.
  using Changed = std::function<void(const ChangedAgents&)>;
  // Says what is wrong with the names in profiles: only what is strict fails.
  using CheckNames = std::function<Status(const AgentsFile&)>;

  // The error is of the agents file, the key file, or --agent.
  static Result<std::unique_ptr<AgentAccess>> open(AccessOptions options, Log& log);

  const Authenticator& auth() const { return auth_; }
  // The principal of the client on standard input.
  PrincipalPtr stdio() const { return stdio_; }
  // The newest good file.
  std::shared_ptr<const AgentsFile> file() const;

  // Checks the file with `check`, now and when it changes; the status of now.
  Status check_names(CheckNames check);
  // Reads changed files from now on, until stop(), which waits for a call of `changed`.
  void watch(Changed changed);
  void stop();
  // Writes the minutes in which keys were used, says which rotated ones were, and withdraws those
  // that have expired, if the wall clock was set. Call it periodically.
  void tick();

 private:
  // A stored key: the agent that it acts as is made again only when its profile changes.
  struct KnownKey {
    std::shared_ptr<KeyUse> use = std::make_shared<KeyUse>(0);
    AgentPtr profile{};
    PrincipalPtr principal{};
  };

  AgentAccess(AccessOptions options, Log& log);
  // Adds the principals of tokens that are withdrawn.
  Status load(PrincipalNames& withdrawn);
  Status load_agents(PrincipalNames& withdrawn);
  Status take(AgentsFile file, std::string text, PrincipalNames& withdrawn);
  void follow();
  Status check_admins(const AgentsFile& file) const;
  CredentialTable table_of(const AgentsFile& file, const StoredKeys& keys);
  void add_stored(CredentialTable& table, const AgentsFile& file, const StoredKey& key);
  void reread();
  void ring_at_next_end();
  void refuse(const std::string& reason);
  void write_uses();

  const AccessOptions options_;
  Log& log_;
  const SystemClock clock_;
  jwt::Tokens tokens_{clock_, log_};
  Authenticator auth_;
  PrincipalPtr stdio_;
  std::mutex reread_;         // one change after the other
  mutable std::mutex mutex_;  // of the members below
  std::shared_ptr<const AgentsFile> file_;
  std::string text_;                                  // of the agents file
  std::unordered_map<std::string, KnownKey> known_;   // by the key's id
  std::optional<std::chrono::sys_seconds> next_end_;  // the next key expires then
  CheckNames check_;
  Changed changed_;
  std::string reported_;          // the last fault that was logged
  Watcher* following_ = nullptr;  // the watcher until stop()
  std::vector<std::filesystem::path> watched_;
  Timer::Id next_ring_ = 0;
  Timer ends_{"gantry-keys"};  // of keys; this and the watcher use the others
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace gantry::host
