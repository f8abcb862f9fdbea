#include "host/auth/agent.hpp"

#include <algorithm>

#include <rapidjson/document.h>

#include "host/base/json.hpp"

namespace gantry::host {
namespace {

using Names = std::vector<std::string>;

constexpr int kMaxDepth = 4;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void append_names(std::string& out, const Names& names) {
  out += '[';
  for (const auto& name : names) {
    if (out.back() != '[') out += ',';
    append_json_string(out, name);
  }
  out += ']';
}

void append_filter(std::string& out, const NameFilter& filter) {
  out += '{';
  if (filter.only) {
    out += "\"only\":";
    append_names(out, *filter.only);
  }
  if (!filter.except.empty()) {
    if (filter.only) out += ',';
    out += "\"except\":";
    append_names(out, filter.except);
  }
  out += '}';
}

Result<Names> read_names(const rapidjson::Value& value, const std::string& where) {
  if (!value.IsArray()) return Status::invalid(where + " must be an array of names");
  Names names;
  for (const auto& name : value.GetArray()) {
    if (!name.IsString()) return Status::invalid(where + " must hold strings only");
    names.emplace_back(name.GetString(), name.GetStringLength());
  }
  return names;
}

// A plain array means `only`.
Result<NameFilter> read_filter(const rapidjson::Value& value, const std::string& where) {
  NameFilter filter;
  if (value.IsArray()) {
    auto only = read_names(value, where);
    if (!only) return only.status();
    filter.only = std::move(*only);
    return filter;
  }
  if (!value.IsObject())
    return Status::invalid(where + " must be an array or an object of only and except");
  for (const auto& entry : value.GetObject()) {
    const std::string name = entry.name.GetString();
    if (name != "only" && name != "except") {
      return Status::invalid(where + " has the unknown member '" + name +
                             "'; allowed: only, except");
    }
    auto names = read_names(entry.value, where + "." + name);
    if (!names) return names.status();
    if (name == "only") {
      filter.only = std::move(*names);
    } else {
      filter.except = std::move(*names);
    }
  }
  return filter;
}

// The intersection of both. An empty intersection is an error, since no caller can want it.
Result<NameFilter> intersected(const NameFilter& parent, NameFilter wanted,
                               const std::string& what) {
  NameFilter out;
  out.except = parent.except;
  for (auto& name : wanted.except) {
    if (!contains(out.except, name)) out.except.push_back(std::move(name));
  }
  if (wanted.only && parent.only) {
    std::erase_if(*wanted.only, [&](const auto& name) { return !contains(*parent.only, name); });
  }
  out.only = wanted.only ? std::move(wanted.only) : parent.only;
  if (!out.only) return out;
  std::erase_if(*out.only, [&](const auto& name) { return contains(out.except, name); });
  if (out.only->empty()) return Status::invalid("the narrowing leaves no " + what);
  return out;
}

Result<Tier> read_tier(const rapidjson::Value& value, Tier ceiling) {
  const auto tier = value.IsString() ? contract::tier_from(value.GetString()) : std::nullopt;
  if (!tier) return Status::invalid("narrowing.permissions must be readonly, write or admin");
  if (*tier > ceiling) {
    return Status::denied("permission '" + std::string(tier_name(*tier)) +
                          "' is more than the caller's '" + std::string(tier_name(ceiling)) + "'");
  }
  return *tier;
}

Status apply(Agent& agent, const Agent& parent, std::string_view member,
             const rapidjson::Value& value) {
  if (member == "permissions") {
    auto tier = read_tier(value, parent.tier);
    if (tier) agent.tier = *tier;
    return tier.status();
  }
  if (member != "tools" && member != "classes") {
    return Status::invalid("narrowing has the unknown member '" + std::string(member) +
                           "'; allowed: permissions, tools, classes");
  }
  const bool tools = member == "tools";
  auto filter = read_filter(value, "narrowing." + std::string(member));
  if (!filter) return filter.status();
  auto both =
      intersected(tools ? parent.tools : parent.classes, std::move(*filter), std::string(member));
  if (!both) return both.status();
  (tools ? agent.tools : agent.classes) = std::move(*both);
  return {};
}

}  // namespace

bool NameFilter::allows(std::string_view name) const {
  return !contains(except, name) && (!only || contains(*only, name));
}

std::string Agent::to_json() const {
  std::string out = "{";
  append_text_member(out, "name", name);
  append_text_member(out, "permissions", tier_name(tier));
  if (user) append_text_member(out, "user", *user);
  if (!roles.empty()) {
    append_name(out, "role");
    append_names(out, roles);
  }
  if (tenant_id) append_text_member(out, "tenant_id", *tenant_id);
  append_json_member(out, "depth", std::to_string(depth));
  if (classes != NameFilter{}) {
    append_name(out, "classes");
    append_filter(out, classes);
  }
  out += '}';
  return out;
}

Result<AgentPtr> Agent::narrowed(std::string_view narrowing) const {
  rapidjson::Document wish;
  wish.Parse<rapidjson::kParseValidateEncodingFlag>(narrowing.data(), narrowing.size());
  if (wish.HasParseError() || !wish.IsObject())
    return Status::invalid("a narrowing is a JSON object");
  if (depth >= kMaxDepth) return Status::denied("agents may be narrowed at most 4 times");
  auto agent = std::make_shared<Agent>(*this);
  agent->depth = depth + 1;
  agent->tier = Tier::readonly;
  for (const auto& entry : wish.GetObject()) {
    const std::string_view member(entry.name.GetString(), entry.name.GetStringLength());
    if (Status status = apply(*agent, *this, member, entry.value); !status) return status;
  }
  return AgentPtr(std::move(agent));
}

}  // namespace gantry::host
