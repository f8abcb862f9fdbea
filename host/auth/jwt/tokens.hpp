// host/auth/jwt/tokens.hpp: checks bearer tokens (JWT) against the issuers of the agents file, and
// finds the agent of each.
//
// A token is parsed, its key found, its signature checked and its claims mapped, in this order; the
// first fault refuses it. A good verdict is remembered for a minute at most. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/auth/agents/jwt_issuer.hpp"
#include "host/auth/agents/roles.hpp"
#include "host/auth/jwt/issued_principals.hpp"
#include "host/auth/jwt/key_store.hpp"
#include "host/auth/jwt/verdicts.hpp"
#include "host/auth/token_check.hpp"

namespace gantry::host::jwt {

class Tokens final : public TokenCheck {
 public:
  // Wall time, replaceable in tests.
  using Now = Seconds (*)();
  static Seconds system_now();

  // `clock` and `log` must outlive this.
  Tokens(const Clock& clock, Log& log, FetchKeys fetch = &fetch_keys, Now now = &system_now);

  // The issuers from now on, each once, and the roles that those of tokens include. Returns the
  // principals of tokens that are withdrawn by it: their issuer, its profile or the roles have
  // changed. The error names a key file that cannot be used; then nothing changes.
  Result<PrincipalNames> use(std::vector<JwtIssuer> issuers, Roles roles);
  // The files of keys, to be watched, and what to do when one of them changed.
  std::vector<std::string> key_files() const { return keys_.files(); }
  void reload_key_files() { keys_.reload_files(); }

  bool is_configured() const override { return !table()->issuers.empty(); }
  std::vector<AgentPtr> agents() const override;
  std::shared_ptr<const IssuerSummary> summary() const override;
  CheckedToken check(std::string_view token) override;
  bool needs_signature(std::string_view token) override;
  bool when_checkable(const std::string& waits_for, std::function<void()> ready) override {
    return keys_.wait(waits_for, std::move(ready));
  }
  void stop_waiting() override { keys_.stop_waiting(); }
  std::uint64_t changes() const override { return changes_; }
  bool leads_to(std::string_view principal) const override;

 private:
  struct Table {
    std::vector<JwtIssuer> issuers;
    Roles roles;
    std::shared_ptr<const IssuerSummary> summary = std::make_shared<IssuerSummary>();
  };
  using TablePtr = std::shared_ptr<const Table>;
  struct Entry {
    TablePtr table;
    const JwtIssuer* issuer;
  };

  TablePtr table() const;
  CheckedToken verify(std::string_view token, Seconds now);
  bool issue(const CheckedToken& token, const Entry& entry, Seconds now);
  // The key that the token names, if it may be signed with one of this kind.
  FoundKey key_of(const Jws& token, const JwtIssuer& issuer);
  // Nothing: the signature is good.
  std::optional<CheckedToken> check_signature(const Jws& token, const JwtIssuer& issuer);

  const Clock& clock_;
  const Now now_;
  KeyStore keys_;
  Verdicts verdicts_;
  std::atomic<std::uint64_t> changes_{0};
  mutable std::mutex mutex_;  // of issued_ and table_
  IssuedPrincipals issued_;
  TablePtr table_ = std::make_shared<Table>();
};

}  // namespace gantry::host::jwt
