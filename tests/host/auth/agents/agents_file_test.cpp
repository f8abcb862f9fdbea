#include "host/auth/agents/agents_file.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

using NameVector = std::vector<std::string>;

AgentsFile good(std::string_view text) {
  auto file = read_agents(text, "/etc/gantry/agents.json");
  EXPECT_TRUE(file) << file.message();
  return file ? std::move(*file) : AgentsFile();
}

std::string fault(std::string_view text) {
  const auto file = read_agents(text, "a.json");
  return file ? "accepted" : file.message();
}

TEST(AgentsFile, ResolvesAWholeProfile) {
  const AgentsFile file = good(R"({"agents": {"sales": {
    "description": "d", "permissions": "write", "tenant_id": "acme", "user": "u17", "roles": ["seller"],
    "tools": {"only": ["query_class", "export_data"], "except": ["export_data"]},
    "methods": ["Order.approve"], "classes": {"except": ["Payroll"]},
    "filters": {"Order": {"status": {"$ne": "draft"}, "$or": [{"a": 1}, {"b": 2}]}, "default": {"region": "eu"}},
    "approval": {"tiers": ["write"], "tools": ["delete_object"], "methods": ["Order.approve"], "rows": 5,
      "by": "operators"},
    "rate_limit": {"calls": 7, "seconds": 1e1}, "caps": {"rows": 500, "bytes": 2048},
    "agent_debug": true, "sql": false, "metrics": true, "remote_admin": true, "strict_tools": true, "strict_classes": true}},
    "roles": {"seller": ["employee"], "employee": ["person"]}})");
  const Agent& sales = *file.find("sales");
  EXPECT_EQ(sales.name, "sales");
  EXPECT_EQ(sales.tier, Tier::write);
  EXPECT_EQ(sales.tenant_id, "acme");
  EXPECT_EQ(sales.user, "u17");
  EXPECT_EQ(sales.roles, (NameVector{"employee", "person", "seller"}));
  EXPECT_TRUE(sales.tools.allows("query_class"));
  EXPECT_FALSE(sales.tools.allows("export_data"));
  EXPECT_EQ(sales.methods.only, (NameVector{"Order.approve"}));
  EXPECT_EQ(sales.classes.except, (NameVector{"Payroll"}));
  ASSERT_EQ(sales.filters.size(), 1u);
  EXPECT_EQ(
      sales.filters[0].json,
      R"({"Order":{"status":{"$ne":"draft"},"$or":[{"a":1},{"b":2}]},"default":{"region":"eu"}})");
  EXPECT_EQ(sales.filters[0].summary,
            (NameVector{"Order.a", "Order.b", "Order.status", "default.region"}));
  EXPECT_EQ(
      sales.approval,
      (Approval{{Tier::write}, {"delete_object"}, {"Order.approve"}, 5, Approval::By::operators}));
  EXPECT_EQ(sales.rate_limit, (RateLimit{7, 10}));
  EXPECT_EQ(sales.cap_rows, 500u);
  EXPECT_EQ(sales.cap_bytes, 2048u);
  EXPECT_TRUE(sales.agent_debug && sales.metrics && sales.remote_admin);
  EXPECT_FALSE(sales.sql);
  EXPECT_NE(sales.scope.find(R"("sql":false)"), std::string::npos);
  EXPECT_TRUE(sales.strict_tools && sales.strict_classes);
}

TEST(AgentsFile, GivesAProfileTheLeastByDefault) {
  const AgentsFile file = good(R"({"agents": {"a": {}, "b": {"rate_limit": "unlimited"}}})");
  const Agent& agent = *file.find("a");
  EXPECT_EQ(agent.tier, Tier::readonly);
  EXPECT_EQ(agent.rate_limit, (RateLimit{60, 60}));
  EXPECT_FALSE(agent.metrics || agent.remote_admin || agent.agent_debug);
  EXPECT_TRUE(agent.sql);
  EXPECT_FALSE(file.find("b")->rate_limit);
  EXPECT_EQ(file.find("c"), nullptr);
  EXPECT_EQ(file.names(), "a, b");
}

TEST(AgentsFile, ReadsIssuers) {
  const AgentsFile file = good(R"({"agents": {"a": {"permissions": "write"}}, "jwt": [
    {"issuer": "https://id", "audience": "x", "jwks": "keys.json", "algorithms": ["ES256"], "agent": "a"},
    {"issuer": "i2", "audience": ["x", "y"], "jwks": "http://localhost:9/k", "algorithms": ["RS256", "EdDSA"],
     "agent": "a", "user_claim": "u", "tenant_claim": "t", "roles_claim": "r", "client_claim": "c",
     "correlation_claim": "i",
     "scopes": {"w": "write", "r": "readonly"}, "types": ["JWT", ""], "skew_seconds": 1, "max_life_seconds": 2}]})");
  ASSERT_EQ(file.issuers.size(), 2u);
  const JwtIssuer &first = file.issuers[0], &second = file.issuers[1];
  EXPECT_EQ(first.jwks, "/etc/gantry/keys.json");
  EXPECT_FALSE(first.has_url());
  EXPECT_EQ(first.audiences, NameVector{"x"});
  EXPECT_EQ(first.user_claim, "sub");
  EXPECT_EQ(first.types, (NameVector{"at+jwt", "application/at+jwt"}));
  EXPECT_EQ(first.skew.count(), 60);
  EXPECT_EQ(first.max_life.count(), 86400);
  EXPECT_EQ(first.profile, file.find("a"));
  EXPECT_TRUE(second.has_url());
  EXPECT_EQ(second.algorithms, (NameVector{"RS256", "EdDSA"}));
  EXPECT_EQ(second.user_claim + second.tenant_claim + second.roles_claim + second.client_claim +
                second.correlation_claim,
            "utrci");
  EXPECT_EQ(first.correlation_claim, "");
  EXPECT_EQ(second.scopes,
            (std::vector<std::pair<std::string, Tier>>{{"w", Tier::write}, {"r", Tier::readonly}}));
  EXPECT_EQ(second.types, (NameVector{"jwt", ""}));
  EXPECT_EQ(second.skew.count() * 10 + second.max_life.count(), 12);
}

TEST(AgentsFile, RefusesKeysFromUrlsThatOnlyLookLocal) {
  for (const std::string url :
       {"http://127.0.0.1.evil.example/k", "http://localhost@evil.example/",
        "http://evil/127.0.0.1", "ftp://x/k", "http://localhost:80@evil/"}) {
    EXPECT_NE(fault(R"({"agents": {"a": {}}, "jwt": [{"issuer": "i", "audience": "x", "jwks": ")" +
                    url + R"(", "algorithms": ["ES256"], "agent": "a"}]})"),
              "accepted")
        << url;
  }
}

TEST(AgentsFile, NamesFileLineAndReason) {
  const std::string unknown = fault("{\"agents\": {\n  \"a\": {\n    \"tool\": []\n  }\n}}");
  EXPECT_EQ(unknown.rfind("a.json:3: ", 0), 0u) << unknown;
  EXPECT_NE(unknown.find("'tools'"), std::string::npos) << unknown;
  const std::string nothing = fault("{\"agents\": {\n  \"a\": {},\n  \"b\": {\"tools\": []}\n}}");
  EXPECT_EQ(nothing.rfind("a.json:3: agents/b: tools allows nothing", 0), 0u) << nothing;
  const std::string circle = fault("{\"agents\": {},\n\"roles\": {\"a\": [\"a\"]}}");
  EXPECT_EQ(circle.rfind("a.json:2: roles: ", 0), 0u) << circle;
  const std::string nobody = fault(
      "{\"agents\": {\"a\": {}},\n\"jwt\": [{\"issuer\": \"i\", \"audience\": \"x\", "
      "\"jwks\": \"k\",\n\"algorithms\": [\"ES256\"], \"agent\": \"b\"}]}");
  EXPECT_EQ(nobody.rfind("a.json:2: jwt/0: agent: there is no profile 'b'; profiles: a", 0), 0u)
      << nobody;
}

TEST(AgentsFile, TakesTheGoodExamplesAndRefusesTheBad) {
  const std::filesystem::path root =
      std::filesystem::path(GANTRY_SOURCE_DIR) / "schemas/agents/examples";
  int seen = 0;
  for (const bool is_good : {true, false}) {
    for (const auto& each :
         std::filesystem::directory_iterator(root / (is_good ? "good" : "bad"))) {
      const auto file = read_agents_file(each.path());
      EXPECT_EQ(file.is_ok(), is_good) << each.path() << file.message();
      if (!is_good) {
        EXPECT_NE(file.message().find(".json:1: "), std::string::npos) << file.message();
      }
      ++seen;
    }
  }
  EXPECT_GE(seen, 10);
  EXPECT_FALSE(read_agents_file(root / "none.json"));
}

}  // namespace
}  // namespace gantry::host
