#include "host/auth/keys/key_changes.hpp"

#include <gtest/gtest.h>

#include "host/auth/keys/key_text.hpp"

namespace gantry::host {
namespace {

using namespace std::chrono_literals;

struct KeyChanges : testing::Test {
  KeyChanges() {
    char name[] = "/tmp/gantry-keys-XXXXXX";
    directory = ::mkdtemp(name);
    file = key_file(directory);
  }
  ~KeyChanges() override { std::filesystem::remove_all(directory); }
  NewKey make(KeyWish wish) {
    auto made = create_key(file, wish, now);
    EXPECT_TRUE(made) << made.message();
    return *made;
  }
  StoredKey find(const std::string& id) {
    const auto keys = read_keys(file);
    for (const StoredKey& key : *keys) {
      if (key.id == id) return key;
    }
    return {};
  }

  std::filesystem::path directory, file;
  std::chrono::sys_seconds now{std::chrono::seconds(1'000'000)};
};

TEST_F(KeyChanges, StoreTheHashAndNeverTheKey) {
  const NewKey made = make({"sales", "laptop", 90s});
  EXPECT_EQ(made.stored.id, *key_id(made.key));
  const StoredKey stored = find(made.stored.id);
  EXPECT_EQ(stored.sha256, key_hash(made.key));
  EXPECT_EQ(stored.agent, "sales");
  EXPECT_EQ(stored.note, "laptop");
  EXPECT_EQ(stored.created, now);
  EXPECT_EQ(stored.expires, now + 90s);
}

TEST_F(KeyChanges, RotateWithAnOverlap) {
  const NewKey old = make({"sales", "laptop", std::nullopt});
  const auto fresh = rotate_key(file, old.stored.id, 24h, now);
  ASSERT_TRUE(fresh) << fresh.message();
  EXPECT_NE(fresh->key, old.key);
  EXPECT_EQ(fresh->stored.agent, "sales");
  EXPECT_EQ(fresh->stored.note, "laptop");
  EXPECT_FALSE(fresh->stored.expires);
  EXPECT_EQ(find(old.stored.id).expires, now + 24h);
  EXPECT_EQ(find(old.stored.id).replaced_by, fresh->stored.id);
  EXPECT_EQ(rotate_key(file, old.stored.id, 24h, now).status().code(), GANTRY_INVALID_ARGUMENT);
}

TEST_F(KeyChanges, RotateForAsLongAsTheOldOneWasMadeFor) {
  const NewKey old = make({"sales", "", 10h});
  now += 9h;
  const auto fresh = rotate_key(file, old.stored.id, 24h, now);
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh->stored.expires, now + 10h);
  EXPECT_EQ(find(old.stored.id).expires, now + 1h) << "no longer than before";
  now += 2h;
  const NewKey other = make({"sales", "", 1s});
  now += 1s;
  EXPECT_FALSE(rotate_key(file, other.stored.id, 1h, now)) << "it has expired";
}

TEST_F(KeyChanges, BindACorrelationIdThatARotatedKeyKeeps) {
  const NewKey made = make({"sales", "", std::nullopt, "ticket-7"});
  EXPECT_EQ(find(made.stored.id).correlation_id, "ticket-7");
  EXPECT_EQ(rotate_key(file, made.stored.id, 24h, now)->stored.correlation_id, "ticket-7");
  for (const std::string& bad : {std::string("a b"), std::string(129, 'a'), std::string("é")}) {
    const auto refused = create_key(file, {"sales", "", std::nullopt, bad}, now);
    EXPECT_EQ(refused.status().code(), GANTRY_INVALID_ARGUMENT) << bad;
  }
  EXPECT_EQ(read_keys(file)->size(), 2u);
}

TEST_F(KeyChanges, RevokeOneKey) {
  const NewKey one = make({"a", "", std::nullopt}), two = make({"b", "", std::nullopt});
  EXPECT_TRUE(revoke_key(file, one.stored.id));
  ASSERT_EQ(read_keys(file)->size(), 1u);
  EXPECT_EQ(read_keys(file)->front().id, two.stored.id);
  const Status again = revoke_key(file, one.stored.id);
  EXPECT_EQ(again.code(), GANTRY_NOT_FOUND);
  EXPECT_NE(again.message().find(one.stored.id), std::string::npos);
}

TEST(Durations, AreANumberAndAUnit) {
  EXPECT_EQ(*read_duration("90d"), 90 * 24h);
  EXPECT_EQ(*read_duration("24h"), 24h);
  EXPECT_EQ(*read_duration("30m"), 30min);
  EXPECT_EQ(*read_duration("45s"), 45s);
  for (const auto bad : {"", "d", "0d", "-1d", "1.5h", "1", "1w", "1 d", "99999999d", "+1d", "1dd"})
    EXPECT_FALSE(read_duration(bad)) << bad;
}

}  // namespace
}  // namespace gantry::host
