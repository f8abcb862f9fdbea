// Where keys come from, and when they are got again.
#include <filesystem>
#include <fstream>
#include <future>

#include "tests/host/auth/jwt/fixture.hpp"

namespace gantry::host::jwt {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

struct KeysTest : TokensTest {
  // Checks a token; if its keys are being fetched, again after that.
  std::string_view reason_after_waiting(const std::string& token) {
    const CheckedToken checked = tokens.check(token);
    if (checked.waits_for.empty()) return checked.reason;
    wait_for_keys(checked.waits_for);
    return reason(token);
  }
  kit::Signer e = kit::ec("e");
};

TEST_F(KeysTest, AnUnknownKidFetchesOnceInHalfAMinute) {
  serve(e.jwk());
  const int before = web.count();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(reason(kit::ec("k" + std::to_string(i)).token(claims_with())), "invalid");
  }
  EXPECT_EQ(web.count(), before);
  clock.advance(seconds(31));
  for (int i = 0; i < 100; ++i) {
    const auto other = kit::ec("k" + std::to_string(i));
    EXPECT_EQ(reason_after_waiting(other.token(claims_with())), "invalid");
  }
  EXPECT_EQ(web.count(), before + 1);
  EXPECT_TRUE(agent(e.token(claims_with())));
}

TEST_F(KeysTest, ARotatedKeyIsFoundByItsKid) {
  serve(e.jwk());
  const auto next = kit::ec("next");
  web.set(kKeysUrl, kit::set_of(e.jwk() + "," + next.jwk()));
  clock.advance(seconds(31));
  EXPECT_EQ(reason_after_waiting(next.token(claims_with())), "");
  EXPECT_EQ(reason(e.token(claims_with())), "");
}

TEST_F(KeysTest, OldKeysServeWhileNewOnesAreFetched) {
  serve(e.jwk());
  clock.advance(minutes(11));
  web.hold(true);
  const int before = web.count();
  EXPECT_EQ(reason(e.token(claims_with())), "");
  {
    std::unique_lock lock(web.mutex);
    web.changed.wait(lock, [&] { return web.fetches > before; });
  }
  EXPECT_EQ(reason(e.token(claims_with({{"jti", "\"2\""}}))), "");
  web.hold(false);
  EXPECT_EQ(web.count(), before + 1);
}

TEST_F(KeysTest, TheLastGoodKeysServeForADay) {
  serve(e.jwk());
  web.lose(kKeysUrl);
  clock.advance(hours(23));
  const int before = web.count();
  EXPECT_EQ(reason(e.token(claims_with())), "");
  settle(before);
  EXPECT_EQ(reason(kit::ec("x").token(claims_with())), "unavailable");  // the last fetch failed
  clock.advance(hours(2));
  EXPECT_EQ(reason_after_waiting(e.token(claims_with())), "unavailable");
  web.set(kKeysUrl, kit::set_of(e.jwk()));
  clock.advance(seconds(31));
  EXPECT_EQ(reason_after_waiting(e.token(claims_with())), "");
}

TEST_F(KeysTest, WithoutKeysNothingIsAccepted) {
  use({issuer()});
  const CheckedToken checked = tokens.check(e.token(claims_with()));
  EXPECT_EQ(checked.reason, "unavailable");
  EXPECT_EQ(checked.waits_for, "");
  for (const char* bad : {"<html>", "", "{}", R"({"keys":[]})"}) {
    web.set(kKeysUrl, bad);
    clock.advance(seconds(31));
    EXPECT_EQ(reason_after_waiting(e.token(claims_with())), "unavailable") << bad;
  }
}

TEST_F(KeysTest, ABadAnswerLeavesTheLastGoodKeys) {
  serve(e.jwk());
  web.set(kKeysUrl, "<html>");
  clock.advance(seconds(31));
  EXPECT_EQ(reason_after_waiting(kit::ec("x").token(claims_with())), "unavailable");
  EXPECT_EQ(reason(e.token(claims_with())), "");
}

TEST_F(KeysTest, ParksAtMost64) {
  web.hold(true);
  ASSERT_TRUE(tokens.use({issuer()}, {}));
  EXPECT_EQ(tokens.check(e.token(claims_with())).waits_for, kKeysUrl);
  std::atomic<int> called{0};
  for (int i = 0; i < 64; ++i) {
    EXPECT_TRUE(tokens.when_checkable(kKeysUrl, [&] { ++called; }));
  }
  EXPECT_FALSE(tokens.when_checkable(kKeysUrl, [&] { ++called; }));
  EXPECT_EQ(called, 0);
  web.set(kKeysUrl, kit::set_of(e.jwk()));
  web.hold(false);
  while (called < 64) std::this_thread::yield();
  EXPECT_EQ(reason(e.token(claims_with())), "");
}

TEST_F(KeysTest, ParkedCallbacksAreDroppedWhenTheServerStops) {
  web.hold(true);
  ASSERT_TRUE(tokens.use({issuer()}, {}));
  const auto held = std::make_shared<int>(1);
  std::atomic<int> called{0};
  EXPECT_TRUE(tokens.when_checkable(kKeysUrl, [&called, held] { ++called; }));
  EXPECT_EQ(held.use_count(), 2);
  tokens.stop_waiting();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(tokens.when_checkable(kKeysUrl, [&] { ++called; }));
  EXPECT_EQ(called, 0);
}

struct KeyFileTest : KeysTest {
  KeyFileTest() {
    path = std::filesystem::path(testing::TempDir()) /
           ("keys-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".json");
  }
  ~KeyFileTest() override { std::filesystem::remove(path); }
  void write(const std::string& text) { std::ofstream(path, std::ios::trunc) << text; }
  JwtIssuer from_file() {
    JwtIssuer out = issuer();
    out.jwks = path.string();
    return out;
  }
  std::filesystem::path path;
};

TEST_F(KeyFileTest, AFileIsReadAtOnceAndKeepsItsLastGoodKeys) {
  EXPECT_FALSE(tokens.use({from_file()}, {}));
  EXPECT_FALSE(tokens.is_configured());
  write("{}");
  EXPECT_FALSE(tokens.use({from_file()}, {}));
  write(kit::set_of(e.jwk()));
  ASSERT_TRUE(tokens.use({from_file()}, {}));
  EXPECT_EQ(tokens.key_files(), std::vector<std::string>{path.string()});
  EXPECT_EQ(reason(e.token(claims_with())), "");
  EXPECT_EQ(reason(kit::ec("x").token(claims_with())), "invalid");
  write("half a fi");
  tokens.reload_key_files();
  EXPECT_EQ(reason(e.token(claims_with())), "");
  const auto next = kit::ec("next");
  write(kit::set_of(next.jwk()));
  tokens.reload_key_files();
  EXPECT_EQ(reason(next.token(claims_with())), "");
  EXPECT_EQ(reason(e.token(claims_with())), "invalid");
  clock.advance(hours(48));
  EXPECT_EQ(reason(next.token(claims_with({{"jti", "\"2\""}}))), "");
  EXPECT_EQ(web.count(), 0);
}

TEST_F(KeyFileTest, ABadFileOfNewIssuersLeavesTheOldOnes) {
  serve(e.jwk());
  EXPECT_FALSE(tokens.use({from_file()}, {}));
  EXPECT_EQ(reason(e.token(claims_with())), "");
}

TEST_F(KeysTest, KeysOfAnIssuerThatStaysAreNotFetchedAgain) {
  serve(e.jwk());
  const std::string token = e.token(claims_with());
  const auto first = tokens.check(token).principal;
  const int before = web.count();
  ASSERT_TRUE(tokens.use({issuer()}, {}));
  const auto second = tokens.check(token).principal;
  ASSERT_TRUE(second);
  EXPECT_NE(second, first);  // the profile may be another one
  EXPECT_EQ(web.count(), before);
  ASSERT_TRUE(tokens.use({}, {}));
  EXPECT_EQ(reason(token), "invalid");
}

TEST(FetchKeys, RefusesUnreachableUrls) {
  const std::atomic<bool> run{false}, stopped{true};
  EXPECT_FALSE(fetch_keys("http://127.0.0.1:1/jwks", run));
  EXPECT_FALSE(fetch_keys("file:///etc/passwd", run));
  EXPECT_FALSE(fetch_keys("http://127.0.0.1:1/jwks", stopped));
}

}  // namespace
}  // namespace gantry::host::jwt
