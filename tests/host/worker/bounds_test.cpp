// How much a worker may have: threads, and bytes and files of its temporary directory.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "host/worker/census.hpp"
#include "host/worker/temporary.hpp"
#include "worker_fixture.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

struct Bounds : WorkerTest {
  static WorkerLimits disk(std::uint64_t mebibytes) { return {.disk_bytes = mebibytes << 20U}; }
  static constexpr const char* kTooMuch =
      "kept more than its 4 MiB in its temporary directory (worker.disk_bytes)";
  static constexpr const char* kTooMany =
      "had more than 10000 files in its temporary directory, or nested them deeper than 32 "
      "directories";
};

TEST_F(Bounds, CountThreads) {
  EXPECT_EQ(end_of("many-threads:40", {.threads = 30}),
            "had more than its 30 threads (worker.threads)");
}

TEST_F(Bounds, CountTheThreadsOfItsChildren) {
  EXPECT_EQ(end_of("leave-child", {.threads = 2, .processes = true}),
            "had more than its 2 threads (worker.threads)");
}

TEST_F(Bounds, CountTheBytesInItsDirectory) { EXPECT_EQ(end_of("fill-disk:6", disk(4)), kTooMuch); }

TEST_F(Bounds, CountFilesWithoutANameThatAreOpen) {
  EXPECT_EQ(end_of("fill-nameless:6", disk(4)), kTooMuch);
}

TEST_F(Bounds, CountFilesWithoutANameThatAreMapped) {
  EXPECT_EQ(end_of("fill-mapped:6", disk(4)), kTooMuch);
}

TEST_F(Bounds, CountDirectoriesThatTheHostCannotRead) {
  EXPECT_EQ(end_of("fill-hidden:6", disk(4)), kTooMuch);
}

TEST_F(Bounds, CountFiles) {
  EXPECT_EQ(end_of("many-files:10500"), kTooMany);
  EXPECT_EQ(end_of("dig:40"), kTooMany) << "too deep to be counted";
}

TEST_F(Bounds, EndTheWritingOfOneLongFile) {
  EXPECT_EQ(printed_by("long-file:6", disk(4)), (std::vector<std::string>{"EFBIG", "written"}));
}

// The kernel shows nothing of what such a process has open.
TEST_F(Bounds, EndAWorkerWhoseFirstThreadHasEnded) {
  EXPECT_EQ(end_of("lose-head"), "ended its first thread and went on in others");
}

TEST_F(Bounds, LetAWorkerLiveThatHasLess) {
  const auto worker = spawn("fill-disk:3", disk(8));
  EXPECT_FALSE(worker->wait_until(std::chrono::steady_clock::now() + std::chrono::seconds(1)));
  const auto many = spawn("many-threads:20", {.threads = 30});
  EXPECT_FALSE(many->wait_until(std::chrono::steady_clock::now() + std::chrono::seconds(1)));
}

struct Temporary : Bounds {
  const std::unique_ptr<TemporaryDirectory> root_ = TemporaryRoot({}).make().value();

  void SetUp() override {
    auto made = WorkerKeeper::create(root_->path() / "tmp");
    ASSERT_TRUE(made) << made.message();
    keeper_ = std::move(made).value();
  }

  // From the environment of the process, which is there a moment after the process.
  static fs::path directory_of(pid_t worker) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    do {
      std::ifstream environment("/proc/" + std::to_string(worker) + "/environ");
      std::string entry;
      while (std::getline(environment, entry, '\0'))
        if (entry.starts_with("TMPDIR=")) return entry.substr(entry.find('=') + 1);
    } while (std::chrono::steady_clock::now() < until);
    ADD_FAILURE() << "no TMPDIR";
    return {};
  }
  static bool goes(const fs::path& path) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (fs::exists(path) && std::chrono::steady_clock::now() < until) ::usleep(1000);
    return !fs::exists(path);
  }
};

TEST_F(Temporary, IsTheWorkersAloneAndGoesWithIt) {
  const fs::path own = printed_by("own-directory").at(0);
  EXPECT_EQ(own.parent_path().parent_path(), root_->path() / "tmp");
  EXPECT_TRUE(goes(own));
  const auto worker = spawn("fill-hidden:1", disk(4));
  const fs::path there = directory_of(worker->pid());
  EXPECT_EQ(fs::status(there).permissions(), fs::perms::owner_all);
  worker->kill("was ended");
  ASSERT_TRUE(ended(*worker));
  EXPECT_TRUE(goes(there)) << "with a directory that nothing can read";
}

TEST_F(Temporary, IsThereForEachWorkerAndNoneIsLeft) {
  const auto first = spawn("idle", {}), second = spawn("idle", {});
  EXPECT_NE(directory_of(first->pid()), directory_of(second->pid()));
  // One that was made ahead may have been removed since.
  for (const auto& entry : fs::directory_iterator(root_->path() / "tmp")) {
    const bool used = entry == directory_of(first->pid()) || entry == directory_of(second->pid());
    if (!used) fs::remove(entry);
  }
  const auto third = spawn("idle", {});
  EXPECT_TRUE(fs::is_directory(directory_of(third->pid())));
  keeper_.reset();
  EXPECT_TRUE(fs::is_empty(root_->path() / "tmp"));
}

// The last one cannot be read or written by an ordinary user, and a name of the removal is taken.
TEST_F(Temporary, GoesHoweverDeepItsDirectoriesAre) {
  const fs::path before = fs::current_path();
  const fs::path own = root_->path() / "deep";
  ASSERT_EQ(::mkdir(own.c_str(), 0700), 0);
  fs::create_directories(own / "lifted-0" / "below");
  fs::current_path(own);
  for (int depth = 0; depth < 3000; ++depth) {
    ASSERT_EQ(::mkdir("next", 0700), 0);
    ASSERT_EQ(::chdir("next"), 0);
  }
  std::ofstream("file") << "text";
  ASSERT_EQ(::mkdir("locked", 0700), 0);
  ASSERT_EQ(::mkdir("locked/below", 0500), 0);
  ASSERT_EQ(::chmod("locked", 0), 0);
  fs::current_path(before);
  TemporaryDirectory(own).remove();
  EXPECT_FALSE(fs::exists(own));
}

// The worker may put a link where a directory was.
TEST_F(Temporary, IsCountedAndRemovedWithoutFollowingLinks) {
  const fs::path target = root_->path() / "target", own = root_->path() / "links";
  fs::create_directories(target / "below");
  std::ofstream(target / "file") << "text";
  ::chmod(target.c_str(), 0500);
  fs::create_directory(own);
  fs::create_directory_symlink(target, own / "link");
  TemporaryDirectory directory(own);
  EXPECT_EQ(directory.use(100).files, 1U);
  directory.remove();
  EXPECT_FALSE(fs::exists(own));
  EXPECT_TRUE(fs::exists(target / "file"));
  EXPECT_EQ(fs::status(target).permissions(), fs::perms(0500));
  ::chmod(target.c_str(), 0700);
}

TEST_F(Temporary, OfAHostThatIsNoMoreIsRemovedByTheNext) {
  const fs::path tmp = root_->path() / "tmp";
  const std::string number = "gantry-worker-" + std::to_string(::getpid());
  const std::string own = number + '-' + std::to_string(started_at(::getpid())) + "-abcdef";
  const std::string gone = "gantry-worker-999999999-1-abcdef", earlier = number + "-1-abcdef";
  const std::string odd = "gantry-worker-x-1-abcdef", other = "other";
  for (const std::string& name : {gone, earlier, own, odd, other}) {
    fs::create_directories(tmp / name / "below");
    std::ofstream(tmp / name / "below" / "file") << "text";
  }
  keeper_.reset();
  ASSERT_TRUE(WorkerKeeper::create(tmp));
  EXPECT_FALSE(fs::exists(tmp / gone));
  EXPECT_FALSE(fs::exists(tmp / earlier)) << "of an earlier process with the same number";
  for (const std::string& name : {own, odd, other})
    EXPECT_TRUE(fs::exists(tmp / name / "below" / "file")) << name;
}

TEST_F(Temporary, ThatCannotBeMadeIsSaid) {
  fs::remove_all(root_->path() / "tmp");
  std::ofstream(root_->path() / "tmp") << "a file";
  const auto worker = keeper_->spawn(start_of("idle"));
  ASSERT_FALSE(worker);
  EXPECT_NE(worker.message().find("temporary directory cannot be made in " +
                                  (root_->path() / "tmp").string()),
            std::string::npos)
      << worker.message();
}

}  // namespace
}  // namespace gantry::host
