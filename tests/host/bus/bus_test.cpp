#include "host/bus/bus.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

class Ear final : public Subscriber {
 public:
  void deliver(const Event& event) override { heard.push_back(event.uri); }
  void ended() override { ++ends; }
  std::vector<std::string> heard;
  int ends = 0;
};

Event updated(std::string uri) {
  Event event;
  event.kind = Event::Kind::resource_updated;
  event.uri = std::move(uri);
  return event;
}

using Uris = std::vector<std::string>;

TEST(Bus, DeliversToEverySubscriberUntilItIsRemoved) {
  Bus bus;
  const auto one = std::make_shared<Ear>(), two = std::make_shared<Ear>();
  bus.add(one);
  bus.add(two);
  bus.publish(updated("a"));
  bus.remove(*one);
  bus.publish(updated("b"));
  EXPECT_EQ(one->heard, Uris({"a"}));
  EXPECT_EQ(two->heard, Uris({"a", "b"}));
  EXPECT_EQ(bus.size(), 1u);
}

TEST(Bus, LetsASubscriberBeRemovedDuringADelivery) {
  class Leaver final : public Subscriber {
   public:
    explicit Leaver(Bus& bus) : bus_(bus) {}
    void deliver(const Event&) override { bus_.remove(*this); }
    Bus& bus_;
  };
  Bus bus;
  bus.add(std::make_shared<Leaver>(bus));
  bus.publish(updated("a"));
  EXPECT_EQ(bus.size(), 0u);
}

TEST(Bus, ReportsItsEndToEachSubscriberOnceAndToLateOnesAtOnce) {
  Bus bus;
  const auto ear = std::make_shared<Ear>(), late = std::make_shared<Ear>();
  bus.add(ear);
  bus.end();
  bus.end();
  bus.publish(updated("a"));
  bus.add(late);
  EXPECT_EQ(ear->ends, 1);
  EXPECT_EQ(late->ends, 1);
  EXPECT_TRUE(ear->heard.empty());
  EXPECT_EQ(bus.size(), 0u);
}

TEST(Bus, CountsSubscriptionsToAUri) {
  Bus bus;
  bus.watch("b");
  bus.watch("a");
  bus.watch("a");
  EXPECT_EQ(bus.watched(), Uris({"a", "b"}));
  EXPECT_EQ(bus.watches(), 3u);
  bus.unwatch("a");
  bus.unwatch("b");
  bus.unwatch("never");
  EXPECT_EQ(bus.watched(), Uris({"a"}));
  bus.unwatch("a");
  EXPECT_EQ(bus.watches(), 0u);
}

// Several publishers at once, and subscribers that are added and removed: each one that stays gets
// all events, and all of them in the same order.
TEST(Bus, KeepsOneOrderWhileManyPublishAndSubscribersComeAndGo) {
  constexpr int kThreads = 4, kEach = 500;
  Bus bus;
  const auto one = std::make_shared<Ear>(), two = std::make_shared<Ear>();
  bus.add(one);
  bus.add(two);
  std::atomic<bool> done{false};
  std::thread churn([&] {
    while (!done) {
      const auto guest = std::make_shared<Ear>();
      bus.add(guest);
      bus.remove(*guest);
    }
  });
  std::vector<std::thread> publishers;
  for (int t = 0; t < kThreads; ++t) {
    publishers.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        bus.publish(updated(std::to_string(t) + ":" + std::to_string(i)));
      }
    });
  }
  for (auto& publisher : publishers) publisher.join();
  done = true;
  churn.join();
  EXPECT_EQ(one->heard.size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_EQ(one->heard, two->heard);
}

}  // namespace
}  // namespace gantry::host
