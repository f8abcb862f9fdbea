// gantry.events/1: which events are published, and that a plugin may only name its own resources.
#include "tests/host/calls/harness.hpp"

namespace gantry::host::events_test {
namespace {

class Ear final : public Subscriber {
 public:
  void deliver(const Event& event) override {
    std::lock_guard lock(mutex_);
    events_.push_back(event);
    heard_.notify_all();
  }
  std::vector<Event> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }
  // The same when there are so many: changes of lists wait until it is quiet.
  std::vector<Event> take(std::size_t count) {
    std::unique_lock lock(mutex_);
    heard_.wait_for(lock, std::chrono::seconds(2), [&] { return events_.size() >= count; });
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  std::vector<Event> events_;
};

class EventsTest : public CallsTest {
 protected:
  void SetUp() override {
    CallsTest::SetUp();
    bus_.add(ear_);
    plugin("p").resource("x://a", nothing).subscribe = true;
    mine().resource("x://quiet", nothing);
    mine().resource("x://{id}/rows", nothing).subscribe = true;
    mine().prompt("greet", nothing);
    plugin("q").resource("y://a", nothing).subscribe = true;
    publish();
  }
  FakePlugin& mine() { return *plugins_.front(); }
  gantry_status updated(std::string_view uri, std::string_view metadata = "") {
    return events_table().updated(mine().host_handle(), b(uri), b(metadata));
  }
  gantry_status deleted(std::string_view uri) {
    return events_table().deleted(mine().host_handle(), b(uri), b(""));
  }
  std::string watched() {
    std::string json;
    const gantry_sink sink{
        [](void* text, gantry_bytes part) { *static_cast<std::string*>(text) += view(part); },
        &json};
    EXPECT_EQ(events_table().watched(mine().host_handle(), sink), GANTRY_OK);
    return json;
  }
  static gantry_status nothing(gantry_call*) { return GANTRY_OK; }

  std::shared_ptr<Ear> ear_ = std::make_shared<Ear>();
};

TEST_F(EventsTest, AnUpdateReachesTheBusWithItsMetadata) {
  EXPECT_EQ(updated("x://a", "{ \"a\": 1 }"), GANTRY_OK);
  EXPECT_EQ(updated("x://7/rows"), GANTRY_OK);
  const auto events = ear_->take();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Event::Kind::resource_updated);
  EXPECT_EQ(events[0].uri, "x://a");
  EXPECT_EQ(events[0].metadata, R"({"a":1})");
  EXPECT_FALSE(events[0].deleted);
  EXPECT_EQ(events[1].uri, "x://7/rows");
}

TEST_F(EventsTest, APluginReportsOnlyItsOwnResources) {
  EXPECT_EQ(updated("y://a"), GANTRY_DENIED);
  EXPECT_EQ(updated("x://unknown"), GANTRY_DENIED);
  EXPECT_EQ(updated("x://7/8/rows"), GANTRY_DENIED);
  EXPECT_EQ(updated("greet"), GANTRY_DENIED);
  EXPECT_EQ(deleted("y://a"), GANTRY_DENIED);
  EXPECT_TRUE(ear_->take().empty());
}

TEST_F(EventsTest, ChangesOfResourcesWithoutSubscriptionAreNotPublished) {
  EXPECT_EQ(updated("x://quiet"), GANTRY_OK);
  EXPECT_TRUE(ear_->take().empty());
  EXPECT_EQ(deleted("x://quiet"), GANTRY_OK);
  const auto events = ear_->take(1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Event::Kind::resources_listed);
}

TEST_F(EventsTest, ADeletionIsAnUpdateAndThenAChangeOfTheList) {
  EXPECT_EQ(deleted("x://7/rows"), GANTRY_OK);
  const auto events = ear_->take(2);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Event::Kind::resource_updated);
  EXPECT_TRUE(events[0].deleted);
  EXPECT_EQ(events[1].kind, Event::Kind::resources_listed);
  ASSERT_EQ(events[1].seen.size(), 1u);
  EXPECT_EQ(events[1].seen[0].name, "called x://{id}/rows");
}

TEST_F(EventsTest, SizesAndMetadataAreChecked) {
  EXPECT_EQ(updated("x://a", "[]"), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(updated("x://a", "{"), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(updated("x://a", R"({"a":")" + std::string(16u << 10, 'x') + "\"}"), GANTRY_TOO_BIG);
  EXPECT_EQ(updated("x://" + std::string(2045, '7')), GANTRY_TOO_BIG);
  EXPECT_TRUE(ear_->take().empty());
}

TEST_F(EventsTest, AListChangesForAgentsThatSeeATemplateThatLists) {
  EXPECT_EQ(events_table().list_changed(mine().host_handle()), GANTRY_OK);
  EXPECT_TRUE(ear_->take(1).empty()) << "it answers no resource_list";
  auto& spec = plugin("r").resource("z://{id}", nothing);
  spec.lists = true;
  spec.tier = Tier::write;
  publish();
  ear_->take();
  EXPECT_EQ(events_table().list_changed(plugins_.back()->host_handle()), GANTRY_OK);
  const auto events = ear_->take(1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Event::Kind::resources_listed);
  ASSERT_EQ(events[0].seen.size(), 1u);
  EXPECT_EQ(events[0].seen[0].tier, Tier::write);
}

TEST_F(EventsTest, APluginSeesWhichOfItsResourcesAreWatched) {
  EXPECT_EQ(watched(), "[]");
  for (const char* uri : {"x://a", "y://a", "x://7/rows"}) bus_.watch(uri);
  EXPECT_EQ(watched(), R"(["x://7/rows","x://a"])");
  bus_.unwatch("x://a");
  EXPECT_EQ(watched(), R"(["x://7/rows"])");
}

TEST_F(EventsTest, AStoppedPluginReportsNoMoreChanges) {
  mine().stopping();
  EXPECT_EQ(updated("x://a"), GANTRY_STOPPING);
  EXPECT_EQ(deleted("x://a"), GANTRY_STOPPING);
  EXPECT_EQ(events_table().list_changed(mine().host_handle()), GANTRY_STOPPING);
  EXPECT_TRUE(ear_->take().empty());
}

TEST_F(EventsTest, APluginsOwnThreadKeepsNoGenerationAlive) {
  std::thread([&] {
    updated("x://a");
    watched();
    const std::weak_ptr<const Snapshot> seen = registry_.current();
    Registry::release_cached();
    updated("x://a");
    registry_.set_plugins({}, {});
    EXPECT_TRUE(seen.expired());
  }).join();
}

TEST_F(EventsTest, ManyThreadsMayReportWhileTheOfferChanges) {
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!over) {
        updated("x://a");
        watched();
      }
    });
  }
  for (int i = 0; i < 20; ++i) registry_.set_plugins({plugins_.begin(), plugins_.end()}, {});
  over = true;
  for (auto& thread : threads) thread.join();
  EXPECT_FALSE(watched().empty());
}

}  // namespace
}  // namespace gantry::host::events_test
