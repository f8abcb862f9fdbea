#include "host/watch/watch_plan.hpp"

#include "files.hpp"

namespace gantry::host::testing {
namespace {

const DirectoryInterest* interest(const WatchPlan& plan, const fs::path& directory) {
  const auto found = plan.directories.find(directory.string());
  return found == plan.directories.end() ? nullptr : &found->second;
}

TEST(WatchPlan, ADirectoryIsWatchedWithItsPluginsAndTheWayToIt) {
  const Directory root;
  fs::create_directories(root / "a/plugins");
  write(root / "a/plugins/x.so", "1");
  write(root / "a/plugins/.y.so", "1");
  write(root / "a/plugins/read.me", "1");
  const WatchPlan plan = make_watch_plan({root / "a/plugins"});
  ASSERT_NE(interest(plan, root / "a/plugins"), nullptr);
  EXPECT_TRUE(interest(plan, root / "a/plugins")->includes("new.so"));
  EXPECT_FALSE(interest(plan, root / "a/plugins")->includes(".new.so"));
  EXPECT_FALSE(interest(plan, root / "a/plugins")->includes("new.txt"));
  ASSERT_NE(interest(plan, root / "a"), nullptr);
  EXPECT_TRUE(interest(plan, root / "a")->includes("plugins"));
  EXPECT_FALSE(interest(plan, root / "a")->has_content());
  EXPECT_NE(interest(plan, "/"), nullptr);
  ASSERT_EQ(plan.files.size(), 1u);
  EXPECT_EQ(plan.files.begin()->first, (root / "a/plugins/x.so").string());
}

bool is_aside(std::string_view name) { return name == "build" || name.starts_with('.'); }

TEST(WatchPlan, ATreeIsWatchedWithAllItsDirectoriesButThoseLeftOut) {
  const Directory root;
  for (const char* directory : {"src/deep", "build/deep", "src/.git"})
    fs::create_directories(root / "tree" / directory);
  for (const char* file : {"CMakeLists.txt", "src/deep/a.cpp", "src/.a.swp", "build/x.so"})
    write(root / "tree" / file, "1");
  const WatchPlan plan = make_watch_plan({root / "tree"}, is_aside);
  for (const char* directory : {"tree", "tree/src", "tree/src/deep"}) {
    ASSERT_NE(interest(plan, root / directory), nullptr) << directory;
    EXPECT_TRUE(interest(plan, root / directory)->has_content());
    EXPECT_TRUE(interest(plan, root / directory)->includes("new.txt"));
    EXPECT_FALSE(interest(plan, root / directory)->includes("build"));
  }
  for (const char* directory : {"tree/build", "tree/build/deep", "tree/src/.git"})
    EXPECT_EQ(interest(plan, root / directory), nullptr) << directory;
  EXPECT_FALSE(interest(plan, root.path())->has_content());
  ASSERT_EQ(plan.files.size(), 2u);
  EXPECT_TRUE(plan.files.contains((root / "tree/CMakeLists.txt").string()));
  EXPECT_TRUE(plan.files.contains((root / "tree/src/deep/a.cpp").string()));
}

TEST(WatchPlan, EveryLinkOnTheWayIsWatchedWhereItStandsAndWhereItLeads) {
  const Directory root;
  fs::create_directories(root / "releases/1");
  fs::create_directories(root / "plugins");
  write(root / "releases/1/x.so", "1");
  fs::create_symlink("1", root / "releases/current");
  fs::create_symlink("../releases/current/x.so", root / "plugins/x.so");
  const WatchPlan plan = make_watch_plan({root / "plugins"});
  ASSERT_NE(interest(plan, root / "releases"), nullptr);
  EXPECT_TRUE(interest(plan, root / "releases")->includes("current"));
  ASSERT_NE(interest(plan, root / "releases/1"), nullptr);
  EXPECT_TRUE(interest(plan, root / "releases/1")->files.contains("x.so"));
  EXPECT_FALSE(interest(plan, root / "releases/1")->plugins);
}

TEST(WatchPlan, AMissingPathIsAwaitedAtItsLastExistingDirectory) {
  const Directory root;
  const WatchPlan plan = make_watch_plan({root / "later/plugins"});
  ASSERT_NE(interest(plan, root.path()), nullptr);
  EXPECT_TRUE(interest(plan, root.path())->includes("later"));
  EXPECT_EQ(interest(plan, root / "later"), nullptr);
  EXPECT_TRUE(plan.files.empty());
}

TEST(WatchPlan, LinksInACircleEnd) {
  const Directory root;
  fs::create_symlink("b", root / "a");
  fs::create_symlink("a", root / "b");
  const WatchPlan plan = make_watch_plan({root / "a/x.so"});
  EXPECT_TRUE(plan.files.empty());
  EXPECT_TRUE(interest(plan, root.path())->includes("b"));
}

TEST(WatchPlan, TheStampOfAFileDiffersWhenItIsReplacedByOneOfTheSameSize) {
  const Directory root;
  write(root / "one.conf", "1");
  const auto before = make_watch_plan({root / "one.conf"}).files;
  write(root / "next", "2");
  fs::last_write_time(root / "next", fs::last_write_time(root / "one.conf"));
  fs::rename(root / "next", root / "one.conf");
  const auto after = make_watch_plan({root / "one.conf"}).files;
  ASSERT_EQ(before.size(), 1u);
  ASSERT_EQ(after.size(), 1u);
  EXPECT_NE(before, after);
}

}  // namespace
}  // namespace gantry::host::testing
