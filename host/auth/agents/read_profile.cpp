#include "host/auth/agents/read_profile.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/auth/filter_names.hpp"
#include "host/base/text.hpp"

namespace gantry::host {
namespace {

using Json = rapidjson::Value;
using Names = std::vector<std::string>;

std::string text_in(const Json& value) { return {value.GetString(), value.GetStringLength()}; }

// Calls take(value) if `object` has the member.
template <class Take>
void with_member(const Json& object, const char* name, Take&& take) {
  const auto found = object.FindMember(name);
  if (found != object.MemberEnd()) take(found->value);
}

void read_member(const Json& object, const char* name, bool& out) {
  with_member(object, name, [&](const Json& value) { out = value.GetBool(); });
}
void read_member(const Json& object, const char* name, std::string& out) {
  with_member(object, name, [&](const Json& value) { out = text_in(value); });
}
void read_member(const Json& object, const char* name, std::optional<std::string>& out) {
  with_member(object, name, [&](const Json& value) { out = text_in(value); });
}
// A schema's integer may be written 1e3.
std::size_t count_of(const Json& value) {
  return value.IsUint64() ? value.GetUint64() : static_cast<std::size_t>(value.GetDouble());
}
void read_member(const Json& object, const char* name, std::optional<std::size_t>& out) {
  with_member(object, name, [&](const Json& value) { out = count_of(value); });
}
void read_member(const Json& object, const char* name, std::chrono::seconds& out) {
  with_member(object, name, [&](const Json& value) {
    out = std::chrono::seconds(static_cast<std::chrono::seconds::rep>(count_of(value)));
  });
}
void read_member(const Json& object, const char* name, Names& out) {
  with_member(object, name, [&](const Json& value) {
    out.clear();
    for (const auto& each : value.GetArray()) out.push_back(text_in(each));
  });
}

Tier tier_in(const Json& value) {
  return contract::tier_from(text_in(value)).value_or(Tier::readonly);
}

void read_rate_limit(const Json& profile, Agent& agent) {
  agent.rate_limit = RateLimit{};
  with_member(profile, "rate_limit", [&](const Json& value) {
    if (value.IsString()) return agent.rate_limit.reset();
    agent.rate_limit = RateLimit{count_of(value["calls"]), count_of(value["seconds"])};
  });
}

void read_approval(const Json& profile, Agent& agent) {
  with_member(profile, "approval", [&](const Json& value) {
    with_member(value, "tiers", [&](const Json& tiers) {
      for (const auto& tier : tiers.GetArray()) agent.approval.tiers.push_back(tier_in(tier));
    });
    read_member(value, "tools", agent.approval.tools);
    read_member(value, "methods", agent.approval.methods);
    with_member(value, "rows", [&](const Json& rows) { agent.approval.rows = count_of(rows); });
    with_member(value, "by", [&](const Json& by) {
      if (text_in(by) == "operators") agent.approval.by = Approval::By::operators;
    });
  });
}

void read_filters(const Json& profile, Agent& agent) {
  with_member(profile, "filters", [&](const Json& value) {
    if (value.ObjectEmpty()) return;
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    agent.filters.push_back({{buffer.GetString(), buffer.GetSize()}, filter_names(value)});
  });
}

Status read_list(const Json& profile, const char* name, NameFilter& out) {
  with_member(profile, name, [&](const Json& value) {
    if (value.IsArray()) {
      read_member(profile, name, out.only.emplace());
      return;
    }
    if (value.HasMember("only")) read_member(value, "only", out.only.emplace());
    read_member(value, "except", out.except);
  });
  const bool leaves = !out.only || std::any_of(out.only->begin(), out.only->end(),
                                               [&](const auto& each) { return out.allows(each); });
  if (leaves) return {};
  return Status::invalid(std::string(name) + " allows nothing; take the names of `except` out of " +
                         "`only`, or leave `only` out");
}

void read_flags(const Json& profile, Agent& agent) {
  read_member(profile, "agent_debug", agent.agent_debug);
  read_member(profile, "sql", agent.sql);
  read_member(profile, "metrics", agent.metrics);
  read_member(profile, "remote_admin", agent.remote_admin);
  read_member(profile, "strict_tools", agent.strict_tools);
  read_member(profile, "strict_classes", agent.strict_classes);
}

// Keys may be fetched without TLS from this machine only.
bool is_private_url(std::string_view url) {
  if (url.starts_with("https://")) return true;
  constexpr std::string_view kPlain = "http://";
  if (!url.starts_with(kPlain)) return false;
  url.remove_prefix(kPlain.size());
  const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  constexpr std::array<std::string_view, 3> kHere = {"127.0.0.1", "localhost", "[::1]"};
  return std::any_of(kHere.begin(), kHere.end(), [&](std::string_view host) {
    if (!authority.starts_with(host)) return false;
    const std::string_view port = authority.substr(host.size());
    return port.empty() ||
           (port.front() == ':' && std::all_of(port.begin() + 1, port.end(), is_digit));
  });
}

Status read_keys(const Json& issuer, const std::filesystem::path& directory, JwtIssuer& out) {
  read_member(issuer, "jwks", out.jwks);
  if (!out.has_url()) {
    out.jwks = std::filesystem::absolute(directory / out.jwks).lexically_normal().string();
    return {};
  }
  if (is_private_url(out.jwks)) return {};
  return Status::invalid("jwks: '" + out.jwks + "' is neither an https URL nor a file; keys that " +
                         "any machine on the way could replace are not fetched");
}

void read_claims(const Json& issuer, JwtIssuer& out) {
  read_member(issuer, "user_claim", out.user_claim);
  read_member(issuer, "tenant_claim", out.tenant_claim);
  read_member(issuer, "roles_claim", out.roles_claim);
  read_member(issuer, "client_claim", out.client_claim);
  read_member(issuer, "correlation_claim", out.correlation_claim);
  read_member(issuer, "types", out.types);
  for (std::string& type : out.types) type = lower(type);
  read_member(issuer, "skew_seconds", out.skew);
  read_member(issuer, "max_life_seconds", out.max_life);
  with_member(issuer, "scopes", [&](const Json& scopes) {
    for (const auto& each : scopes.GetObject())
      out.scopes.emplace_back(text_in(each.name), tier_in(each.value));
  });
}

}  // namespace

Result<AgentPtr> read_profile(const std::string& name, const rapidjson::Value& profile,
                              const Roles& roles) {
  Agent agent;
  agent.name = name;
  with_member(profile, "permissions", [&](const Json& value) { agent.tier = tier_in(value); });
  read_member(profile, "tenant_id", agent.tenant_id);
  read_member(profile, "user", agent.user);
  Names direct;
  read_member(profile, "roles", direct);
  auto all = roles.expanded(direct);
  if (!all) return all.status();
  agent.roles = std::move(*all);
  if (Status good = read_list(profile, "tools", agent.tools); !good) return good;
  if (Status good = read_list(profile, "classes", agent.classes); !good) return good;
  if (Status good = read_list(profile, "methods", agent.methods); !good) return good;
  read_filters(profile, agent);
  read_approval(profile, agent);
  read_rate_limit(profile, agent);
  with_member(profile, "caps", [&](const Json& caps) {
    read_member(caps, "rows", agent.cap_rows);
    read_member(caps, "bytes", agent.cap_bytes);
  });
  read_flags(profile, agent);
  return share(std::move(agent));
}

Result<JwtIssuer> read_issuer(const rapidjson::Value& issuer, const AgentsFile& file,
                              const std::filesystem::path& directory) {
  JwtIssuer out;
  read_member(issuer, "issuer", out.issuer);
  const Json& audience = issuer["audience"];
  if (audience.IsString()) {
    out.audiences.push_back(text_in(audience));
  } else {
    read_member(issuer, "audience", out.audiences);
  }
  read_member(issuer, "algorithms", out.algorithms);
  const std::string agent = text_in(issuer["agent"]);
  out.profile = file.find(agent);
  if (!out.profile) {
    return Status::invalid("agent: there is no profile '" + agent + "'; profiles: " + file.names());
  }
  read_claims(issuer, out);
  if (Status good = read_keys(issuer, directory, out); !good) return good;
  return out;
}

}  // namespace gantry::host
