#include "host/base/hash_file.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include "tests/host/base/files.hpp"

namespace gantry::host::hash_file_test {
namespace {

constexpr int kMost = 512;

std::string key(int number) {
  char text[65];
  std::snprintf(text, sizeof text, "%064d", number);
  return text;
}

struct HashFileTest : testing::Test {
  TemporaryDirectory directory;
  fs::path file = directory.path() / "hashes";
};

TEST_F(HashFileTest, RemembersOverRestarts) {
  HashFile(file, kMost).add(key(1));
  EXPECT_TRUE(HashFile(file, kMost).has(key(1)));
  EXPECT_FALSE(HashFile(file, kMost).has(key(2)));
}

TEST_F(HashFileTest, ForgetsTheOldestBeyondItsSize) {
  HashFile hashes(file, kMost);
  for (int i = 0; i <= kMost; ++i) hashes.add(key(i));
  const HashFile again(file, kMost);
  EXPECT_FALSE(again.has(key(0)));
  EXPECT_TRUE(again.has(key(kMost / 8)));
  EXPECT_TRUE(again.has(key(kMost)));
}

TEST_F(HashFileTest, IsNeverLongerThanAReaderTakes) {
  HashFile hashes(file, kMost);
  for (int i = 0; i < 3 * kMost; ++i) {
    hashes.add(key(i));
    if (i % 37 == 0) {
      EXPECT_TRUE(HashFile(file, kMost).has(key(i))) << i;
    }
  }
}

TEST_F(HashFileTest, GrowsByALineAndRewritesARemovedFile) {
  HashFile hashes(file, kMost);
  hashes.add(key(1));
  hashes.add(key(2));
  EXPECT_EQ(read_all(file), key(1) + "\n" + key(2) + "\n");
  fs::remove(file);
  hashes.add(key(3));
  EXPECT_EQ(read_all(file), key(1) + "\n" + key(2) + "\n" + key(3) + "\n");
}

TEST_F(HashFileTest, EndsALineThatWasCutBeforeTheNextOne) {
  write_all(file, key(1) + "\n" + key(2));
  HashFile(file, kMost).add(key(3));
  EXPECT_EQ(read_all(file), key(1) + "\n" + key(2) + "\n" + key(3) + "\n");
}

TEST_F(HashFileTest, CountsAsEmptyWhenItHoldsAnythingElse) {
  for (const std::string& damage : {std::string("not a hash\n"), std::string(1 << 20, 'a'),
                                    std::string(100'000, '\n'), key(1).substr(1) + "\n"}) {
    write_all(file, key(1) + "\n" + damage);
    EXPECT_FALSE(HashFile(file, kMost).has(key(1))) << damage.substr(0, 20);
  }
  HashFile hashes(file, kMost);
  hashes.add(key(2));
  EXPECT_EQ(read_all(file), key(2) + "\n");
}

TEST_F(HashFileTest, DoesWithoutAFileThatCannotBeWritten) {
  HashFile hashes(directory.path() / "nowhere" / "hashes", kMost);
  hashes.add(key(1));
  EXPECT_TRUE(hashes.has(key(1)));
}

}  // namespace
}  // namespace gantry::host::hash_file_test
