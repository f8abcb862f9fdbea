#include "host/loader/private_copy.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {
namespace {

TEST(PrivateDirectory, IsMadeForTheHostAlone) {
  const TemporaryDirectory base;
  const fs::path path = base.path() / "state" / "plugins";
  ASSERT_TRUE(PrivateDirectory::open(path).is_ok());
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
}

TEST(PrivateDirectory, RefusesOneThatOthersCanWrite) {
  const TemporaryDirectory base;
  ::chmod(base.path().c_str(), 0777);
  const auto opened = PrivateDirectory::open(base.path());
  ASSERT_FALSE(opened.is_ok());
  EXPECT_EQ(opened.message(),
            base.path().string() +
                " must belong to the host's user and be writable by nobody else, since code is "
                "loaded from it; chmod 700 it or give another state directory");
}

TEST(PrivateDirectory, NeverUsesANameTwice) {
  const TemporaryDirectory base;
  const auto one = PrivateDirectory::open(base.path() / "d");
  const auto two = PrivateDirectory::open(base.path() / "d");
  const auto first = one->add("one");
  fs::remove(*first);
  const auto second = two->add("two");
  EXPECT_NE(*first, *second);
  EXPECT_EQ(read_all(*second), "two");
}

TEST(PrivateDirectory, SweepsWhatDeadProcessesLeft) {
  const TemporaryDirectory base;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const fs::path stale = base.path() / ("g7-" + std::to_string(child) + ".so");
  const fs::path alive = base.path() / ("g7-" + std::to_string(::getppid()) + ".so");
  const fs::path other = base.path() / "other.so";
  for (const fs::path& file : {stale, alive, other}) write_all(file, "x");
  ::chmod(base.path().c_str(), 0700);
  ASSERT_TRUE(PrivateDirectory::open(base.path()).is_ok());
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace gantry::host::testing
