#include "host/auth/agent.hpp"

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

using Names = std::vector<std::string>;

TEST(NameFilter, LetsExceptWinOverOnly) {
  const NameFilter filter{Names{"a", "b"}, {"b"}};
  EXPECT_TRUE(filter.allows("a"));
  EXPECT_FALSE(filter.allows("b"));
  EXPECT_FALSE(filter.allows("c"));
  EXPECT_TRUE(NameFilter{}.allows("anything"));
  EXPECT_FALSE((NameFilter{Names{}, {}}.allows("a")));
}

TEST(Agent, ShowsItself) {
  EXPECT_EQ(Agent{}.to_json(), R"({"name":"local","permissions":"readonly","depth":0})");
  Agent agent;
  agent.name = "a\"b";
  agent.tier = Tier::admin;
  agent.user = "u";
  agent.roles = {"r"};
  agent.tenant_id = "t";
  agent.classes = {Names{"x"}, {"y"}};
  EXPECT_EQ(
      agent.to_json(),
      R"({"name":"a\"b","permissions":"admin","user":"u","role":["r"],"tenant_id":"t","depth":0,"classes":{"only":["x"],"except":["y"]}})");
}

TEST(Agent, ShowsItsLimits) {
  Agent agent;
  agent.cap_rows = 5;
  EXPECT_EQ(agent.to_json(),
            R"({"name":"local","permissions":"readonly","depth":0,"limits":{"rows":5}})");
  agent.rate_limit = RateLimit{60, 30};
  EXPECT_EQ(
      agent.to_json(),
      R"({"name":"local","permissions":"readonly","depth":0,"limits":{"rows":5,"calls":60,"seconds":30}})");
}

TEST(Agent, IsReadonlyWhenNarrowedUnlessItAsksForMore) {
  Agent agent;
  agent.tier = Tier::write;
  EXPECT_EQ((*agent.narrowed("{}"))->tier, Tier::readonly);
  EXPECT_EQ((*agent.narrowed(R"({"permissions":"write"})"))->tier, Tier::write);
  const auto more = agent.narrowed(R"({"permissions":"admin"})");
  EXPECT_EQ(more.status().code(), GANTRY_DENIED);
  EXPECT_NE(more.message().find("admin"), std::string::npos);
}

TEST(Agent, KeepsIdentityAndTenantWhenNarrowed) {
  Agent agent;
  agent.user = "u";
  agent.tenant_id = "t";
  const auto child = *agent.narrowed("{}");
  EXPECT_EQ(child->user, "u");
  EXPECT_EQ(child->tenant_id, "t");
  EXPECT_EQ(child->depth, 1);
}

TEST(Agent, CanBeNarrowedFourTimes) {
  AgentPtr agent = std::make_shared<Agent>();
  for (int i = 0; i < 4; ++i) agent = *agent->narrowed("{}");
  EXPECT_EQ(agent->depth, 4);
  EXPECT_EQ(agent->narrowed("{}").status().code(), GANTRY_DENIED);
}

TEST(Agent, IntersectsAllowListsAndJoinsDenyLists) {
  Agent agent;
  agent.classes = {Names{"a", "b", "c"}, {"x"}};
  const auto child = *agent.narrowed(R"({"classes":{"only":["b","c","d"],"except":["c"]}})");
  EXPECT_EQ(child->classes.only, (Names{"b"}));
  EXPECT_EQ(child->classes.except, (Names{"c", "x"}));
  EXPECT_EQ((*agent.narrowed(R"({"classes":["a"]})"))->classes.only, (Names{"a"}));
  EXPECT_EQ((*agent.narrowed(R"({"tools":{"except":["t"]}})"))->classes, agent.classes);
}

TEST(Agent, RefusesNarrowingsThatLeaveNothing) {
  Agent agent;
  agent.classes.only = Names{"a"};
  for (const auto wish :
       {R"({"classes":["b"]})", R"({"classes":{"except":["a"]}})", R"({"tools":[]})"}) {
    EXPECT_EQ(agent.narrowed(wish).status().code(), GANTRY_INVALID_ARGUMENT) << wish;
  }
}

TEST(Agent, RefusesNarrowingsThatAreNone) {
  for (const auto wish :
       {"", "[]", "x", R"({"user":"root"})", R"({"permissions":1})", R"({"permissions":"root"})",
        R"({"tools":7})", R"({"tools":[7]})", R"({"classes":{"onyl":[]}})"}) {
    EXPECT_EQ(Agent{}.narrowed(wish).status().code(), GANTRY_INVALID_ARGUMENT) << wish;
  }
}

}  // namespace
}  // namespace gantry::host
