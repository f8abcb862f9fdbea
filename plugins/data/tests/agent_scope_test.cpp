// An agent's profile as the host hands it over, and the list of classes in it.
#include "policy/agent_scope.hpp"

#include <gtest/gtest.h>

#include "policy/rules.hpp"

namespace gantry::data::agent_scope_test {
namespace {

// The members of a profile, without braces and fingerprint.
Result<AgentScope> parsed(const std::string& members) {
  return parse_agent_scope("{" + members + (members.empty() ? "" : ",") + R"("fingerprint":"f"})");
}

TEST(AgentScope, WithoutMembersIsAReadonlyMasterOfAllClasses) {
  const auto scope = parsed("");
  ASSERT_TRUE(scope) << scope.message();
  EXPECT_EQ(scope->tier, "readonly");
  EXPECT_TRUE(scope->is_master());
  EXPECT_TRUE(scope->sql);
  EXPECT_EQ(scope->classes, nullptr);
  EXPECT_FALSE(scope->tenant_id);
  EXPECT_FALSE(scope->cap_rows);
}

TEST(AgentScope, HoldsWhatItsMembersSay) {
  const auto scope = parsed(R"("permissions":"write","user":"u1","roles":["a","b"],
      "tenant_id":"acme","caps":{"rows":5,"bytes":9},"sql":false,
      "classes":{"only":["Order","Item"],"except":["Item"]},
      "filters":[{"Order":{"a":1},"default":{"b":2}},{}])");
  ASSERT_TRUE(scope) << scope.message();
  EXPECT_EQ(scope->tier, "write");
  EXPECT_EQ(scope->user, "u1");
  EXPECT_EQ(scope->roles, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(scope->tenant_id, "acme");
  EXPECT_EQ(scope->cap_rows, 5U);
  EXPECT_FALSE(scope->sql);
  EXPECT_FALSE(scope->is_master());
  EXPECT_TRUE(scope->classes->allows("Order"));
  EXPECT_FALSE(scope->classes->allows("Item")) << "except wins";
  ASSERT_EQ(scope->filters.size(), 2U);
  EXPECT_EQ(scope->filters[0].members().size(), 2U);
}

TEST(AgentScope, WithRolesAloneOrNoneOfThemIsNoMaster) {
  EXPECT_FALSE(parsed(R"("roles":[])")->is_master());
  EXPECT_FALSE(parsed(R"("user":"")")->is_master());
  EXPECT_TRUE(parsed(R"("tenant_id":"acme")")->is_master());
}

TEST(AgentScope, KeepsDatesOfFiltersAsDates) {
  const auto scope = parsed(R"("filters":[{"Order":{"at":{"$gt":{"__type":"Date",
      "iso":"1969-12-31T23:59:59.999Z"}}}}])");
  ASSERT_TRUE(scope) << scope.message();
  const Value& date = scope->filters[0].find("Order").find("at").find("$gt");
  ASSERT_TRUE(date.is_date());
  EXPECT_EQ(date.integer(), -1);
}

TEST(AgentScope, NamesTheMemberThatItCannotReadAndNotItsValue) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("permissions":5)", "'permissions'"},
      {R"("user":["secret"])", "'user'"},
      {R"("roles":"secret")", "'roles'"},
      {R"("roles":["a",7])", "'roles'"},
      {R"("tenant_id":"")", "'tenant_id'"},
      {R"("tenant_id":null)", "'tenant_id'"},
      {R"("classes":["secret"])", "'classes'"},
      {R"("classes":{"only":"secret"})", "'classes.only'"},
      {R"("classes":{"except":[1]})", "'classes.except'"},
      {R"("classes":{"also":["secret"]})", "'classes'"},
      {R"("filters":{"Order":{"a":"secret"}})", "'filters'"},
      {R"("filters":["secret"])", "'filters'"},
      {R"("filters":[{"Order":"secret"}])", "'filters'"},
      {R"("caps":5)", "'caps'"},
      {R"("caps":{"rows":0})", "'caps.rows'"},
      {R"("caps":{"rows":-1})", "'caps.rows'"},
      {R"("caps":{"rows":1.5})", "'caps.rows'"},
      {R"("sql":"secret")", "'sql'"},
      {R"("narrower":"secret")", "'narrower'"}};
  for (const auto& [members, name] : cases) {
    const auto scope = parsed(members);
    ASSERT_FALSE(scope) << members;
    EXPECT_NE(scope.message().find(name), std::string::npos) << scope.message();
    EXPECT_EQ(scope.message().find("secret"), std::string::npos) << scope.message();
  }
}

TEST(AgentScope, NeedsItsFingerprintAndAnObject) {
  for (const char* text : {"", "[]", "null", "{}", R"({"fingerprint":""})", R"({"fingerprint":1})",
                           R"({"user":"a"})", R"({"fingerprint":"f"}})", R"({"fingerprint":"f")"}) {
    EXPECT_FALSE(parse_agent_scope(text)) << text;
  }
  for (const char* nothing :
       {R"("agent":"sales")", R"("principal":"p")", R"("depth":2)", R"("agent_debug":true)"}) {
    EXPECT_TRUE(parsed(nothing)) << nothing << " decides nothing about data";
  }
}

TEST(ClassList, AllowsByExactNameAndForbidsInAnyCase) {
  const ClassFilter filter(std::vector<std::string>{"Order", "Item"}, {"item"});
  EXPECT_TRUE(filter.allows("Order"));
  EXPECT_FALSE(filter.allows("order"));
  EXPECT_FALSE(filter.allows("Item"));
  EXPECT_FALSE(filter.allows("Other"));
  const ClassFilter none(std::vector<std::string>{}, {});
  EXPECT_FALSE(none.allows("Order"));
  const ClassFilter all(std::nullopt, {});
  EXPECT_TRUE(all.allows("Order"));
}

TEST(ClassList, HasOneTextForOneMeaningAndNoOther) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(ClassFilter(Names{"a", "b"}, {}).text(), ClassFilter(Names{"b", "a"}, {}).text());
  EXPECT_NE(ClassFilter(Names{"a", "b"}, {}).text(), ClassFilter(Names{"ab"}, {}).text());
  EXPECT_NE(ClassFilter(Names{}, {}).text(), ClassFilter(std::nullopt, {}).text());
  EXPECT_NE(ClassFilter(Names{"a"}, {"b"}).text(), ClassFilter(Names{"a", "b"}, {}).text());
  EXPECT_NE(ClassFilter(Names{"a1:b"}, {}).text(), ClassFilter(Names{"a", "b"}, {}).text());
}

TEST(Groups, AreThoseOfTheUserAndItsRoles) {
  const auto in_group = [](const std::string& members, const char* group) {
    return Rules(*parsed(members)).is_in_group(group);
  };
  const std::string both = R"("user":"u1","roles":["boss"])";
  EXPECT_TRUE(in_group(both, "*"));
  EXPECT_TRUE(in_group(both, "authenticated"));
  EXPECT_TRUE(in_group(both, "role:boss"));
  EXPECT_TRUE(in_group(both, "u1"));
  EXPECT_FALSE(in_group(both, "boss"));
  EXPECT_FALSE(in_group(both, "role:u1"));
  EXPECT_FALSE(in_group(both, "U1"));
  EXPECT_FALSE(in_group(R"("roles":["boss"])", "authenticated"));
  EXPECT_TRUE(in_group(R"("roles":[])", "*"));
  EXPECT_FALSE(in_group(R"("permissions":"admin")", "*")) << "a master is in no group";
}

}  // namespace
}  // namespace gantry::data::agent_scope_test
