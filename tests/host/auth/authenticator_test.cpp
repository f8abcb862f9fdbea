#include "host/auth/authenticator.hpp"

#include <gtest/gtest.h>

namespace gantry::host::authenticator_test {
namespace {

Authenticator with_key(std::string_view key) {
  Authenticator auth;
  auto agent = std::make_shared<Agent>();
  agent->name = "api_key";
  auth.add_key(key, agent);
  return auth;
}

TEST(Authenticator, TakesEveryRequestAsLocalWithoutKeys) {
  const Authenticator auth;
  Refusal refusal;
  const Principal* found = auth.check({"Bearer whatever", std::nullopt}, refusal);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->agent->name, "local");
  EXPECT_EQ(found->auth_type, "none");
  EXPECT_FALSE(auth.is_configured());
}

TEST(Authenticator, KnowsTheKeyInBothHeaders) {
  const Authenticator auth = with_key("s3cret");
  Refusal refusal;
  for (const Credentials& good : {Credentials{"Bearer s3cret", {}},
                                  Credentials{"bearer  s3cret ", {}}, Credentials{{}, "s3cret"}}) {
    const Principal* found = auth.check(good, refusal);
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
  EXPECT_FALSE(auth.is_configured());
  EXPECT_TRUE(auth.has_keys());
  EXPECT_TRUE(auth.has_admin());
  ASSERT_EQ(auth.agents().size(), 2u);
  EXPECT_EQ(auth.agents()[0]->name, "local");
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
    EXPECT_TRUE(auth.is_configured());
    EXPECT_EQ(auth.agents().size(), 2u);
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
  const auto* a = auth.check({"Bearer one", {}}, refusal);
  const auto* b = auth.check({"Bearer two", {}}, refusal);
  ASSERT_TRUE(a && b);
  EXPECT_NE(a->name, b->name);
}

}  // namespace
}  // namespace gantry::host::authenticator_test
