#include "host/control/paths.hpp"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "host/control/claim.hpp"
#include "tests/host/control/scratch.hpp"

namespace gantry::host::control::paths_test {
namespace {

namespace fs = std::filesystem;

TEST(ControlPaths, AreInTheUsersRuntimeDirectory) {
  const Scratch scratch;
  ::setenv("XDG_RUNTIME_DIR", scratch.path().c_str(), 1);
  EXPECT_EQ(runtime_directory(), scratch.path() / "gantry");
  const auto made = make_runtime_directory();
  ASSERT_TRUE(made) << made.message();
  EXPECT_EQ(fs::status(*made).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(make_runtime_directory());
  EXPECT_EQ(default_socket(*made, 7), *made / "gantryd-7.sock");
  ::unsetenv("XDG_RUNTIME_DIR");
  EXPECT_NE(runtime_directory().string().find("gantry"), std::string::npos);
}

TEST(ControlPaths, RefuseADirectoryThatOthersMayEnter) {
  const Scratch scratch;
  ::setenv("XDG_RUNTIME_DIR", scratch.path().c_str(), 1);
  fs::create_directory(scratch / "gantry");
  fs::permissions(scratch / "gantry", fs::perms::all);
  const auto made = make_runtime_directory();
  ASSERT_FALSE(made);
  EXPECT_NE(made.message().find(scratch / "gantry"), std::string::npos);
  fs::remove(scratch / "gantry");
  fs::create_directory(scratch / "elsewhere");
  fs::permissions(scratch / "elsewhere", fs::perms::owner_all);
  fs::create_directory_symlink(scratch / "elsewhere", scratch / "gantry");
  EXPECT_FALSE(make_runtime_directory());
  ::unsetenv("XDG_RUNTIME_DIR");
}

TEST(ControlPaths, ThatAreTooLongAreRefusedWithTheirLength) {
  EXPECT_TRUE(check_length(std::string(107, 'a')));
  const Status status = check_length(std::string(108, 'a'));
  ASSERT_FALSE(status);
  EXPECT_NE(status.message().find("108"), std::string::npos);
  EXPECT_NE(status.message().find("107"), std::string::npos);
  EXPECT_NE(status.message().find("--control"), std::string::npos);
}

TEST(ControlPaths, FindTheLivingAndRemoveTheDead) {
  const Scratch scratch;
  EXPECT_TRUE(living_sockets(scratch / "nowhere").empty());
  const auto living = Claim::take(scratch / "gantryd-2.sock");
  ASSERT_TRUE(living) << living.message();
  {
    const auto dead = Claim::take(scratch / "gantryd-1.sock");
    ASSERT_TRUE(dead);
    // A host that is killed leaves its socket.
    fs::create_hard_link(scratch / "gantryd-1.sock", scratch / "gantryd-3.sock");
  }
  const auto other = Claim::take(scratch / "other.sock");
  std::FILE* file = std::fopen((scratch / "gantryd-4.sock").c_str(), "w");
  std::fclose(file);
  const std::vector<fs::path> expected{scratch / "gantryd-2.sock"};
  EXPECT_EQ(living_sockets(scratch.path()), expected);
  EXPECT_TRUE(fs::exists(scratch / "gantryd-3.sock"));
  EXPECT_EQ(living_sockets(scratch.path(), true), expected);
  EXPECT_FALSE(fs::exists(scratch / "gantryd-3.sock"));
  EXPECT_TRUE(fs::exists(scratch / "gantryd-4.sock"));
}

}  // namespace
}  // namespace gantry::host::control::paths_test
