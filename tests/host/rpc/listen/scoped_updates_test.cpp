// Which subscribers hear of an update: those whose scope reads something else now.
#include <thread>

#include "tests/host/rpc/listening.hpp"

namespace gantry::host::rpc::scoped_updates_test {
namespace {

const char* const kFilter = R"({"resourceSubscriptions":["x://a"]})";

AgentPtr tenant(const std::string& id) {
  Agent agent;
  agent.tenant_id = id;
  return share(std::move(agent));
}

// As a plugin reports it.
Event reported(std::string metadata = "") {
  Event event = updated("x://a", std::move(metadata));
  event.scoped = true;
  return event;
}

class ScopedUpdates : public ::testing::Test {
 protected:
  std::shared_ptr<ListenSink> listen(const AgentPtr& agent) {
    world_.principal = {agent, *agent->tenant_id, "api_key"};
    return world_.listen(kFilter);
  }
  void show(const AgentPtr& agent, const std::string& text) {
    world_.show(agent->fingerprint, text);
  }
  // The updates that it has got, `least` of them at least.
  static std::size_t updates(const ListenSink& sink, std::size_t least = 0) {
    for (int i = 0; i < 1000 && sink.notes().size() < 1 + least; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return sink.notes().size() - 1;  // the first is the acknowledgement
  }
  // All reads that are due have been made: one more change has reached the witness.
  void settle() {
    show(witness_, std::to_string(++changes_));
    world_.bus.publish(reported());
    EXPECT_EQ(updates(*seen_, changes_), changes_);
  }

  ListenWorld world_;
  const AgentPtr witness_ = tenant("witness");
  std::shared_ptr<ListenSink> seen_ = listen(witness_);
  std::size_t changes_ = 0;
};

TEST_F(ScopedUpdates, ReachTheScopeWhoseContentChangedAndNoOther) {
  const auto acme = tenant("acme"), bolt = tenant("bolt");
  const auto one = listen(acme), two = listen(bolt), three = listen(acme);
  show(acme, "another row");
  world_.bus.publish(reported());
  EXPECT_EQ(updates(*one, 1), 1u);
  EXPECT_EQ(updates(*three, 1), 1u);
  settle();
  EXPECT_EQ(updates(*two), 0u);
  EXPECT_EQ(updates(*one), 1u) << "it has not changed since";
  show(bolt, "a row of its own");
  world_.bus.publish(reported());
  EXPECT_EQ(updates(*two, 1), 1u);
}

TEST_F(ScopedUpdates, ReachASubscriberIfTheyComeWhileItSubscribes) {
  const auto acme = tenant("acme");
  show(acme, "before");
  world_.calls.handler = [this, acme, reads = world_.calls.handler,
                          done = std::make_shared<bool>(false)](const ItemCall& call,
                                                                CallListener& listener) {
    auto answer = reads(call, listener);
    if (call.agent->fingerprint != acme->fingerprint || std::exchange(*done, true)) return answer;
    show(acme, "after");
    world_.bus.publish(reported());
    return answer;
  };
  EXPECT_EQ(updates(*listen(acme), 1), 1u);
}

TEST_F(ScopedUpdates, ReadOnceForAllSubscribersOfAScope) {
  const auto acme = tenant("acme");
  std::vector<std::shared_ptr<ListenSink>> sinks;
  for (int i = 0; i < 20; ++i) sinks.push_back(listen(acme));
  settle();
  const std::size_t before = world_.reads;
  show(acme, "another row");
  world_.bus.publish(reported());
  for (const auto& sink : sinks) EXPECT_EQ(updates(*sink, 1), 1u);
  settle();
  EXPECT_LE(world_.reads - before, 5u);
}

TEST_F(ScopedUpdates, WithMetadataReachEachScopeThatMayRead) {
  const auto acme = listen(tenant("acme"));
  world_.bus.publish(reported(R"({"why":"x"})"));
  EXPECT_EQ(updates(*acme, 1), 1u);
  EXPECT_NE(acme->notes().back().find(R"("gantry/metadata":{"why":"x"})"), std::string::npos);
}

TEST_F(ScopedUpdates, OfResourcesThatAreNotScopedReachAll) {
  const auto acme = listen(tenant("acme"));
  world_.bus.publish(updated("x://a"));
  EXPECT_EQ(updates(*acme, 1), 1u) << "though it reads the same";
}

TEST_F(ScopedUpdates, DoNotReachAScopeThatMayNoLongerRead) {
  const auto acme = listen(tenant("acme"));
  world_.calls.handler = [](const ItemCall&, CallListener&) {
    ItemAnswer answer;
    answer.kind = ItemAnswer::Kind::error;
    answer.error_code = "access_denied";
    return std::optional(answer);
  };
  world_.bus.publish(reported());
  world_.bus.publish(reported(R"({"why":"x"})"));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(updates(*acme), 0u);
}

TEST_F(ScopedUpdates, AreCheckedAgainWhenTheyComeDuringACheck) {
  const auto acme = tenant("acme");
  const auto sink = listen(acme);
  for (int i = 0; i < 50; ++i) {
    show(acme, std::to_string(i));
    world_.bus.publish(reported());
  }
  show(acme, "the last");
  world_.bus.publish(reported());
  settle();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::size_t told = updates(*sink, 1);
  EXPECT_GE(told, 1u);
  EXPECT_LE(told, 51u);
  for (int i = 0; i < 3; ++i) settle();
  EXPECT_EQ(updates(*sink), told) << "it knows the last content";
}

}  // namespace
}  // namespace gantry::host::rpc::scoped_updates_test
