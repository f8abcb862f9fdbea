// Instructions that a plugin offers, in discovery and in the handshake.
#include <gtest/gtest.h>

#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc::introduction_test {
namespace {

constexpr std::string_view kDiscover =
    R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}})";
constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";

class Introduction : public ::testing::Test {
 protected:
  void offer(World& world, bool is_builtin = true) {
    ItemSpec service;
    service.kind = "service";
    service.name = "gantry.instructions/1";
    const auto plugin = std::make_shared<FakePlugin>(std::vector<ItemSpec>{service});
    if (is_builtin) plugin->make_builtin();
    world.registry.set_plugins({plugin}, {});
    world.calls.next = {};
    world.calls.next.content = "Say \"please\".";
  }
  static rapidjson::Document result_of(World& world, std::string_view request) {
    const auto revision = request == kDiscover ? "2026-07-28" : "2025-11-25";
    const Answer answer = world.ask(request, revision);
    EXPECT_EQ(answer.status, 200) << answer.body;
    rapidjson::Document result;
    result.CopyFrom(json(answer.body)["result"], result.GetAllocator());
    return result;
  }
};

TEST_F(Introduction, IsTheCallersOwn) {
  World world;
  offer(world);
  const auto found = result_of(world, kDiscover), opened = result_of(world, kInitialize);
  EXPECT_STREQ(found["instructions"].GetString(), "Say \"please\".");
  EXPECT_STREQ(found["cacheScope"].GetString(), "private");
  EXPECT_STREQ(found["resultType"].GetString(), "complete");
  EXPECT_STREQ(opened["instructions"].GetString(), "Say \"please\".");
  EXPECT_STREQ(opened["protocolVersion"].GetString(), "2025-11-25");
  ASSERT_EQ(world.calls.seen.size(), 2u);
  EXPECT_EQ(world.calls.seen[0].name, "gantry.instructions/1");
  EXPECT_EQ(world.calls.seen[0].agent, world.principal.agent->name);
}

TEST_F(Introduction, GivesWayToTheOperatorsWords) {
  World world({}, {.version = "9.9", .instructions = "Mine."});
  offer(world);
  EXPECT_STREQ(result_of(world, kDiscover)["instructions"].GetString(), "Mine.");
  EXPECT_STREQ(result_of(world, kInitialize)["instructions"].GetString(), "Mine.");
  EXPECT_TRUE(world.calls.seen.empty());
}

TEST_F(Introduction, IsTakenFromBuiltInPluginsOnly) {
  World world;
  offer(world, false);
  EXPECT_FALSE(result_of(world, kDiscover).HasMember("instructions"));
  EXPECT_FALSE(result_of(world, kInitialize).HasMember("instructions"));
  EXPECT_TRUE(world.calls.seen.empty());
}

TEST_F(Introduction, IsLeftOutWhereItFailsOrIsTooLong) {
  World world;
  offer(world);
  world.calls.next.content = std::string((16u << 10) + 1, 'x');
  EXPECT_FALSE(result_of(world, kDiscover).HasMember("instructions"));
  world.calls.next.kind = ItemAnswer::Kind::error;
  world.calls.next.error_code = "timeout";
  EXPECT_FALSE(result_of(world, kInitialize).HasMember("instructions"));
  EXPECT_STREQ(result_of(world, kDiscover)["cacheScope"].GetString(), "private");
}

TEST_F(Introduction, WaitsOnlyForAShortTimeAndCanBeCancelled) {
  World world;
  offer(world);
  std::chrono::milliseconds most{};
  world.calls.handler = [&most](const ItemCall& call, CallListener&) -> std::optional<ItemAnswer> {
    most = call.most_time;
    return std::nullopt;
  };
  EXPECT_EQ(world.ask(kDiscover, "2026-07-28").status, 0) << "no thread waits for the answer";
  EXPECT_EQ(most, std::chrono::seconds(2));
  const auto sink = world.channel.sink_;
  sink->cancel(Stop::cancelled);
  ASSERT_EQ(sink->answers.size(), 1u);
  EXPECT_TRUE(json(sink->answers[0].body).HasMember("error"));
  world.calls.open.front()->finish({});
  EXPECT_EQ(sink->answers.size(), 1u) << "an answer that comes later is dropped";
}

}  // namespace
}  // namespace gantry::host::rpc::introduction_test
