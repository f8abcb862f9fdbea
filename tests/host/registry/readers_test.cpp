#include <atomic>
#include <thread>

#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing::readers_test {
namespace {

using Readers = RegistryTest;

TEST_F(Readers, SeeEachPublishAtOnce) {
  registry.set_plugins({plugin("one", {tool("a")})}, {});
  EXPECT_EQ(registry.current()->version, 1u);
  std::thread([&] { registry.set_plugins({}, {}); }).join();
  EXPECT_EQ(registry.current()->version, 2u);
  EXPECT_TRUE(tools().empty());
}

TEST_F(Readers, ThatLetGoKeepNothingAlive) {
  auto one = plugin("one", {tool("a")});
  const std::weak_ptr<FakePlugin> watch = one;
  registry.set_plugins({std::move(one)}, {});
  (void)registry.current();
  registry.set_plugins({}, {});
  EXPECT_FALSE(watch.expired());  // cached by this thread
  Registry::release_cached();
  EXPECT_TRUE(watch.expired());
}

TEST_F(Readers, OfTwoRegistriesAreNotMixedUp) {
  Registry other;
  other.set_plugins({plugin("other", {tool("b")})}, {});
  registry.set_plugins({plugin("one", {tool("a")})}, {});
  EXPECT_EQ(registry.current()->tools[0]->spec.name, "a");
  EXPECT_EQ(other.current()->tools[0]->spec.name, "b");
  EXPECT_EQ(registry.current()->tools[0]->spec.name, "a");
}

TEST_F(Readers, AreNotFooledByARegistryAtTheSameAddress) {
  std::optional<Registry> place;
  place.emplace().set_plugins({plugin("one", {tool("a")})}, {});
  (void)place->current();
  std::thread([&] { place.reset(); }).join();  // this thread's cache is not dropped
  place.emplace().set_plugins({plugin("two", {tool("b")})}, {});
  EXPECT_EQ(place->current()->tools[0]->spec.name, "b");
}

// Every snapshot holds both tools of one generation, whatever the writers do meanwhile.
TEST_F(Readers, NeverSeeHalfAChange) {
  const auto pair = plugin("pair", {tool("left0"), tool("right0")});
  registry.set_plugins({pair}, {});
  std::atomic<bool> done = false;
  std::atomic<int> torn = 0, backward = 0, looks = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      std::uint64_t last = 0;
      while (!done) {
        const SnapshotPtr now = registry.current();
        if (now->tools.size() != 2) ++torn;
        const std::string& left = now->tools[0]->spec.name;
        const std::string& right = now->tools[1]->spec.name;
        if (left.substr(4) != right.substr(5)) ++torn;
        if (now->version < last) ++backward;
        last = now->version;
        ++looks;
      }
      Registry::release_cached();
    });
  }
  for (int i = 1; i <= 500; ++i) {
    const std::string number = std::to_string(i);
    ASSERT_TRUE(registry.set_offer(*pair, {tool("left" + number), tool("right" + number)}));
  }
  while (looks < 1000) std::this_thread::yield();
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backward, 0);
}

}  // namespace
}  // namespace gantry::host::testing::readers_test
