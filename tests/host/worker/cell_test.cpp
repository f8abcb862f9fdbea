// What a cell keeps a worker from, and what it lets it do: the files of it.
#include <fstream>

#include "host/worker/landlock.hpp"
#include "host/worker/temporary.hpp"
#include "worker_fixture.hpp"

namespace gantry::host::cell_test {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Cell : WorkerTest {
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
    WorkerTest::SetUp();
    std::ofstream(directory_->path() / "file, 100%.txt") << "text";
  }
  std::string of(const std::string& deed, const WorkerLimits& limits = {}) {
    printed_.lines.clear();
    const Lines lines = printed_by(deed, limits);
    return lines.size() == 1 ? lines.front() : std::to_string(lines.size()) + " lines";
  }
  std::string file() const { return (directory_->path() / "file, 100%.txt").string(); }

  const std::unique_ptr<TemporaryDirectory> directory_ = TemporaryRoot({}).make().value();
};

TEST_F(Cell, ReadsNoFileOfTheSystemsButLibraries) {
  for (const char* path : {"/etc/passwd", "/etc/hostname", "/etc/ssl/openssl.cnf", "/bin/sh",
                           "/proc/1/environ", "/proc/self/root/etc/passwd", "/etc/hosts"})
    EXPECT_EQ(of(std::string("read:") + path), "EACCES") << path;
  for (const char* path : {"/", "/etc", "/proc", "/dev", "/tmp", "/dev/shm", "/proc/1"})
    EXPECT_EQ(of(std::string("list:") + path), "EACCES") << path;
  EXPECT_EQ(of("read:" + file()), "EACCES");
  EXPECT_EQ(of("host-environment"), "EACCES");
}

TEST_F(Cell, ReadsItsLibraryWhichIsAMemoryFile) { EXPECT_EQ(of("memory-library"), "done"); }

TEST_F(Cell, ReadsTheFilesThatTheCLibraryNeeds) {
  for (const char* path :
       {"/lib/x86_64-linux-gnu/libc.so.6", "/etc/ld.so.cache", "/usr/share/zoneinfo/UTC",
        "/dev/urandom", "/dev/null", "/dev/zero", "/proc/self/maps", "/proc/self/status",
        "/proc/sys/vm/overcommit_memory"}) {
    if (!fs::exists(path)) continue;
    EXPECT_EQ(of(std::string("read:") + path), "done") << path;
  }
  EXPECT_EQ(of("create:/dev/null"), "done") << "it may be written to";
}

TEST_F(Cell, WritesNowhereButInItsOwnDirectory) {
  for (const std::string path : {"/tmp/gantry-deed", "/dev/shm/gantry-deed", "/var/tmp/gantry-deed",
                                 "/gantry-deed", "/proc/self/comm"}) {
    EXPECT_EQ(of("create:" + path), "EACCES") << path;
    EXPECT_EQ(fs::exists(path), path.starts_with("/proc")) << path;
  }
  EXPECT_EQ(of("create:" + file()), "EACCES");
  EXPECT_EQ(of("create-own"), "done");
  EXPECT_EQ(of("rename"), "done") << "across the directories in it";
}

TEST_F(Cell, MakesNothingButFilesAndDirectories) {
  for (const char* deed : {"symlink", "fifo"}) EXPECT_EQ(of(deed), "EACCES") << deed;
  EXPECT_NE(of("device"), "done");
  EXPECT_NE(of("link"), "done");
}

TEST_F(Cell, RunsNoProgramOfItsOwnEvenWherePrograms) {
  EXPECT_EQ(of("run-own", {.processes = true}), "EACCES");
  EXPECT_EQ(of("run-own"), "EPERM");
}

TEST_F(Cell, ReadsTheNamesOfTheInternetWithTheNetwork) {
  EXPECT_EQ(of("read:/etc/hosts", {.network = true}), "done");
  EXPECT_EQ(of("read:/etc/passwd", {.network = true}), "EACCES");
}

TEST_F(Cell, HasTheFilesThatItIsGranted) {
  WorkerLimits limits;
  limits.files.read = {directory_->path()};
  EXPECT_EQ(of("read:" + file(), limits), "done");
  EXPECT_EQ(of("create:" + file() + ".new", limits), "EACCES");
  limits.files = {{file()}, {}};
  EXPECT_EQ(of("read:" + file(), limits), "done");
  EXPECT_EQ(of("list:" + directory_->path().string(), limits), "EACCES");
  limits.files = {{}, {directory_->path()}};
  EXPECT_EQ(of("create:" + file() + ".new", limits), "done");
}

TEST_F(Cell, DoesNotBeginWithoutAFileThatItIsGranted) {
  WorkerLimits limits;
  limits.files.read = {"/nowhere/at/all"};
  EXPECT_EQ(end_of("idle", limits), "called exit(65)");
  ASSERT_EQ(printed_.texts().size(), 1U);
  EXPECT_EQ(printed_.texts().front(),
            "the walls of this worker cannot be raised: /nowhere/at/all: No such file or "
            "directory");
}

TEST_F(Cell, IsOpenWithoutWalls) {
  WorkerLimits limits;
  limits.walls = false;
  EXPECT_EQ(of("read:/etc/passwd", limits), "done");
  EXPECT_EQ(of("create:" + file() + ".new", limits), "done");
  EXPECT_EQ(of("chmod", limits), "done");
  EXPECT_EQ(of("host-memory", limits), "EACCES") << "the host's memory stays closed";
  EXPECT_EQ(of("kill-host", limits), "EPERM");
}

}  // namespace
}  // namespace gantry::host::cell_test
