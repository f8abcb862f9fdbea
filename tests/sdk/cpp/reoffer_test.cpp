// A plugin that changes its offer while calls run.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gantry/plugin.hpp>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace reoffer_test {
namespace {

class Changing : public gantry::Plugin {
 public:
  explicit Changing(gantry::Host host) : Plugin(host) { current = this; }

  void offer(gantry::Offer& offer) override {
    const int version = generation;
    offer.tool("version", "Says which.", [version] { return std::to_string(version); });
    offer.tool("grow", "Adds an item.", [this] {
      ++generation;
      return reoffer();
    });
    offer.tool("waits", "Until it may.", [this] {
      std::unique_lock lock(mutex);
      inside = true;
      changed.notify_all();
      changed.wait(lock, [this] { return open; });
      return std::string("waited");
    });
    if (version > 0) {
      offer.resource("v:" + std::to_string(version), "v", "d", [] { return "v"; });
    }
  }

  gantry::Status only(std::string_view name) {
    gantry::Offer offer;
    offer.tool(name, "The only one.", [] { return "only"; });
    return reoffer(std::move(offer));
  }

  gantry::Status taken() {
    gantry::Offer offer;
    offer.resource("no-scheme", "n", "d", [] { return ""; });
    return reoffer(std::move(offer));
  }

  gantry::Status declared() {
    gantry::Offer offer;
    offer.handler("x", [] {});
    return reoffer(std::move(offer));
  }

  static inline Changing* current = nullptr;
  std::atomic<int> generation{0};
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false, inside = false;
};

constexpr gantry_plugin kTable = gantry::detail::Entry<Changing>::table();
constexpr char kManifest[] =
    R"({"name":"changing","version":"1","abi":1,"items":"probe","needs":["gantry.call/1"],"flags":["reentrant"]})";

class Reoffer : public ::testing::Test {
 protected:
  Reoffer() { EXPECT_TRUE(host_.start().is_ok()); }

  std::vector<std::string> violations_;
  static Options options(std::vector<std::string>& violations) {
    Options options;
    options.on_violation = [&](const std::string& text) { violations.push_back(text); };
    return options;
  }
  FakeHost host_{Linked{kTable, kManifest}, options(violations_)};
  Changing& plugin() { return *Changing::current; }
};

TEST_F(Reoffer, ReplacesTheListsAndTheHandlers) {
  EXPECT_THAT(host_.call("version"), HasText("0"));
  EXPECT_THAT(host_.call("grow"), Succeeds());
  EXPECT_THAT(host_.call("version"), HasText("1"));
  EXPECT_THAT(host_.items("resource"), ElementsAre("v:1"));
  EXPECT_THAT(host_.read("v:1"), ReadsText("v"));
  EXPECT_TRUE(plugin().only("single").is_ok());
  EXPECT_THAT(host_.tools(), ElementsAre("single"));
  EXPECT_THAT(host_.call("version"), FailsWith("not_found"));
}

TEST_F(Reoffer, LetsRunningCallsFinish) {
  RunningCall running = host_.begin("waits");
  {
    std::unique_lock lock(plugin().mutex);
    plugin().changed.wait(lock, [&] { return plugin().inside; });
  }
  EXPECT_TRUE(plugin().only("a").is_ok());
  EXPECT_TRUE(plugin().only("b").is_ok());  // nothing but the call itself holds its offer now
  {
    const std::lock_guard lock(plugin().mutex);
    plugin().open = true;
    plugin().changed.notify_all();
  }
  EXPECT_THAT(running.wait(), HasText("waited"));
}

TEST_F(Reoffer, FindsTheHandlersOfThePreviousOffer) {
  gantry::detail::OfferSlot slot;
  const auto with = [](std::string_view name) {
    gantry::Offer offer;
    offer.handler(name, [] {});
    return offer;
  };
  const gantry_host_api api{};
  const gantry::Host host(api, nullptr);  // declared items are not announced
  EXPECT_TRUE(slot.begin(host, with("a")).is_ok());
  EXPECT_TRUE(slot.begin(host, with("b")).is_ok());
  EXPECT_NE(slot.find("tool", "a"), nullptr);
  EXPECT_TRUE(slot.begin(host, with("c")).is_ok());
  EXPECT_EQ(slot.find("tool", "a"), nullptr);
  EXPECT_NE(slot.find("tool", "b"), nullptr);
}

TEST_F(Reoffer, KeepsTheOldOfferWhenTheHostRefuses) {
  EXPECT_THAT(plugin().taken().message(), HasSubstr("refuses the offer"));
  EXPECT_EQ(violations_.size(), 1U);
  EXPECT_THAT(host_.call("version"), HasText("0"));
}

TEST_F(Reoffer, IsForPluginsThatAnnounce) {
  EXPECT_THAT(plugin().declared().message(), HasSubstr("announce them"));
}

TEST_F(Reoffer, HoldsUnderConcurrentCallsAndChanges) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        const Reply reply = host_.call(t == 0 ? "grow" : "version");
        if (!reply.ok()) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(plugin().generation, 60);
  EXPECT_THAT(host_.items("resource"), ElementsAre("v:60"));
}

}  // namespace
}  // namespace reoffer_test
