// host/auth/authenticator.hpp: finds the principal of a credential.
//
// Any thread. The accepted credentials are one immutable table, which replace() exchanges while
// requests are checked.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/auth/credential_table.hpp"
#include "host/auth/principal.hpp"

namespace gantry::host {

// As the client sent them.
struct Credentials {
  std::optional<std::string_view> authorization;  // the header Authorization
  std::optional<std::string_view> api_key;        // the header X-MCP-API-Key
};

class Authenticator {
 public:
  enum class Others { refused, local };
  // Wall time, replaceable in tests.
  using Now = std::chrono::sys_seconds (*)();
  static std::chrono::sys_seconds system_now();

  // Without credentials every request acts as the agent `local`.
  explicit Authenticator(Now now = &system_now);
  explicit Authenticator(CredentialTable table, Now now = &system_now);

  // Requests that bear `key` act as `agent`. Requests without a key are refused from now on, unless
  // `others` lets them act as before.
  void add_key(std::string_view key, AgentPtr agent, Others others = Others::refused);
  // Takes effect for the next check().
  void replace(CredentialTable table);
  // Bearer tokens of JSON (JWT) are checked by `tokens`, which must outlive this. Call before the
  // first check(). As soon as an issuer is configured no request acts without a credential.
  void use_tokens(TokenCheck& tokens) { tokens_ = &tokens; }
  // Null, or without an issuer, where none are accepted.
  TokenCheck* tokens() const { return tokens_; }
  bool has_tokens() const { return tokens_ != nullptr && tokens_->is_configured(); }

  // Any authentication is configured: a credential can be presented, so it can be wrong; lists may
  // differ between callers. The one place that answers this.
  bool is_configured() const { return has_tokens() || table()->is_configured(); }
  // Requests without a credential are refused.
  bool refuses_others() const { return has_tokens() || table()->others() == nullptr; }
  // Characters of the shortest key of the environment; 0 without any.
  std::size_t least_key_size() const { return table()->least_key_size(); }
  // Some credential acts as an agent with the tier admin.
  bool has_admin() const;
  // check() would verify the signature of a token, which costs a hundred times what a key does.
  bool needs_signature(const Credentials& credentials) const;
  // The credentials of this moment.
  std::shared_ptr<const CredentialTable> table() const;
  // Grows when they change. A request that had its principal before and has something open after
  // asks leads_to(), because its principal was perhaps withdrawn meanwhile.
  std::uint64_t changes() const;
  // Some credential still leads to the principal of this name.
  bool leads_to(std::string_view principal) const;

  // The principal, or null and the reason in `refusal`. Authorization goes first when both are
  // sent; what one of them fails, the other does not repair. Where issuers are configured a bearer
  // token with two dots is one of theirs and never a key. With `must_bear` a request without a
  // credential is refused, even if others would be let in.
  PrincipalPtr check(const Credentials& credentials, Refusal& refusal,
                     bool must_bear = false) const;

 private:
  PrincipalPtr check_token(std::string_view token, Refusal& refusal) const;

  Now now_;
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<const CredentialTable> table;
    std::atomic<std::uint64_t> changes{0};
  };
  std::unique_ptr<Slot> slot_;
  TokenCheck* tokens_ = nullptr;
};

}  // namespace gantry::host
