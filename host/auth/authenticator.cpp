#include "host/auth/authenticator.hpp"

#include <algorithm>
#include <utility>

#include "host/auth/digest.hpp"
#include "host/base/text.hpp"

namespace gantry::host {
namespace {

// The token of "Bearer TOKEN"; nothing for another scheme or an empty token.
std::optional<std::string_view> bearer_token(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() <= kScheme.size()) return std::nullopt;
  if (!same_ignoring_case(header.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  const std::string_view token = trimmed(header.substr(kScheme.size()));
  return token.empty() ? std::nullopt : std::optional(token);
}

// Header, payload and signature.
bool is_token(std::string_view secret) {
  return std::count(secret.begin(), secret.end(), '.') == 2;
}

PrincipalPtr local_principal() {
  return std::make_shared<const Principal>(Principal{share(Agent()), "local", "none"});
}

}  // namespace

std::chrono::sys_seconds Authenticator::system_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

Authenticator::Authenticator(Now now) : Authenticator(CredentialTable(local_principal()), now) {}

Authenticator::Authenticator(CredentialTable table, Now now)
    : now_(now), slot_(std::make_unique<Slot>()) {
  replace(std::move(table));
}

void Authenticator::add_key(std::string_view key, AgentPtr agent, Others others) {
  CredentialTable next = *table();
  next.add_key(key, *agent);
  if (others == Others::refused) next.set_others(nullptr);
  replace(std::move(next));
}

void Authenticator::replace(CredentialTable table) {
  auto next = std::make_shared<const CredentialTable>(std::move(table));
  const std::lock_guard lock(slot_->mutex);
  slot_->table.swap(next);
  ++slot_->changes;
}

std::uint64_t Authenticator::changes() const {
  return slot_->changes + (tokens_ == nullptr ? 0 : tokens_->changes());
}

bool Authenticator::leads_to(std::string_view principal) const {
  return table()->has(principal) || (tokens_ != nullptr && tokens_->leads_to(principal));
}

std::shared_ptr<const CredentialTable> Authenticator::table() const {
  const std::lock_guard lock(slot_->mutex);
  return slot_->table;
}

bool Authenticator::has_admin() const {
  if (has_tokens()) {
    for (const AgentPtr& agent : tokens_->agents()) {
      if (agent->tier == Tier::admin) return true;
    }
  }
  const auto now = table();
  const auto all = now->principals();
  return std::any_of(all.begin(), all.end(), [&](const PrincipalPtr& principal) {
    return principal != now->others() && principal->agent->tier == Tier::admin;
  });
}

bool Authenticator::needs_signature(const Credentials& credentials) const {
  if (!has_tokens() || !credentials.authorization) return false;
  const auto secret = bearer_token(*credentials.authorization);
  return secret && is_token(*secret) && tokens_->needs_signature(*secret);
}

PrincipalPtr Authenticator::check(const Credentials& credentials, Refusal& refusal,
                                  bool must_bear) const {
  const auto known = table();
  const bool bears = credentials.authorization || credentials.api_key;
  const bool tokens = has_tokens();
  const bool is_open = !tokens && known->others() && (!bears || !known->is_configured());
  if (!must_bear && is_open) return known->others();
  const auto secret =
      credentials.authorization ? bearer_token(*credentials.authorization) : credentials.api_key;
  if (!secret || secret->empty()) {
    refusal = {credentials.authorization ? "invalid" : "missing", {}};
    return nullptr;
  }
  if (tokens && credentials.authorization && is_token(*secret))
    return check_token(*secret, refusal);
  return known->find(*secret, now_(), refusal);
}

PrincipalPtr Authenticator::check_token(std::string_view token, Refusal& refusal) const {
  CheckedToken checked = tokens_->check(token);
  if (checked.principal) return std::move(checked.principal);
  refusal = {checked.reason, fingerprint_of(token), std::move(checked.grant),
             std::move(checked.waits_for)};
  return nullptr;
}

}  // namespace gantry::host
