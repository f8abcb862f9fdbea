// Which clients hear that listed resources have changed: those whose scope lists others now.
#include <thread>

#include "tests/host/rpc/listening.hpp"

namespace gantry::host::rpc::scoped_lists_test {
namespace {

AgentPtr tenant_agent(const std::string& id) {
  Agent agent;
  agent.tenant_id = id;
  return share(std::move(agent));
}

ItemSpec listing_template() {
  ItemSpec spec = resource("y://{n}");
  spec.lists = spec.scoped = true;
  return spec;
}

class ScopedListsTest : public ::testing::Test {
 protected:
  std::shared_ptr<ListenSink> listen(const AgentPtr& agent) {
    world_.principal = {agent, *agent->tenant_id, "api_key"};
    auto sink = world_.listen(R"({"resourcesListChanged":true})");
    for (int i = 0; i < 1000 && sink->notes().empty(); ++i) pause();
    EXPECT_EQ(sink->notes().size(), 1u) << "the acknowledgement";
    return sink;
  }
  void show(const AgentPtr& agent, const std::string& list) {
    world_.show(agent->fingerprint, list);
  }
  // As a plugin reports it.
  void report() {
    world_.bus.publish(
        event_of(Event::Kind::resources_listed, {{"y", Tier::readonly, /*scoped=*/true}}));
  }
  // The changes that it has heard of, `least` of them at least.
  static std::size_t heard(const ListenSink& sink, std::size_t least = 0) {
    for (int i = 0; i < 1000 && sink.notes().size() < 1 + least; ++i) pause();
    return sink.notes().size() - 1;
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }
  // All lists that are due have been made: one more change has reached the witness.
  void settle() {
    show(witness_, std::to_string(++changes_));
    report();
    EXPECT_EQ(heard(*seen_, changes_), changes_);
  }

  struct ListingWorld : ListenWorld {
    ListingWorld() { publish({listing_template()}); }
  };

  ListingWorld world_;
  const AgentPtr witness_ = tenant_agent("witness");
  std::shared_ptr<ListenSink> seen_ = listen(witness_);
  std::size_t changes_ = 0;
};

TEST_F(ScopedListsTest, ReachTheScopeWhoseListChangedAndNoOther) {
  const auto acme = tenant_agent("acme"), bolt = tenant_agent("bolt");
  const auto one = listen(acme), two = listen(bolt), three = listen(acme);
  show(acme, "one more");
  report();
  EXPECT_EQ(heard(*one, 1), 1u);
  EXPECT_EQ(heard(*three, 1), 1u);
  settle();
  EXPECT_EQ(heard(*two), 0u);
  EXPECT_EQ(heard(*one), 1u) << "it has not changed since";
}

TEST_F(ScopedListsTest, AreComparedWithThoseOfTheTimeWhenTheFirstClientBeganToListen) {
  const auto acme = tenant_agent("acme");
  const auto first = listen(acme);
  first->disconnect();
  show(acme, "while nothing listened");
  const auto second = listen(acme);
  report();
  settle();
  EXPECT_EQ(heard(*second), 0u);
  show(acme, "since");
  report();
  EXPECT_EQ(heard(*second, 1), 1u);
}

TEST_F(ScopedListsTest, AChangeOfDeclaredResourcesReachesAll) {
  const auto acme = listen(tenant_agent("acme"));
  world_.bus.publish(event_of(Event::Kind::resources_listed, {{"x", Tier::readonly}}));
  EXPECT_EQ(heard(*acme, 1), 1u);
  EXPECT_EQ(heard(*seen_, ++changes_), 1u);
  world_.bus.publish(event_of(Event::Kind::resources_listed, {{"x", Tier::admin}}));
  settle();
  EXPECT_EQ(heard(*acme), 1u) << "not one that it may not see";
}

TEST_F(ScopedListsTest, AreMadeAgainAfterABusyTime) {
  const auto acme = tenant_agent("acme");
  const auto sink = listen(acme);
  world_.busy = true;
  show(acme, "one more");
  report();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(heard(*sink), 0u);
  world_.busy = false;
  EXPECT_EQ(heard(*sink, 1), 1u);
}

}  // namespace
}  // namespace gantry::host::rpc::scoped_lists_test
