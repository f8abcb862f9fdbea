// The watcher's notifications, step by step, without a database.
#include "watch/watcher.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace gantry::data {
namespace {

using Told = std::vector<std::string>;

class FakeSource final : public Source {
 public:
  Result<DatabaseState> look() override {
    if (blind) return Status(GANTRY_BUSY, "locked");
    return state;
  }
  Content content_of(const ResourceUri& what) override {
    ++comparisons;
    if (while_reading) while_reading();
    return contents[what.class_name + "/" + std::string(part_name(what.part))];
  }

  // A commit that changes the readable content of a class; of no class: a commit without visible
  // changes.
  void commit(const std::string& name = "") {
    ++state.version;
    if (name.empty()) return;
    ++contents[name + "/count"].fingerprint;
    ++contents[name + "/samples"].fingerprint;
  }

  DatabaseState state{1, {"a", "b"}};
  std::map<std::string, Content> contents;
  std::function<void()> while_reading;
  int comparisons = 0;
  bool blind = false;
};

class FakeAudience final : public Audience {
 public:
  std::vector<std::string> watched() override { return uris; }
  void updated(const std::string& uri) override { told.push_back("updated " + uri); }
  void deleted(const std::string& uri) override { told.push_back("deleted " + uri); }
  void list_changed() override { told.push_back("list"); }

  std::vector<std::string> uris;
  Told told;
};

class Watch : public ::testing::Test {
 protected:
  // One look and its notifications.
  Told look() {
    audience_.told.clear();
    (void)watcher_.look();
    return audience_.told;
  }
  void settle(std::vector<std::string> uris) {
    look();
    audience_.uris = std::move(uris);
    look();
  }

  FakeSource source_;
  FakeAudience audience_;
  Watcher watcher_{source_, audience_};
};

const std::string kCountA = "data://a/count", kCountB = "data://b/count";
const std::string kSamplesA = "data://a/samples", kSchemaA = "data://a/schema";

TEST_F(Watch, TellsOfTheClassThatChangedAndOfNoOther) {
  settle({kCountA, kCountB, kSamplesA, kSchemaA});
  source_.commit("a");
  EXPECT_EQ(look(), (Told{"updated " + kCountA, "updated " + kSamplesA}));
  EXPECT_EQ(look(), Told{});
}

TEST_F(Watch, ComparesNothingWhileNothingIsCommittedOrWatched) {
  settle({kCountA, "data://%61/count"});
  EXPECT_EQ(source_.comparisons, 1) << "two spellings share their content";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(look(), Told{});
  audience_.uris = {};
  source_.commit("a");
  EXPECT_EQ(look(), Told{});
  EXPECT_EQ(source_.comparisons, 1);
}

TEST_F(Watch, ACommitThatChangesNothingThatCanBeReadIsNotTold) {
  settle({kCountA, kSamplesA, kSchemaA});
  source_.commit();
  EXPECT_EQ(look(), Told{});
  ++source_.contents["a/samples"].fingerprint;
  source_.commit();
  EXPECT_EQ(look(), Told{"updated " + kSamplesA});
}

TEST_F(Watch, ASchemaChangesByItself) {
  settle({kCountA, kSchemaA});
  source_.commit();
  source_.contents["a/schema"].fingerprint = 7;
  EXPECT_EQ(look(), Told{"updated " + kSchemaA});
}

TEST_F(Watch, AClassThatTakesTooLongToReadCountsAsChangedByEveryCommit) {
  source_.contents["a/count"].state = Content::State::unknowable;
  settle({kCountA, kCountB});
  EXPECT_EQ(look(), Told{});
  source_.commit();
  EXPECT_EQ(look(), Told{"updated " + kCountA});
  source_.commit();
  EXPECT_EQ(look(), Told{"updated " + kCountA});
}

TEST_F(Watch, AnUnreadableResourceIsComparedOnceReadable) {
  settle({kCountA, kSamplesA});
  source_.commit("a");
  --source_.contents["a/samples"].fingerprint;
  source_.contents["a/count"].state = source_.contents["a/samples"].state = Content::State::later;
  EXPECT_EQ(look(), Told{});
  EXPECT_EQ(look(), Told{});
  source_.contents["a/count"].state = source_.contents["a/samples"].state = Content::State::known;
  EXPECT_EQ(look(), Told{"updated " + kCountA});
  EXPECT_EQ(look(), Told{});
}

TEST_F(Watch, ClassesThatComeChangeTheList) {
  settle({kCountA});
  source_.state.classes = {"a", "b", "c"};
  source_.commit();
  EXPECT_EQ(look(), Told{"list"});
}

TEST_F(Watch, AClassThatGoesEndsItsResources) {
  settle({kCountA, kCountB});
  source_.state.classes = {"b"};
  source_.commit();
  EXPECT_EQ(look(), (Told{"deleted " + kCountA, "list"}));
  source_.commit();
  EXPECT_EQ(look(), Told{}) << "it is told once, even while the subscription lasts";
}

TEST_F(Watch, ASubscriptionBeforeACommitIsNotifiedWithoutALookBetween) {
  look();
  audience_.uris = {kCountA};
  source_.commit("a");
  EXPECT_EQ(look(), Told{"updated " + kCountA});
}

TEST_F(Watch, ACommitDuringTheFirstFingerprintIsReported) {
  look();
  audience_.uris = {kCountA};
  source_.while_reading = [this] {
    source_.while_reading = nullptr;
    source_.commit("a");
  };
  EXPECT_EQ(look(), Told{"updated " + kCountA});
}

TEST_F(Watch, ANewWatcherNotifiesExistingSubscribers) {
  audience_.uris = {kCountA, "data://gone/count", "other://x"};
  EXPECT_EQ(look(), Told{"updated " + kCountA});
}

TEST_F(Watch, ChangesOfAnUnreadableDatabaseAreReportedLater) {
  settle({kCountA});
  source_.blind = true;
  source_.commit("a");
  EXPECT_EQ(look(), Told{});
  EXPECT_FALSE(watcher_.look());
  source_.blind = false;
  EXPECT_EQ(look(), Told{"updated " + kCountA});
}

TEST_F(Watch, ASpellingOfAUriIsToldAsItWasSubscribedTo) {
  settle({"data://%61/count"});
  source_.commit("a");
  EXPECT_EQ(look(), Told{"updated data://%61/count"});
}

}  // namespace
}  // namespace gantry::data
