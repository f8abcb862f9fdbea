#include "host/worker/probe_cache.hpp"

#include <algorithm>

#include "host/plugin/file_bytes.hpp"
#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {
namespace {

std::string key(int number) { return sha256_hex(std::to_string(number)); }

struct Cache : ::testing::Test {
  TemporaryDirectory directory;
  fs::path file = directory.path() / "probes";
};

TEST_F(Cache, RemembersOverRestarts) {
  ProbeCache(file).add(key(1));
  EXPECT_TRUE(ProbeCache(file).has(key(1)));
  EXPECT_FALSE(ProbeCache(file).has(key(2)));
}

TEST_F(Cache, ForgetsTheOldestBeyondItsSize) {
  ProbeCache cache(file);
  for (int i = 0; i <= static_cast<int>(ProbeCache::kMost); ++i) cache.add(key(i));
  const ProbeCache again(file);
  EXPECT_FALSE(again.has(key(0)));
  EXPECT_TRUE(again.has(key(static_cast<int>(ProbeCache::kForgotten))));
  EXPECT_TRUE(again.has(key(static_cast<int>(ProbeCache::kMost))));
}

TEST_F(Cache, IsNeverLongerThanAReaderTakes) {
  ProbeCache cache(file);
  for (int i = 0; i < 3 * static_cast<int>(ProbeCache::kMost); ++i) {
    cache.add(key(i));
    if (i % 37 == 0) {
      EXPECT_TRUE(ProbeCache(file).has(key(i))) << i;
    }
  }
}

TEST_F(Cache, GrowsByALineAndTakesBackWhatSomebodyRemoved) {
  ProbeCache cache(file);
  cache.add(key(1));
  cache.add(key(2));
  EXPECT_EQ(read_all(file), key(1) + "\n" + key(2) + "\n");
  fs::remove(file);
  cache.add(key(3));
  EXPECT_EQ(read_all(file), key(1) + "\n" + key(2) + "\n" + key(3) + "\n");
}

TEST_F(Cache, EndsALineThatWasCutBeforeTheNextOne) {
  write_all(file, key(1) + "\n" + key(2));
  ProbeCache(file).add(key(3));
  EXPECT_EQ(read_all(file), key(1) + "\n" + key(2) + "\n" + key(3) + "\n");
}

TEST_F(Cache, CountsAsEmptyWhenItHoldsAnythingElse) {
  for (const std::string& damage : {std::string("not a hash\n"), std::string(1 << 20, 'a'),
                                    std::string(100'000, '\n'), key(1).substr(1) + "\n"}) {
    write_all(file, key(1) + "\n" + damage);
    EXPECT_FALSE(ProbeCache(file).has(key(1))) << damage.substr(0, 20);
  }
  ProbeCache cache(file);
  cache.add(key(2));
  EXPECT_EQ(read_all(file), key(2) + "\n");
}

TEST_F(Cache, DoesWithoutAFileThatCannotBeWritten) {
  ProbeCache cache(directory.path() / "nowhere" / "probes");
  cache.add(key(1));
  EXPECT_TRUE(cache.has(key(1)));
}

TEST_F(Cache, HasAnotherKeyForOtherBytesConfigurationAndSecrets) {
  Origin origin;
  origin.sha256 = "a";
  std::vector<std::string> keys{ProbeCache::key_of(origin)};
  origin.sha256 = "b";
  keys.push_back(ProbeCache::key_of(origin));
  origin.settings.config = R"({"x":1})";
  keys.push_back(ProbeCache::key_of(origin));
  origin.settings.secrets["s"] = {"E", {}};
  keys.push_back(ProbeCache::key_of(origin));
  origin.settings.secrets["s"] = {{}, "E"};
  keys.push_back(ProbeCache::key_of(origin));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

}  // namespace
}  // namespace gantry::host::testing
