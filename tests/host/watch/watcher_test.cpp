#include "host/watch/watcher.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "files.hpp"

namespace gantry::host::testing::watcher_test {
namespace {

using namespace std::chrono_literals;

constexpr auto kEffect = 1000ms;                  // within which every change must be reported
constexpr WatcherOptions kEventsOnly{150ms, 1h};  // no look helps out

// Counts the calls; each test waits for the next one.
class Heard {
 public:
  void call() {
    std::lock_guard lock(mutex_);
    ++calls_;
    cv_.notify_all();
  }
  int calls() {
    std::lock_guard lock(mutex_);
    return calls_;
  }
  bool more_than(int known, std::chrono::milliseconds within) {
    std::unique_lock lock(mutex_);
    return cv_.wait_for(lock, within, [&] { return calls_ > known; });
  }
  // Nothing more comes for longer than a dwell.
  int settled() {
    int known = calls();
    while (more_than(known, 250ms)) known = calls();
    return known;
  }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  int calls_ = 0;
};

class AWatcher : public ::testing::Test {
 protected:
  void watch(std::vector<fs::path> paths) {
    watcher_.watch(std::move(paths));
    ASSERT_TRUE(heard_.more_than(0, kEffect));
    known_ = heard_.settled();
  }
  void watch_plugins() {
    fs::create_directory(root_ / "plugins");
    write(plugin_, "one");
    watch({root_ / "plugins"});
  }
  // The last change is reported.
  ::testing::AssertionResult told() {
    if (!heard_.more_than(known_, kEffect)) return ::testing::AssertionFailure() << "not reported";
    known_ = heard_.settled();
    return ::testing::AssertionSuccess();
  }
  ::testing::AssertionResult quiet() {
    if (heard_.more_than(known_, 500ms)) return ::testing::AssertionFailure() << "reported";
    return ::testing::AssertionSuccess();
  }

  Directory root_;
  const fs::path plugin_ = root_ / "plugins/x.so";
  Heard heard_;
  int known_ = 0;
  Watcher watcher_{[this] { heard_.call(); }, kEventsOnly};
};

TEST_F(AWatcher, ReportsOnceAtItsStartForEarlierChanges) {
  fs::create_directory(root_ / "plugins");
  watch({root_ / "plugins"});
  EXPECT_EQ(known_, 1);
}

TEST_F(AWatcher, SeesAFileThatIsRenamedOver) {
  watch_plugins();
  write(root_ / "plugins/.x.so.new", "two");
  EXPECT_TRUE(quiet());
  fs::rename(root_ / "plugins/.x.so.new", plugin_);
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, SeesAFileThatIsCopiedOver) {
  watch_plugins();
  write(root_ / "next", "two");
  fs::copy_file(root_ / "next", plugin_, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, ReportsASlowWriteAtItsEnd) {
  watch_plugins();
  std::ofstream out(root_ / "plugins/slow.so");
  for (int i = 0; i < 5; ++i) {
    out << "part" << std::flush;
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(heard_.calls(), known_);
  }
  out.close();
  EXPECT_TRUE(told());
}

// As linkers do: the file is made at the beginning and written at the end.
TEST_F(AWatcher, WaitsForTheContentOfAFileThatIsMade) {
  watch_plugins();
  std::ofstream out(root_ / "plugins/slow.so");
  std::this_thread::sleep_for(600ms);
  EXPECT_EQ(heard_.calls(), known_);
  out << "all";
  out.close();
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, ReportsAFastWriteDuringASlowOne) {
  watch_plugins();
  std::ofstream slow(root_ / "plugins/slow.so");
  slow << "part" << std::flush;
  write(root_ / "plugins/fast.so", "all");
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, SeesAHardLink) {
  watch_plugins();
  write(root_ / "next", "two");
  fs::create_hard_link(root_ / "next", root_ / "plugins/y.so");
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, SeesALinkThatIsTurned) {
  watch_plugins();
  write(root_ / "1.so", "one");
  write(root_ / "2.so", "two");
  fs::create_symlink("../1.so", root_ / "plugins/link.so");
  EXPECT_TRUE(told());
  fs::create_symlink("../2.so", root_ / "plugins/.next");
  fs::rename(root_ / "plugins/.next", root_ / "plugins/link.so");
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, SeesChangesAtTheTargetOfALink) {
  fs::create_directories(root_ / "releases/1");
  fs::create_directories(root_ / "releases/2");
  write(root_ / "releases/1/x.so", "one");
  write(root_ / "releases/2/x.so", "two");
  fs::create_directory(root_ / "plugins");
  fs::create_directory_symlink("1", root_ / "releases/current");
  fs::create_symlink("../releases/current/x.so", plugin_);
  watch({root_ / "plugins"});
  write(root_ / "releases/1/x.so", "one again");
  EXPECT_TRUE(told());
  fs::create_directory_symlink("2", root_ / "releases/next");
  fs::rename(root_ / "releases/next", root_ / "releases/current");
  EXPECT_TRUE(told());
  write(root_ / "releases/2/x.so", "two again");
  EXPECT_TRUE(told());
  write(root_ / "releases/1/x.so", "no watch is here now");
  EXPECT_TRUE(quiet());
}

TEST_F(AWatcher, SeesARemovalAndAMoveAway) {
  watch_plugins();
  write(root_ / "plugins/y.so", "one");
  EXPECT_TRUE(told());
  fs::remove(plugin_);
  EXPECT_TRUE(told());
  fs::rename(root_ / "plugins/y.so", root_ / "y.so");
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, SeesThatAFileBecameReadable) {
  watch_plugins();
  fs::permissions(plugin_, fs::perms::none);
  EXPECT_TRUE(told());
  fs::permissions(plugin_, fs::perms::owner_read);
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, IsQuietAboutOtherFiles) {
  watch_plugins();
  write(root_ / "plugins/.hidden.so", "x");
  write(root_ / "plugins/notes.txt", "x");
  write(root_ / "plugins/x.so.bak", "x");
  write(root_ / "beside", "x");
  EXPECT_TRUE(quiet());
}

TEST_F(AWatcher, SeesADirectoryThatComesLaterAndOneThatIsReplaced) {
  watch({root_ / "later/plugins"});
  fs::create_directories(root_ / "later/plugins");
  EXPECT_TRUE(told());
  write(root_ / "later/plugins/x.so", "one");
  EXPECT_TRUE(told());
  fs::create_directories(root_ / "other/plugins");
  EXPECT_TRUE(quiet());
  fs::rename(root_ / "later", root_ / "old");
  fs::rename(root_ / "other", root_ / "later");
  EXPECT_TRUE(told());
  write(root_ / "old/plugins/x.so", "no watch is here now");
  EXPECT_TRUE(quiet());
  write(root_ / "later/plugins/x.so", "one");
  EXPECT_TRUE(told());
  fs::remove_all(root_ / "later");
  EXPECT_TRUE(told());
  fs::create_directories(root_ / "later/plugins");
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, WatchesASingleFileOfAnyNameAndNothingBesideIt) {
  write(root_ / "gantry.json", "{}");
  watch({root_ / "gantry.json"});
  write(root_ / "gantry.json.swp", "x");
  write(root_ / "x.so", "x");
  EXPECT_TRUE(quiet());
  write(root_ / "next", "{ }");
  fs::rename(root_ / "next", root_ / "gantry.json");
  EXPECT_TRUE(told());
  write(root_ / "gantry.json", "{  }");
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, GoesOnWithOtherPathsWhileItRuns) {
  watch_plugins();
  fs::create_directory(root_ / "others");
  watcher_.watch({root_ / "others"});
  EXPECT_TRUE(told());
  write(plugin_, "no watch is here now");
  EXPECT_TRUE(quiet());
  write(root_ / "others/y.so", "one");
  EXPECT_TRUE(told());
}

TEST_F(AWatcher, KeepsNoWatchesOfRemovedPaths) {
  watch_plugins();
  fs::create_directory(root_ / "targets");
  const std::size_t before = watcher_.watches();
  for (int i = 0; i < 1000; ++i) {
    const fs::path target = root_ / ("targets/" + std::to_string(i));
    fs::create_directory(target);
    write(target / "x.so", std::to_string(i));
    fs::remove(root_ / "next");
    fs::create_symlink(target / "x.so", root_ / "next");
    fs::rename(root_ / "next", plugin_);
    if (i > 0) fs::remove_all(root_ / ("targets/" + std::to_string(i - 1)));
    if (i % 100 == 0) {
      EXPECT_TRUE(told());
    }
  }
  EXPECT_TRUE(told());
  EXPECT_EQ(watcher_.watches(), before + 2);  // targets, and the one that is left in it
  fs::remove(plugin_);
  write(plugin_, "plain");
  EXPECT_TRUE(told());
  EXPECT_EQ(watcher_.watches(), before);
}

class ATreeWatcher : public ::testing::Test {
 protected:
  ATreeWatcher() {
    fs::create_directories(root_ / "tree/src");
    fs::create_directories(root_ / "tree/build");
    watcher_.watch({root_ / "tree"});
    EXPECT_TRUE(heard_.more_than(0, kEffect));
    known_ = heard_.settled();
  }
  bool told() {
    const bool more = heard_.more_than(known_, kEffect);
    known_ = heard_.settled();
    return more;
  }

  Directory root_;
  Heard heard_;
  int known_ = 0;
  Watcher watcher_{[this] { heard_.call(); },
                   {.look = 1h, .tree = [](std::string_view name) { return name == "build"; }}};
};

TEST_F(ATreeWatcher, SeesFilesOfAnyNameAtAnyDepth) {
  write(root_ / "tree/Makefile", "1");
  EXPECT_TRUE(told());
  write(root_ / "tree/src/a.c", "1");
  EXPECT_TRUE(told());
  fs::create_directories(root_ / "tree/src/new/deep");
  EXPECT_TRUE(told());
  write(root_ / "tree/src/new/deep/b.c", "1");
  EXPECT_TRUE(told());
  fs::remove_all(root_ / "tree/src/new");
  EXPECT_TRUE(told());
}

TEST_F(ATreeWatcher, IgnoresEntriesThatAreLeftOut) {
  write(root_ / "tree/build/a.o", "1");
  fs::create_directory(root_ / "tree/src/build");
  write(root_ / "tree/src/build/b.o", "1");
  write(root_ / "beside", "1");
  EXPECT_FALSE(heard_.more_than(known_, 500ms));
}

TEST(Watcher, FindsAChangeWithoutEventsByComparison) {
  const Directory root;
  fs::create_directory(root / "plugins");
  write(root / "plugins/x.so", "one");
  fs::create_hard_link(root / "plugins/x.so", root / "elsewhere");
  Heard heard;
  Watcher watcher([&] { heard.call(); }, {50ms, 200ms});
  watcher.watch({root / "plugins"});
  ASSERT_TRUE(heard.more_than(0, kEffect));
  const int known = heard.settled();
  EXPECT_FALSE(heard.more_than(known, 600ms)) << "a comparison without a change reports nothing";
  write(root / "elsewhere", "two");  // the event names another directory's entry
  EXPECT_TRUE(heard.more_than(known, kEffect));
}

TEST(Watcher, IsAskedForACallThroughAnotherDescriptor) {
  const int other = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  Heard heard;
  Watcher watcher([&] { heard.call(); }, {150ms, 1h, other});
  for (int known = 0; known < 3; ++known) {
    ASSERT_EQ(::eventfd_write(other, 1), 0);
    EXPECT_TRUE(heard.more_than(known, kEffect));
    EXPECT_EQ(heard.settled(), known + 1);
  }
  ::close(other);
}

TEST(Watcher, EndsWhileItWaitsAndDuringACallback) {
  const Directory root;
  for (int i = 0; i < 20; ++i) {
    Heard heard;
    Watcher watcher([&] { heard.call(); });
    watcher.watch({root.path()});
    if (i % 2 == 0) heard.more_than(0, kEffect);
  }
}

}  // namespace
}  // namespace gantry::host::testing::watcher_test
