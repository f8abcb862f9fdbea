#include "host/auth/authenticator.hpp"

#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "host/auth/keys/key_text.hpp"

namespace gantry::host::authenticator_test {
namespace {

Authenticator with_key(std::string_view key) {
  CredentialTable table(nullptr);
  Agent agent;
  agent.name = "api_key";
  table.add_key(key, agent);
  return Authenticator(std::move(table));
}

TEST(Authenticator, TakesEveryRequestAsLocalWithoutKeys) {
  const Authenticator auth;
  Refusal refusal;
  const PrincipalPtr found = auth.check({"Bearer whatever", std::nullopt}, refusal);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->agent->name, "local");
  EXPECT_EQ(found->auth_type, "none");
  EXPECT_FALSE(auth.is_configured());
  EXPECT_FALSE(auth.refuses_others());
}

TEST(Authenticator, KnowsTheKeyInBothHeaders) {
  const Authenticator auth = with_key("s3cret");
  Refusal refusal;
  for (const Credentials& good : {Credentials{"Bearer s3cret", {}},
                                  Credentials{"bearer  s3cret ", {}}, Credentials{{}, "s3cret"}}) {
    const PrincipalPtr found = auth.check(good, refusal);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->agent->name, "api_key");
    EXPECT_EQ(found->agent->tier, Tier::readonly);
    EXPECT_EQ(found->auth_type, "api_key");
    EXPECT_EQ(found->name.find("s3cret"), std::string::npos);
  }
}

TEST(Authenticator, RefusesEverythingElseWithAReason) {
  const Authenticator auth = with_key("s3cret");
  struct Row {
    Credentials sent;
    std::string_view reason;
    bool fingerprint;
  };
  for (const Row& row :
       {Row{{}, "missing", false}, Row{{{}, ""}, "missing", false},
        Row{{"Bearer ", {}}, "invalid", false}, Row{{"Basic s3cret", {}}, "invalid", false},
        Row{{"Bearer s3cre", {}}, "invalid", true}, Row{{"Bearer s3cretx", {}}, "invalid", true},
        Row{{{}, "S3CRET"}, "invalid", true}, Row{{"Bearer wrong", "s3cret"}, "invalid", true}}) {
    Refusal refusal;
    EXPECT_EQ(auth.check(row.sent, refusal), nullptr);
    EXPECT_EQ(refusal.reason, row.reason);
    EXPECT_EQ(refusal.fingerprint.size(), row.fingerprint ? 8u : 0u);
  }
}

std::shared_ptr<Agent> agent(std::string name, Tier tier) {
  auto out = std::make_shared<Agent>();
  out->name = std::move(name);
  out->tier = tier;
  return out;
}

TEST(Authenticator, LeavesOthersLocalWhereOnlyTheAdminHasAKey) {
  Authenticator auth;
  auth.add_key("boss", agent("admin", Tier::admin), Authenticator::Others::local);
  EXPECT_FALSE(auth.refuses_others());
  EXPECT_TRUE(auth.is_configured());
  EXPECT_TRUE(auth.has_admin());
  const auto all = auth.table()->principals();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]->agent->name, "local");
  Refusal refusal;
  EXPECT_EQ(auth.check({}, refusal)->agent->name, "local");
  EXPECT_EQ(auth.check({"Bearer boss", {}}, refusal)->agent->tier, Tier::admin);
  EXPECT_EQ(auth.check({"Bearer bass", {}}, refusal), nullptr);
  EXPECT_EQ(refusal.reason, "invalid");
  EXPECT_EQ(auth.check({{}, "bass"}, refusal), nullptr);
}

TEST(Authenticator, TakesNoRequestAsLocalIfACredentialIsRequired) {
  Refusal refusal;
  EXPECT_EQ(Authenticator().check({}, refusal, true), nullptr);
  EXPECT_EQ(refusal.reason, "missing");
  Authenticator auth;
  auth.add_key("boss", agent("admin", Tier::admin), Authenticator::Others::local);
  EXPECT_EQ(auth.check({}, refusal, true), nullptr);
  EXPECT_NE(auth.check({"Bearer boss", {}}, refusal, true), nullptr);
}

TEST(Authenticator, RefusesOthersAsSoonAsOneKeySaysSo) {
  for (const bool admin_first : {true, false}) {
    Authenticator auth;
    if (!admin_first) auth.add_key("user", agent("api_key", Tier::readonly));
    auth.add_key("boss", agent("admin", Tier::admin), Authenticator::Others::local);
    if (admin_first) auth.add_key("user", agent("api_key", Tier::readonly));
    EXPECT_TRUE(auth.refuses_others());
    EXPECT_EQ(auth.table()->principals().size(), 2u);
    Refusal refusal;
    EXPECT_EQ(auth.check({}, refusal), nullptr);
    EXPECT_EQ(auth.check({"Bearer user", {}}, refusal)->agent->tier, Tier::readonly);
    EXPECT_EQ(auth.check({"Bearer boss", {}}, refusal)->agent->tier, Tier::admin);
  }
  EXPECT_FALSE(with_key("s3cret").has_admin());
}

TEST(Authenticator, ShowsTheBeginningOfTheSha256AsFingerprint) {
  Refusal refusal;
  with_key("x").check({"Bearer abc", {}}, refusal);
  EXPECT_EQ(refusal.fingerprint, "ba7816bf");
}

TEST(Authenticator, DistinguishesPrincipals) {
  Authenticator auth = with_key("one");
  auto other = std::make_shared<Agent>();
  other->name = "api_key";
  auth.add_key("two", other);
  Refusal refusal;
  const auto a = auth.check({"Bearer one", {}}, refusal);
  const auto b = auth.check({"Bearer two", {}}, refusal);
  ASSERT_TRUE(a && b);
  EXPECT_NE(a->name, b->name);
}

// Keys of the state directory, at the time 1000.
CredentialTable::Stored stored(const std::string& key, PrincipalPtr principal) {
  return {std::string(*key_id(key)), key_hash(key), std::move(principal), std::nullopt,
          std::make_shared<KeyUse>(0)};
}

std::chrono::sys_seconds at_1000() { return std::chrono::sys_seconds(std::chrono::seconds(1000)); }

PrincipalPtr principal(const std::string& name) {
  Agent agent;
  agent.name = name;
  return make_principal(std::move(agent), name + "/id", "api_key");
}

TEST(Authenticator, KnowsStoredKeysUntilTheyExpire) {
  const std::string good = make_key(), old = make_key(), orphan = make_key(), other = make_key();
  CredentialTable table(nullptr);
  const auto sales = stored(good, principal("sales"));
  table.add(sales);
  auto ended = stored(old, principal("sales"));
  ended.expires = at_1000();
  table.add(ended);
  table.add(stored(orphan, nullptr));
  const Authenticator auth(std::move(table), &at_1000);
  Refusal refusal;
  const auto found = auth.check({"Bearer " + good, {}}, refusal);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->agent->name, "sales");
  EXPECT_EQ(*sales.use, 1000 / 60);
  EXPECT_NE(auth.check({{}, good}, refusal), nullptr);
  for (const auto& [key, reason] :
       {std::pair{old, "expired"}, {orphan, "no_profile"}, {other, "invalid"}}) {
    refusal = {};
    EXPECT_EQ(auth.check({{}, key}, refusal), nullptr);
    EXPECT_EQ(refusal.reason, reason);
    EXPECT_EQ(refusal.fingerprint, key_hash(key).substr(0, 8));
  }
  std::string damaged = good;
  damaged[20] = damaged[20] == 'a' ? 'b' : 'a';
  EXPECT_EQ(auth.check({{}, damaged}, refusal), nullptr);
}

TEST(Authenticator, TakesOverAnotherTableWhileItServes) {
  Authenticator auth = with_key("one");
  Refusal refusal;
  const auto kept = auth.check({{}, "one"}, refusal);
  ASSERT_NE(kept, nullptr);
  CredentialTable next(nullptr);
  next.add_key("two", *agent("b", Tier::readonly));
  auth.replace(std::move(next));
  EXPECT_EQ(auth.check({{}, "one"}, refusal), nullptr);
  EXPECT_NE(auth.check({{}, "two"}, refusal), nullptr);
  EXPECT_EQ(kept->agent->name, "api_key");
}

TEST(Authenticator, ChecksAndReplacesOnManyThreads) {
  Authenticator auth = with_key("one");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&auth, i] {
      for (int n = 0; n < 200; ++n) {
        Refusal refusal;
        if (i > 0) {
          EXPECT_NE(auth.check({{}, "one"}, refusal), nullptr);
          continue;
        }
        CredentialTable table(nullptr);
        table.add_key("one", *agent("a", Tier::readonly));
        auth.replace(std::move(table));
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(Authenticator, IsConfiguredByAnAgentsFileAlone) {
  CredentialTable table(nullptr);
  EXPECT_FALSE(table.is_configured());
  table.set_configured();
  const Authenticator auth(std::move(table));
  EXPECT_TRUE(auth.is_configured());
  Refusal refusal;
  EXPECT_EQ(auth.check({}, refusal), nullptr);
  EXPECT_EQ(refusal.reason, "missing");
}

TEST(Authenticator, SaysWhetherACredentialStillLeadsToAPrincipal) {
  Authenticator auth;
  EXPECT_TRUE(auth.leads_to("local"));
  const auto before = auth.changes();
  auth.add_key("0123456789abcdef01234567", share(Agent()));
  EXPECT_GT(auth.changes(), before);
  EXPECT_FALSE(auth.leads_to("local"));
  EXPECT_TRUE(auth.leads_to(auth.table()->principals().front()->name));
}

TEST(Principal, OfAKeyIsThatOfItsProfile) {
  Agent profile;
  profile.name = "sales";
  profile.tenant_id = "acme";
  profile.tools.except = {"b", "a"};
  const auto shared = make_principal(share(profile), "sales/1", "api_key");
  const auto made = make_principal(profile, "sales/1", "api_key");
  EXPECT_EQ(shared->name, made->name);
  EXPECT_EQ(shared->agent->scope, made->agent->scope);
  EXPECT_EQ(shared->agent->fingerprint, made->agent->fingerprint);
}

TEST(Principal, OfATokenKeepsTheClaimsOfTheTokenWhenItsProfileChanges) {
  Agent profile;
  profile.tier = Tier::write;
  Agent agent = profile;
  agent.tier = Tier::readonly;
  agent.user = "anna";
  agent.roles = {"seller"};
  agent.tenant_id = "acme";
  const auto token = make_principal(agent, "sales:jwt:1", "jwt");
  EXPECT_EQ(with_profile(*token->agent, profile), nullptr) << "nothing has changed";
  profile.tools.except = {"export_data"};
  const AgentPtr next = with_profile(*token->agent, profile);
  ASSERT_NE(next, nullptr);
  EXPECT_FALSE(next->tools.allows("export_data"));
  EXPECT_EQ(next->tier, Tier::readonly);
  EXPECT_EQ(next->binding, token->agent->binding);
  EXPECT_EQ(next->principal, "sales:jwt:1");
}

TEST(Principal, IsAnotherOneWhenItsRightsAreOthers) {
  Agent agent;
  const auto before = make_principal(agent, "c", "api_key");
  agent.tier = Tier::admin;
  agent.tools.except = {"t"};
  EXPECT_EQ(make_principal(agent, "c", "api_key")->name, before->name);
  agent.tenant_id = "acme";
  EXPECT_NE(make_principal(agent, "c", "api_key")->name, before->name);
  EXPECT_EQ(before->agent->principal, "c");
}

}  // namespace
}  // namespace gantry::host::authenticator_test
