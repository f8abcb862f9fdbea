#include "host/auth/session_ids.hpp"

#include <atomic>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "tests/host/base/files.hpp"

namespace gantry::host::session_ids_test {
namespace {

std::atomic<int> days{20'000};
std::chrono::sys_seconds hand() { return std::chrono::sys_days(std::chrono::days(days.load())); }

const SessionTerms kTerms{"2025-06-18", R"({"elicitation":{"form":{}},"roots":{}})"};

struct SessionIdsTest : testing::Test {
  std::unique_ptr<SessionIds> open() const {
    auto made = SessionIds::open(directory.path(), &hand);
    EXPECT_TRUE(made) << made.message();
    return made ? std::move(made).value() : nullptr;
  }
  TemporaryDirectory directory;
};

TEST_F(SessionIdsTest, HoldTheirTermsOverRestarts) {
  const std::string id = open()->make("p", kTerms);
  EXPECT_EQ(open()->read("p", id), kTerms);
  EXPECT_EQ(
      id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."),
      id.npos);
  EXPECT_LT(id.size(), 200u);
}

TEST_F(SessionIdsTest, AreOfOnePrincipalAndOneKey) {
  const auto ids = open();
  const std::string id = ids->make("p", kTerms);
  EXPECT_EQ(ids->read("q", id), std::nullopt);
  EXPECT_EQ(ids->read("", id), std::nullopt);
  const TemporaryDirectory elsewhere;
  const auto others = SessionIds::open(elsewhere.path(), &hand);
  ASSERT_TRUE(others) << others.message();
  EXPECT_EQ((*others)->read("p", id), std::nullopt);
}

TEST_F(SessionIdsTest, AreDifferentAndCannotBeChanged) {
  const auto ids = open();
  const std::string id = ids->make("p", kTerms);
  EXPECT_NE(ids->make("p", kTerms), id);
  for (std::size_t i = 0; i < id.size(); ++i) {
    std::string changed = id;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(ids->read("p", changed), std::nullopt) << i;
    EXPECT_EQ(ids->read("p", id.substr(0, i)), std::nullopt) << i;
  }
  EXPECT_EQ(ids->read("p", id + "A"), std::nullopt);
  EXPECT_EQ(ids->read("p", "v1." + std::string(5'000'000, 'A')), std::nullopt);
}

TEST_F(SessionIdsTest, StayEndedOverRestarts) {
  const auto ids = open();
  const std::string one = ids->make("p", kTerms), other = ids->make("p", kTerms);
  ids->end(one);
  EXPECT_EQ(ids->read("p", one), std::nullopt);
  EXPECT_EQ(open()->read("p", one), std::nullopt);
  EXPECT_EQ(open()->read("p", other), kTerms);
}

TEST_F(SessionIdsTest, GrowTooOld) {
  const auto ids = open();
  const std::string id = ids->make("p", kTerms);
  days += 29;
  EXPECT_EQ(ids->read("p", id), kTerms);
  days += 1;
  EXPECT_EQ(ids->read("p", id), std::nullopt);
}

TEST_F(SessionIdsTest, HaveAKeyThatOthersCannotReadAndThatIsNeverTakenFromDamage) {
  open();
  const fs::path key = directory.path() / "session-key";
  EXPECT_EQ(fs::file_size(key), 32u);
  EXPECT_EQ(fs::status(key).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  write_all(key, "short");
  const auto damaged = SessionIds::open(directory.path(), &hand);
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.message().find(key.string() + " has 5 bytes instead of 32; remove it"),
            std::string::npos)
      << damaged.message();
  const auto nowhere = SessionIds::open(directory.path() / "nowhere", &hand);
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.message().find("nowhere/session-key cannot be used"), std::string::npos);
}

}  // namespace
}  // namespace gantry::host::session_ids_test
