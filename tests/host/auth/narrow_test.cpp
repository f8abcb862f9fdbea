// Narrowing is a meet: what a narrowed agent may, both the agent and the narrowing allow.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "host/auth/agent.hpp"
#include "host/base/json.hpp"

namespace gantry::host {
namespace {

using NameChoice = std::vector<std::string>;

// Names that lists draw from; methods come bare and with a class.
const NameChoice kThings = {"a", "b", "c", "d", "e"};
const NameChoice kMethods = {"a", "b", "A.a", "A.b", "B.a"};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  bool maybe() { return random_() % 2 == 0; }
  NameFilter filter(const NameChoice& names) {
    NameFilter out;
    if (maybe()) {
      out.only.emplace();
      for (const auto& name : names)
        if (random_() % 4 != 0) out.only->push_back(name);
    }
    for (const auto& name : names)
      if (random_() % 5 == 0) out.except.push_back(name);
    return out;
  }
  Tier tier(Tier most) { return static_cast<Tier>(random_() % (static_cast<unsigned>(most) + 1)); }

 private:
  std::minstd_rand random_;
};

struct Wishes {
  NameFilter tools, classes, methods;
  Tier tier = Tier::readonly;
  std::string filters;
};

Wishes draw_wishes(Draw& draw, Tier most) {
  Wishes out{
      draw.filter(kThings), draw.filter(kThings), draw.filter(kMethods), draw.tier(most), {}};
  if (draw.maybe()) out.filters = draw.maybe() ? R"({"A":{"x":1}})" : R"({"default":{"y":2}})";
  return out;
}

void append_array(std::string& out, const NameChoice& names) {
  out += '[';
  for (const auto& name : names) {
    if (out.back() != '[') out += ',';
    append_json_string(out, name);
  }
  out += ']';
}

std::string json_of(const NameFilter& filter) {
  std::string out = "{\"except\":";
  append_array(out, filter.except);
  if (filter.only) {
    out += ",\"only\":";
    append_array(out, *filter.only);
  }
  return out + "}";
}

std::string json_of(const Wishes& wishes) {
  std::string out = "{";
  append_text_member(out, "permissions", tier_name(wishes.tier));
  append_json_member(out, "tools", json_of(wishes.tools));
  append_json_member(out, "classes", json_of(wishes.classes));
  append_json_member(out, "methods", json_of(wishes.methods));
  if (!wishes.filters.empty()) append_json_member(out, "filters", wishes.filters);
  return out + "}";
}

Agent agent_of(const Wishes& wishes) {
  Agent agent;
  agent.tier = wishes.tier;
  agent.tools = wishes.tools;
  agent.classes = wishes.classes;
  agent.methods = wishes.methods;
  return agent;
}

// All that an agent may of what the lists draw from, and its tier and filters, as one text.
std::string rights(const Agent& agent) {
  std::string out(tier_name(agent.tier));
  for (const auto& name : kThings) {
    out += agent.tools.allows(name) ? "T" : "-";
    out += agent.classes.allows(name) ? "C" : "-";
  }
  for (const auto cls : {"A", "B", "C"}) {
    for (const auto name : {"a", "b", "c"}) out += agent.allows_method(cls, name) ? "M" : "-";
  }
  return out;
}

bool within(const std::string& narrow, const std::string& wide) {
  for (std::size_t i = 0; i < narrow.size() && i < wide.size(); ++i) {
    const bool grants = narrow[i] == 'T' || narrow[i] == 'C' || narrow[i] == 'M';
    if (grants && wide[i] != narrow[i]) return false;
  }
  return true;
}

std::string lists_of(const Agent& agent) {
  return rights(agent).substr(tier_name(agent.tier).size());
}

TEST(Narrowing, AllowsOnlyTheRightsThatBothAllow) {
  int narrowed = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Draw draw(seed);
    const Wishes a = draw_wishes(draw, Tier::admin);
    const Agent parent = agent_of(a);
    const Wishes b = draw_wishes(draw, a.tier);
    const auto child = parent.narrowed(json_of(b));
    if (!child) continue;
    ++narrowed;
    const Agent other = agent_of(b);
    EXPECT_LE((*child)->tier, parent.tier);
    const std::string both = lists_of(**child), one = lists_of(parent), two = lists_of(other);
    EXPECT_TRUE(within(both, one)) << seed;
    EXPECT_TRUE(within(both, two)) << seed;
    for (std::size_t i = 0; i < both.size(); ++i)
      EXPECT_EQ(both[i] != '-', one[i] != '-' && two[i] != '-') << seed << " at " << i;
  }
  EXPECT_GT(narrowed, 1000);
}

TEST(Narrowing, HasTheSameResultInAnyOrder) {
  int compared = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Draw draw(seed);
    Wishes root = draw_wishes(draw, Tier::admin), a = draw_wishes(draw, root.tier);
    Wishes b = draw_wishes(draw, root.tier);
    a.tier = b.tier = std::min(a.tier, b.tier);
    const Agent parent = agent_of(root);
    const auto first = parent.narrowed(json_of(a)), second = parent.narrowed(json_of(b));
    if (!first || !second) continue;
    const auto ab = (*first)->narrowed(json_of(b)), ba = (*second)->narrowed(json_of(a));
    ASSERT_EQ(ab.is_ok(), ba.is_ok()) << seed;
    if (!ab) continue;
    ++compared;
    EXPECT_EQ(rights(**ab), rights(**ba)) << seed;
    EXPECT_EQ((*ab)->filters.size(), (*ba)->filters.size());
  }
  EXPECT_GT(compared, 300);
}

TEST(Narrowing, ChangesNothingWhenItIsRepeated) {
  int compared = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Draw draw(seed);
    const Agent parent = agent_of(draw_wishes(draw, Tier::admin));
    const std::string wish = json_of(draw_wishes(draw, parent.tier));
    const auto once = parent.narrowed(wish);
    if (!once) continue;
    const auto twice = (*once)->narrowed(wish);
    ASSERT_TRUE(twice) << twice.message();
    ++compared;
    EXPECT_EQ(rights(**twice), rights(**once));
    EXPECT_EQ((*twice)->fingerprint, (*once)->fingerprint) << "it sees the same";
  }
  EXPECT_GT(compared, 600);
}

TEST(Narrowing, AddsALayerOfFiltersAlsoOnTheSameField) {
  Agent agent;
  agent.filters = {{R"({"A":{"x":1}})", {"A.x"}}};
  const auto child = *agent.narrowed(R"({"filters":{"A":{"x":2}}})");
  ASSERT_EQ(child->filters.size(), 2u);
  EXPECT_EQ(child->filters[1].json, R"({"A":{"x":2}})");
  EXPECT_EQ(child->filters[1].summary, NameChoice{"A.x"});
  EXPECT_NE(child->scope.find(R"("filters":[{"A":{"x":1}},{"A":{"x":2}}])"), std::string::npos);
  for (const auto wrong : {R"({"filters":[]})", R"({"filters":{"A":1}})"})
    EXPECT_EQ(agent.narrowed(wrong).status().code(), GANTRY_INVALID_ARGUMENT) << wrong;
}

TEST(Narrowing, KeepsIdentityLimitsAndApprovals) {
  Agent agent;
  agent.user = "u";
  agent.roles = {"r"};
  agent.tenant_id = "t";
  agent.rate_limit = RateLimit{1, 2};
  agent.cap_rows = 3;
  agent.cap_bytes = 4096;
  agent.approval.tools = {"x"};
  agent.principal = "p";
  agent.id = "i";
  const auto child = *agent.narrowed("{}");
  EXPECT_EQ(child->user, agent.user);
  EXPECT_EQ(child->roles, agent.roles);
  EXPECT_EQ(child->tenant_id, agent.tenant_id);
  EXPECT_EQ(child->rate_limit, agent.rate_limit);
  EXPECT_EQ(child->cap_rows, agent.cap_rows);
  EXPECT_EQ(child->cap_bytes_text, "4096");
  EXPECT_EQ(child->approval, agent.approval);
  EXPECT_EQ(child->principal, "p");
  EXPECT_EQ(child->parent_id, "i");
  EXPECT_FALSE(child->id.empty());
}

TEST(Scope, HoldsEveryMemberThatDecidesVisibility) {
  Agent agent;
  agent.name = "sales";
  EXPECT_EQ(
      share(agent)->scope.rfind(
          R"({"agent":"sales","depth":0,"permissions":"readonly","agent_debug":false,"fingerprint":")",
          0),
      0u)
      << share(agent)->scope;
  agent.user = "u17";
  agent.roles = {"employee", "seller"};
  agent.tenant_id = "acme";
  agent.classes.only = NameChoice{"B", "A"};
  agent.cap_rows = 500;
  agent.principal = "sales/k";
  const auto shared = share(agent);
  EXPECT_EQ(
      shared->scope,
      R"({"agent":"sales","principal":"sales/k","depth":0,"permissions":"readonly","user":"u17","roles":["employee","seller"],"tenant_id":"acme","classes":{"only":["A","B"]},"caps":{"rows":500},"agent_debug":false,"fingerprint":")" +
          shared->fingerprint + "\"}");
  EXPECT_EQ(shared->fingerprint.size(), 16u);
}

TEST(Scope, HasAnotherFingerprintForEveryOtherRight) {
  const Agent base;
  std::vector<Agent> others(9, base);
  others[0].user = "u";
  others[1].roles = {"u"};
  others[2].tenant_id = "u";
  others[3].classes.except = {"u"};
  others[4].filters = {{"{}", {}}};
  others[5].agent_debug = true;
  others[6].tier = Tier::write;
  others[7].methods.except = {"u"};
  others[8].cap_rows = 1;
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_NE(share(others[i])->fingerprint, share(base)->fingerprint) << i;
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_NE(share(others[i])->fingerprint, share(others[k])->fingerprint) << i << " " << k;
  }
  Agent renamed = base;
  renamed.name = "other";
  renamed.depth = 3;
  renamed.principal = "p";
  EXPECT_EQ(share(renamed)->fingerprint, share(base)->fingerprint) << "it sees the same";
}

TEST(Methods, AreNamedAloneOrWithTheirClass) {
  Agent agent;
  agent.methods.only = NameChoice{"approve", "Order.cancel"};
  agent.methods.except = {"Invoice.approve"};
  EXPECT_TRUE(agent.allows_method("Order", "approve"));
  EXPECT_TRUE(agent.allows_method("Order", "cancel"));
  EXPECT_FALSE(agent.allows_method("Invoice", "cancel"));
  EXPECT_FALSE(agent.allows_method("Invoice", "approve"));
  EXPECT_FALSE(agent.allows_method("XOrder", "cancel"));
}

}  // namespace
}  // namespace gantry::host
