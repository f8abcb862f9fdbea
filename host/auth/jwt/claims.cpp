#include "host/auth/jwt/claims.hpp"

#include <algorithm>
#include <cmath>

#include <rapidjson/document.h>

#include "host/auth/jwt/jws.hpp"
#include "host/auth/jwt/strict_json.hpp"
#include "host/base/correlation_id.hpp"
#include "host/base/text.hpp"

namespace gantry::host::jwt {
namespace {

constexpr std::size_t kMaxText = 256;
constexpr std::size_t kMaxList = 256;        // roles or scopes
constexpr std::size_t kMaxScopeText = 4096;  // a blank-separated list

using Texts = std::vector<std::string>;

// A time claim; false: it is there and is no number of seconds.
bool take_time(const rapidjson::Value& claims, std::string_view name, std::optional<Seconds>& out) {
  constexpr double kLatest = 253402300799.0;  // the end of the year 9999
  const auto* value = member_of(claims, name);
  if (value == nullptr) return true;
  if (!value->IsNumber()) return false;
  const double seconds = value->GetDouble();
  if (!(seconds >= 0 && seconds <= kLatest)) return false;
  out = Seconds(std::chrono::seconds(static_cast<std::int64_t>(std::floor(seconds))));
  return true;
}

// The names of a blank-separated list; nothing for one with an empty or too long name.
std::optional<Texts> split(std::string_view text) {
  Texts out;
  while (true) {
    const auto blank = text.find(' ');
    const std::string_view name = text.substr(0, blank);
    if (name.empty() || name.size() > kMaxText || out.size() == kMaxList) return std::nullopt;
    out.emplace_back(name);
    if (blank == text.npos) return out;
    text.remove_prefix(blank + 1);
  }
}

// An array of texts, or a text of names between blanks; an empty one of either kind is no name.
std::optional<Texts> names_in(const rapidjson::Value& value) {
  if (value.IsString()) {
    if (value.GetStringLength() == 0) return Texts();
    const auto text = plain_text(&value, kMaxScopeText);
    return text ? split(*text) : std::nullopt;
  }
  if (!value.IsArray() || value.Size() > kMaxList) return std::nullopt;
  Texts out;
  for (const auto& element : value.GetArray()) {
    const auto text = plain_text(&element, kMaxText);
    if (!text) return std::nullopt;
    out.emplace_back(*text);
  }
  return out;
}

bool names_us(const rapidjson::Value* aud, const Texts& ours) {
  if (aud == nullptr) return false;
  const auto is_ours = [&](const rapidjson::Value& one) {
    const auto text = plain_text(&one, kMaxText);
    return text && std::find(ours.begin(), ours.end(), *text) != ours.end();
  };
  if (!aud->IsArray()) return is_ours(*aud);
  // One element of another type makes the whole claim wrong.
  return std::all_of(aud->Begin(), aud->End(), [](const auto& one) { return one.IsString(); }) &&
         std::any_of(aud->Begin(), aud->End(), is_ours);
}

std::optional<Fault> check_times(const rapidjson::Value& claims, const JwtIssuer& issuer,
                                 Seconds now, Claims& out) {
  std::optional<Seconds> exp, nbf, iat;
  const bool typed = take_time(claims, "exp", exp) && take_time(claims, "nbf", nbf) &&
                     take_time(claims, "iat", iat);
  if (!typed || !exp) return Fault::invalid;
  if (now >= *exp + issuer.skew) return Fault::expired;
  if ((nbf && now + issuer.skew < *nbf) || (iat && now + issuer.skew < *iat)) {
    return Fault::invalid;
  }
  // Without iat the life of the token is counted from now.
  if (*exp - iat.value_or(now) > issuer.max_life) return Fault::invalid;
  out.expires = *exp;
  return std::nullopt;
}

// A claim that the configuration names; false unless it is a text.
bool take_named(const rapidjson::Value& claims, const std::string& name,
                std::optional<std::string>& out) {
  if (name.empty()) return true;
  const auto text = plain_text(member_of(claims, name), kMaxText);
  if (text) out = *text;
  return text.has_value();
}

bool take_roles(const rapidjson::Value& claims, const std::string& name, Claims& out) {
  if (name.empty()) return true;
  const auto* value = member_of(claims, name);
  out.roles = value == nullptr ? Texts() : names_in(*value);
  if (!out.roles) return false;
  // Neither user nor roles would be a master.
  return out.user || !out.roles->empty();
}

bool take_client(const rapidjson::Value& claims, const std::string& name, Claims& out) {
  const auto* value = name.empty() ? nullptr : member_of(claims, name);
  if (value == nullptr) return true;
  const auto text = plain_text(value, kMaxText);
  if (text) out.client_id = *text;
  return text.has_value();
}

// It decides nothing, so one that is absent or no correlation id is ignored.
void take_correlation(const rapidjson::Value& claims, const std::string& name, Claims& out) {
  if (name.empty()) return;
  const auto id = plain_text(member_of(claims, name), kMaxCorrelationId);
  if (id && is_correlation_id(*id)) out.correlation_id = *id;
}

// The granted scopes, and the tier of the highest of them.
std::optional<Fault> take_scopes(const rapidjson::Value& claims, const JwtIssuer& issuer,
                                 Claims& out) {
  const auto* scope = member_of(claims, "scope");
  if (scope == nullptr) scope = member_of(claims, "scp");
  if (scope != nullptr) {
    auto names = names_in(*scope);
    if (!names) return Fault::no_profile;
    out.scopes = std::move(*names);
  }
  if (issuer.scopes.empty()) return std::nullopt;
  for (const auto& [name, tier] : issuer.scopes) {
    if (std::find(out.scopes.begin(), out.scopes.end(), name) == out.scopes.end()) continue;
    out.tier = std::max(out.tier.value_or(tier), tier);
  }
  return out.tier ? std::nullopt : std::optional(Fault::no_scope);
}

}  // namespace

std::string_view reason_of(Fault fault) {
  switch (fault) {
    case Fault::invalid:
      return "invalid";
    case Fault::expired:
      return "expired";
    case Fault::wrong_audience:
      return "wrong_audience";
    case Fault::no_profile:
      return "no_profile";
    case Fault::no_scope:
      return "no_scope";
    case Fault::unavailable:
      break;
  }
  return "unavailable";
}

bool has_good_type(const Jws& token, const JwtIssuer& issuer) {
  const std::string type = lower(token.typ.value_or(""));
  return std::find(issuer.types.begin(), issuer.types.end(), type) != issuer.types.end();
}

std::optional<Fault> read_claims(const Jws& token, const JwtIssuer& issuer, Seconds now,
                                 Claims& out) {
  const rapidjson::Value& claims = token.payload;
  const auto subject = plain_text(member_of(claims, "sub"), kMaxText);
  if (issuer_of(token) != issuer.issuer || !subject) return Fault::invalid;
  if (!names_us(member_of(claims, "aud"), issuer.audiences)) return Fault::wrong_audience;
  if (const auto fault = check_times(claims, issuer, now, out)) return fault;
  out.issuer = issuer.issuer;
  out.subject = *subject;
  if (!take_named(claims, issuer.user_claim, out.user) ||
      !take_named(claims, issuer.tenant_claim, out.tenant) ||
      !take_roles(claims, issuer.roles_claim, out) ||
      !take_client(claims, issuer.client_claim, out)) {
    return Fault::no_profile;
  }
  take_correlation(claims, issuer.correlation_claim, out);
  return take_scopes(claims, issuer, out);
}

}  // namespace gantry::host::jwt
