#include "host/console/logins.hpp"

#include <gtest/gtest.h>

namespace gantry::host::console {
namespace {

using namespace std::chrono_literals;

struct HandClock final : Clock {
  Instant now() const override { return at; }
  Instant at{1h};
};

struct LoginsTest : testing::Test {
  HandClock clock;
  Logins logins{clock};
};

TEST_F(LoginsTest, ALinkOpensOneSession) {
  const std::string link = logins.make_link();
  const auto session = logins.open_by_link(link);
  ASSERT_TRUE(session);
  EXPECT_NE(*session, link);
  EXPECT_FALSE(logins.open_by_link(link)) << "it was used";
  const auto found = logins.find(*session);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->principal.empty());
  EXPECT_TRUE(found->name.starts_with("console session ")) << found->name;
  EXPECT_EQ(found->name.find(session->substr(0, 8)), std::string::npos) << "a name is no secret";
}

TEST_F(LoginsTest, ALinkIsGoodForTenMinutes) {
  const std::string early = logins.make_link();
  clock.at += 10min - 1s;
  EXPECT_TRUE(logins.open_by_link(early));
  const std::string late = logins.make_link();
  clock.at += 10min;
  EXPECT_FALSE(logins.open_by_link(late));
}

TEST_F(LoginsTest, OtherTextsOpenNothing) {
  const std::string link = logins.make_link();
  for (const std::string& text : {std::string(), std::string("x"), link + "0", link.substr(1)}) {
    EXPECT_FALSE(logins.open_by_link(text)) << text;
    EXPECT_FALSE(logins.find(text)) << text;
  }
  EXPECT_FALSE(logins.find(link)) << "a link is no session";
  EXPECT_TRUE(logins.open_by_link(link));
}

TEST_F(LoginsTest, ASessionEndsAfterAnHourWithoutRequests) {
  const std::string session = logins.open_for("ops");
  clock.at += 59min;
  EXPECT_TRUE(logins.find(session));
  clock.at += 59min;
  EXPECT_TRUE(logins.find(session)) << "it was used";
  clock.at += 60min;
  EXPECT_FALSE(logins.find(session));
  EXPECT_EQ(logins.size(), 0u);
}

TEST_F(LoginsTest, ASessionEndsAfterTwelveHoursInAnyCase) {
  const std::string session = logins.open_for("ops");
  for (int i = 0; i < 23; ++i) {
    clock.at += 30min;
    EXPECT_TRUE(logins.find(session)) << i;
  }
  clock.at += 30min;
  EXPECT_FALSE(logins.find(session));
}

TEST_F(LoginsTest, TheSessionUnusedForLongestMakesRoom) {
  std::vector<std::string> sessions;
  for (int i = 0; i < 16; ++i) {
    clock.at += 1s;
    sessions.push_back(logins.open_for("ops"));
  }
  clock.at += 1s;
  EXPECT_TRUE(logins.find(sessions[0]));
  const std::string one_more = logins.open_for("ops");
  EXPECT_EQ(logins.size(), 16u);
  EXPECT_TRUE(logins.find(sessions[0]));
  EXPECT_FALSE(logins.find(sessions[1]));
  EXPECT_TRUE(logins.find(one_more));
}

TEST_F(LoginsTest, TheOldestLinkMakesRoom) {
  const std::string first = logins.make_link(), second = logins.make_link();
  for (int i = 0; i < 15; ++i) logins.make_link();
  EXPECT_FALSE(logins.open_by_link(first));
  EXPECT_TRUE(logins.open_by_link(second));
}

TEST_F(LoginsTest, ClosedSessionsAndThoseOfWithdrawnKeysEnd) {
  const std::string by_link = *logins.open_by_link(logins.make_link());
  const std::string ops = logins.open_for("ops"), ann = logins.open_for("ann");
  logins.end_where([](const std::string& principal) { return principal != "ann"; });
  EXPECT_TRUE(logins.find(by_link)) << "no key belongs to it";
  EXPECT_FALSE(logins.find(ops));
  EXPECT_TRUE(logins.find(ann));
  logins.close(ann);
  logins.close("made up");
  EXPECT_FALSE(logins.find(ann));
  EXPECT_EQ(logins.size(), 1u);
}

}  // namespace
}  // namespace gantry::host::console
