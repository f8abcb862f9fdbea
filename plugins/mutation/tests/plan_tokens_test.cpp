#include "core/plan_tokens.hpp"

#include <gmock/gmock.h>

#include "core/base64url.hpp"
#include "core/canonical.hpp"

namespace mutation {
namespace {

using ::testing::HasSubstr;

TEST(PlanTokens, GiveTheVersionsOnceToTheCallTheyWereMadeFor) {
  PlanTokens tokens;
  const std::string token = tokens.seal("ann update 7", "v1 v2");
  EXPECT_EQ(token.find("v1"), std::string::npos);
  const auto versions = tokens.open("ann update 7", token);
  ASSERT_TRUE(versions) << versions.message();
  EXPECT_EQ(*versions, "v1 v2");
  EXPECT_THAT(tokens.open("ann update 7", token).message(), HasSubstr("used already"));
}

TEST(PlanTokens, AreRefusedForAnotherCallAndStayGoodForTheirOwn) {
  PlanTokens tokens;
  const std::string token = tokens.seal("ann update 7", "v");
  EXPECT_THAT(tokens.open("bob update 7", token).message(), HasSubstr("not of this call"));
  EXPECT_TRUE(tokens.open("ann update 7", token));
}

TEST(PlanTokens, OfAnotherProcessAreRefused) {
  const PlanTokens before;
  PlanTokens after;
  EXPECT_FALSE(after.open("a", before.seal("a", "v")));
}

TEST(PlanTokens, AreRefusedWithAnyCharacterChangedAddedOrLeftOut) {
  PlanTokens tokens;
  const std::string token = tokens.seal("a", "version");
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = other[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(tokens.open("a", other)) << i;
    EXPECT_FALSE(tokens.open("a", token.substr(0, i))) << i;
  }
  EXPECT_FALSE(tokens.open("a", token + "A"));
  EXPECT_FALSE(tokens.open("a", ""));
  EXPECT_TRUE(tokens.open("a", token));
}

TEST(PlanTokens, ExpireAfterTenMinutes) {
  PlanTokens::Clock::time_point now{};
  PlanTokens tokens([&now] { return now; });
  const std::string early = tokens.seal("a", "v"), late = tokens.seal("a", "v");
  now += std::chrono::seconds(599);
  EXPECT_TRUE(tokens.open("a", early));
  now += std::chrono::seconds(1);
  EXPECT_THAT(tokens.open("a", late).message(), HasSubstr("expired"));
}

TEST(PlanTokens, AreRefusedWhileTooManyUsedOnesAreRemembered) {
  PlanTokens::Clock::time_point now{};
  PlanTokens tokens([&now] { return now; });
  for (std::size_t i = 0; i < PlanTokens::kMostUsed; ++i) {
    ASSERT_TRUE(tokens.open("a", tokens.seal("a", "v")));
  }
  EXPECT_THAT(tokens.open("a", tokens.seal("a", "v")).message(), HasSubstr("Too many"));
  now += PlanTokens::kLife;
  EXPECT_TRUE(tokens.open("a", tokens.seal("a", "v"))) << "the others have expired";
}

TEST(Base64url, ReadsItsOwnOutputAndNothingElse) {
  for (const std::string bytes : {"", "a", "ab", "abc", "\xff\xfe\xfd\xfc"}) {
    EXPECT_EQ(from_base64url(base64url(bytes)), bytes);
  }
  EXPECT_EQ(from_base64url("YR"), std::nullopt) << "YQ is 'a'; YR has bits of nothing";
  EXPECT_EQ(from_base64url("Y+=="), std::nullopt);
  EXPECT_EQ(from_base64url("Y"), std::nullopt);
}

TEST(Canonical, IsTheSameForEverySpellingOfAValue) {
  const auto one = gantry::Json::parse(R"({"b": [1, {"z":null,"y":"\u0041"}], "a":true})");
  const auto two = gantry::Json::parse(R"({"a":true,"b":[1,{"y":"A","z":null}]})");
  EXPECT_EQ(canonical(*one), R"({"a":true,"b":[1,{"y":"A","z":null}]})");
  EXPECT_EQ(canonical(*one), canonical(*two));
  EXPECT_NE(canonical(*gantry::Json::parse("[1,2]")), canonical(*gantry::Json::parse("[2,1]")));
}

TEST(Without, LeavesTheOtherMembersAsWritten) {
  const auto object = gantry::Json::parse(R"({"a":1.50,"dry_run":true,"b":"\u0041"})");
  EXPECT_EQ(without(*object, {"dry_run"}), R"({"a":1.50,"b":"\u0041"})");
}

}  // namespace
}  // namespace mutation
