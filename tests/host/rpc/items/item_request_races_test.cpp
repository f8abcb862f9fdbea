// Concurrent events of one request. Each request is answered once, in every order of events.
#include <gtest/gtest.h>

#include <barrier>

#include "host/rpc/items/download.hpp"
#include "tests/host/rpc/input_items.hpp"

namespace gantry::host::rpc::item_request_races_test {
namespace {

constexpr int kTimes = 300;

// Both at once, as nearly as threads can.
template <class A, class B>
void together(A&& a, B&& b) {
  std::barrier<> gate(2);
  std::thread other([&] {
    gate.arrive_and_wait();
    b();
  });
  gate.arrive_and_wait();
  a();
  other.join();
}

struct Asked {
  explicit Asked(World& w) : world(w), session("s", "local", {"2025-11-25"}, {}) {
    Message message(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}})");
    EXPECT_FALSE(message.parse());
    world.dispatcher.request(message, {world.principal, session.protocol(), nullptr, &session},
                             channel);
    session.running().track("n1", channel.sink_->cancel);
  }
  void answer() {
    Message message(R"({"jsonrpc":"2.0","id":"gantry-1","result":{"action":"accept"}})");
    EXPECT_FALSE(message.parse());
    world.dispatcher.response(message, {world.principal, session.protocol(), nullptr, &session});
  }
  World& world;
  FakeChannel channel;
  Session session;
};

TEST(RunRaces, AnAnswerAndACancellation) {
  World world({tool("t")});
  world.calls.handler = greet;
  for (int i = 0; i < kTimes; ++i) {
    Asked asked(world);
    together([&] { asked.answer(); }, [&] { asked.session.running().cancel("n1"); });
    EXPECT_EQ(asked.channel.sink_->answers.size(), 1u);
    EXPECT_EQ(asked.session.client_requests().waiting(), 0u);
  }
}

TEST(RunRaces, AnAnswerAndTheEndOfTheSession) {
  World world({tool("t")});
  world.calls.handler = greet;
  for (int i = 0; i < kTimes; ++i) {
    Asked asked(world);
    together([&] { asked.answer(); }, [&] { asked.session.end(); });
    EXPECT_EQ(asked.channel.sink_->answers.size(), 1u);
  }
}

TEST(RunRaces, AnAnswerAndItsTimeout) {
  World world({tool("t")},
              {.version = "1", .limits = {.input_timeout = std::chrono::milliseconds(1)}});
  std::atomic<int> entered_again{0};
  world.calls.handler = [&](const ItemCall& call, CallListener& listener) {
    if (call.inputs.round > 0) ++entered_again;
    return greet(call, listener);
  };
  for (int i = 0; i < kTimes; ++i) {
    entered_again = 0;
    Asked asked(world);
    std::this_thread::sleep_for(std::chrono::microseconds(i * 7));
    asked.answer();
    EXPECT_TRUE(eventually([&] { return entered_again > 0; }));
    EXPECT_TRUE(eventually([&] { return asked.session.client_requests().waiting() == 0; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(entered_again, 1);
  }
}

TEST(RunRaces, AnEndingCallAndACancellation) {
  World world({tool("t")});
  world.calls.handler = [](const ItemCall&, CallListener&) { return std::optional<ItemAnswer>(); };
  for (int i = 0; i < kTimes; ++i) {
    Asked asked(world);
    const auto call = world.calls.open.back();
    together([&] { call->finish(saying("{}")); }, [&] { asked.session.running().cancel("n1"); });
    EXPECT_EQ(asked.channel.sink_->answers.size(), 1u);
  }
}

TEST(RunRaces, TheUpdateAndTheCancellationOfATask) {
  const std::string can = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
  World world({tool("t")}, {.version = "1", .limits = {.max_tasks_per_owner = kTimes}});
  world.calls.handler = [](const ItemCall& call, CallListener& listener) {
    if (!call.is_task) listener.begin_task();
    return greet(call, listener);
  };
  const auto send = [&](const std::string& text) {
    Message message(text);
    EXPECT_FALSE(message.parse());
    FakeChannel channel;
    return world.dispatcher.request(message, {world.principal, "2026-07-28"}, channel)->body;
  };
  for (int i = 0; i < kTimes; ++i) {
    const auto begun =
        json(world.ask(modern("tools/call", R"("name":"t")", can), "2026-07-28").body);
    const std::string id =
        R"("taskId":")" + std::string(begun["result"]["taskId"].GetString()) + "\"";
    together(
        [&] { send(modern("tasks/update", id + R"(,"inputResponses":{"who":{"n":1}})", can)); },
        [&] { send(modern("tasks/cancel", id, can)); });
    const std::string status =
        json(send(modern("tasks/get", id, can)))["result"]["status"].GetString();
    EXPECT_TRUE(status == "completed" || status == "cancelled") << status;
  }
}

// The engine counts a call as finished before its thread has released the request.
TEST(RunRaces, TheEndOfTheDispatcherAndOfItsRequests) {
  for (int i = 0; i < 20; ++i) {
    World world({tool("t")});
    auto held = world.dispatcher.download(world.principal, "1");
    std::thread([held = std::move(held)]() mutable {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // later than it ends, mostly
      held.reset();
    }).detach();
  }
}

}  // namespace
}  // namespace gantry::host::rpc::item_request_races_test
