#include "host/auth/jwt/tokens.hpp"

#include <algorithm>

#include "host/auth/digest.hpp"
#include "host/auth/jwt/jws.hpp"
#include "host/auth/jwt/strict_json.hpp"

namespace gantry::host::jwt {
namespace {

CheckedToken refused_for(Fault fault) { return {nullptr, reason_of(fault)}; }

bool may_sign_with(const JwtIssuer& issuer, Algorithm algorithm) {
  return std::any_of(issuer.algorithms.begin(), issuer.algorithms.end(),
                     [&](const auto& name) { return algorithm_from(name) == algorithm; });
}

// The entry of the token's issuer, which the agents file has once; its audience is checked with the
// claims.
const JwtIssuer* entry_of(const Jws& token, const std::vector<JwtIssuer>& issuers) {
  const std::string_view name = issuer_of(token);
  const auto found = std::find_if(issuers.begin(), issuers.end(),
                                  [name](const JwtIssuer& each) { return each.issuer == name; });
  return name.empty() || found == issuers.end() ? nullptr : &*found;
}

// Gives the profile what the token says; false: the token does not fit it.
bool narrow_to(Claims& claims, const Roles& roles, Agent& agent) {
  if (claims.tier) agent.tier = std::min(agent.tier, *claims.tier);
  if (claims.tenant) {
    if (agent.tenant_id && *agent.tenant_id != *claims.tenant) return false;
    agent.tenant_id = std::move(claims.tenant);
  }
  if (claims.user) agent.user = std::move(claims.user);
  if (!claims.roles) return true;
  auto all = roles.expanded(*claims.roles);
  if (all) agent.roles = std::move(*all);
  return all.is_ok();
}

std::shared_ptr<const TokenGrant> grant_of(const JwtIssuer& issuer, const Claims& claims) {
  return std::make_shared<const TokenGrant>(TokenGrant{claims.scopes, issuer.scopes,
                                                       issuer.profile->tier, claims.expires,
                                                       claims.expires + issuer.skew});
}

// Stays the same when the token is refreshed.
std::string name_of(const JwtIssuer& issuer, const Claims& claims) {
  constexpr std::size_t kDigits = 32;
  return issuer.profile->name +
         ":jwt:" + digest_of({claims.issuer, claims.subject, claims.client_id}).substr(0, kDigits);
}

// Tokens of both act as the same principals.
bool grants_same(const JwtIssuer& a, const JwtIssuer& b) {
  return a.issuer == b.issuer && a.audiences == b.audiences && a.user_claim == b.user_claim &&
         a.tenant_claim == b.tenant_claim && a.roles_claim == b.roles_claim &&
         a.client_claim == b.client_claim && a.correlation_claim == b.correlation_claim &&
         a.scopes == b.scopes && a.profile->name == b.profile->name &&
         a.profile->tier == b.profile->tier && a.profile->binding == b.profile->binding;
}

void add_once(std::vector<std::string>& to, const std::string& name) {
  if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
}

std::shared_ptr<const IssuerSummary> summary_of(const std::vector<JwtIssuer>& issuers) {
  auto out = std::make_shared<IssuerSummary>();
  for (const JwtIssuer& issuer : issuers) {
    add_once(out->issuers, issuer.issuer);
    const std::pair<std::string, Tier>* least = nullptr;
    for (const auto& scope : issuer.scopes) {
      add_once(out->scopes, scope.first);
      if (least == nullptr || scope.second < least->second) least = &scope;
    }
    if (least != nullptr) add_once(out->least_scopes, least->first);
  }
  return out;
}

}  // namespace

Seconds Tokens::system_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

Tokens::Tokens(const Clock& clock, Log& log, FetchKeys fetch, Now now)
    : clock_(clock), now_(now), keys_(clock, std::move(fetch), log), verdicts_(clock_) {}

Result<PrincipalNames> Tokens::use(std::vector<JwtIssuer> issuers, Roles roles) {
  std::vector<std::string> locations;
  for (const JwtIssuer& issuer : issuers) locations.push_back(issuer.jwks);
  auto next = std::make_shared<Table>();
  next->summary = summary_of(issuers);
  next->issuers = std::move(issuers);
  next->roles = std::move(roles);
  const std::lock_guard lock(mutex_);
  if (Status good = keys_.use(locations); !good) return good;
  const bool same_roles = next->roles == table_->roles;
  table_ = std::move(next);
  keys_.begin_generation();
  ++changes_;
  return issued_.withdraw([&](const JwtIssuer& old) {
    return same_roles && std::any_of(table_->issuers.begin(), table_->issuers.end(),
                                     [&](const JwtIssuer& now) { return grants_same(old, now); });
  });
}

bool Tokens::leads_to(std::string_view principal) const {
  const std::lock_guard lock(mutex_);
  return issued_.has(principal);
}

Tokens::TablePtr Tokens::table() const {
  const std::lock_guard lock(mutex_);
  return table_;
}

std::vector<AgentPtr> Tokens::agents() const {
  std::vector<AgentPtr> out;
  for (const TablePtr now = table(); const JwtIssuer& issuer : now->issuers) {
    out.push_back(issuer.profile);
  }
  return out;
}

std::shared_ptr<const IssuerSummary> Tokens::summary() const { return table()->summary; }

CheckedToken Tokens::check(std::string_view token) {
  const Sha256 digest = sha256(token);
  const std::uint64_t generation = keys_.generation();
  const Seconds now = now_();
  if (auto known = verdicts_.find(digest, generation, now)) return {std::move(known)};
  CheckedToken out = verify(token, now);
  if (out.principal) {
    verdicts_.put(digest, generation, now, out.principal->token->expires, out.principal);
  }
  return out;
}

bool Tokens::needs_signature(std::string_view token) {
  if (verdicts_.find(sha256(token), keys_.generation(), now_())) return false;
  Jws jws;
  if (!read_jws(token, jws)) return false;
  const TablePtr table = this->table();
  const JwtIssuer* issuer = entry_of(jws, table->issuers);
  return issuer != nullptr && key_of(jws, *issuer).outcome == FoundKey::Outcome::found;
}

CheckedToken Tokens::verify(std::string_view token, Seconds now) {
  Jws jws;
  if (!read_jws(token, jws)) return refused_for(Fault::invalid);
  const TablePtr table = this->table();
  const JwtIssuer* issuer = entry_of(jws, table->issuers);
  if (issuer == nullptr) return refused_for(Fault::invalid);
  if (auto bad = check_signature(jws, *issuer)) return std::move(*bad);
  Claims claims;
  if (const auto fault = read_claims(jws, *issuer, now, claims)) {
    CheckedToken out = refused_for(*fault);
    if (*fault == Fault::no_scope) out.grant = grant_of(*issuer, claims);
    return out;
  }
  Agent agent = *issuer->profile;
  if (!narrow_to(claims, table->roles, agent)) return refused_for(Fault::no_profile);
  CheckedToken out{make_principal(std::move(agent), name_of(*issuer, claims), "jwt",
                                  grant_of(*issuer, claims), claims.correlation_id)};
  return issue(out, {table, issuer}, now) ? out : verify(token, now);
}

// False: the issuers have changed meanwhile. use() withdraws this principal or was over before.
bool Tokens::issue(const CheckedToken& token, const Entry& entry, Seconds now) {
  const std::lock_guard lock(mutex_);
  if (entry.table != table_) return false;
  const Principal& principal = *token.principal;
  issued_.add(principal.name, {entry.table, entry.issuer}, principal.token->expires, now);
  return true;
}

FoundKey Tokens::key_of(const Jws& token, const JwtIssuer& issuer) {
  const auto algorithm = algorithm_from(token.alg);
  if (!algorithm || !may_sign_with(issuer, *algorithm) || !has_good_type(token, issuer)) {
    return {FoundKey::Outcome::unknown, {}};
  }
  return keys_.find(issuer.jwks, token.kid, *algorithm);
}

std::optional<CheckedToken> Tokens::check_signature(const Jws& token, const JwtIssuer& issuer) {
  using Outcome = FoundKey::Outcome;
  const FoundKey found = key_of(token, issuer);
  switch (found.outcome) {
    case Outcome::found:
      if (is_signed(*algorithm_from(token.alg), *found.key->key, token.signed_text,
                    token.signature)) {
        return std::nullopt;
      }
      return refused_for(Fault::invalid);
    case Outcome::unknown:
      return refused_for(Fault::invalid);
    case Outcome::wait: {
      CheckedToken out = refused_for(Fault::unavailable);
      out.waits_for = issuer.jwks;
      return out;
    }
    case Outcome::unavailable:
      break;
  }
  return refused_for(Fault::unavailable);
}

}  // namespace gantry::host::jwt
