#include "tests/host/registry/fake_plugin.hpp"

namespace gantry::host::testing::waiting_test {
namespace {

class Waiting : public RegistryTest {
 protected:
  void SetUp() override {
    provider = plugin("provider", {tool("status"), service("data/1")});
    user = plugin("user", {tool("query"), service("rows/1")});
    user->needs("data/1");
    far = plugin("far", {tool("report")});
    far->needs("rows/1");
  }
  std::shared_ptr<FakePlugin> provider, user, far;
};

TEST_F(Waiting, HidesItemsWhoseNeedNoPluginOffers) {
  registry.set_plugins({user, plugin("free", {tool("echo")})}, {});
  EXPECT_EQ(tools(), Names{"echo"});
  EXPECT_EQ(state("user").state, "waiting");
  EXPECT_EQ(state("user").reason, "it needs data/1, which no loaded plugin offers right now");
  EXPECT_EQ(state("free").state, "serving");
}

TEST_F(Waiting, ReachesUsersOfUsers) {
  registry.set_plugins({far, user}, {});
  EXPECT_TRUE(tools().empty());
  EXPECT_EQ(state("far").state, "waiting");
  EXPECT_TRUE(registry.current()->services.empty());
}

TEST_F(Waiting, EndsWithTheProvidersOfferAndReturnsWithIt) {
  registry.set_plugins({provider, user, far}, {});
  EXPECT_EQ(tools(), (Names{"report", "status", "query"}));
  ASSERT_TRUE(registry.set_offer(*provider, {tool("status")}));
  EXPECT_EQ(tools(), Names{"status"});
  ASSERT_TRUE(registry.set_offer(*provider, {tool("status"), service("data/1")}));
  EXPECT_EQ(tools(), (Names{"report", "status", "query"}));
}

TEST_F(Waiting, AHiddenOverrideUncoversTheBuiltInTool) {
  auto own = plugin("own", {tool("query")});
  own->builtin();
  user->overrides();
  registry.set_plugins({own, user, provider}, {});
  EXPECT_EQ(owner("query"), "user");
  ASSERT_TRUE(registry.set_offer(*provider, {}));
  EXPECT_EQ(owner("query"), "own");
}

}  // namespace
}  // namespace gantry::host::testing::waiting_test
