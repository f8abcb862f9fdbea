// Generations that run in a worker process: which plugins do, and how the loader reports their
// health.
#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

// What a test and the worker it made share.
struct Remote {
  std::mutex mutex;
  Health health;
  std::function<void()> changed;
  bool closed = false;

  void become(Health::Mode mode, const std::string& reason) {
    std::function<void()> tell;
    {
      std::lock_guard lock(mutex);
      health.mode = mode;
      health.reason = reason;
      ++health.restarts;
      tell = changed;
    }
    tell();
  }
};

class RemoteGeneration final : public Generation {
 public:
  RemoteGeneration(Origin origin, HostServices& services, LogSink log,
                   std::shared_ptr<Remote> remote)
      : Generation(std::move(origin), services, std::move(log)), remote_(std::move(remote)) {
    in_worker_ = true;
  }
  Status create() override { return Status::ok(); }
  Status start() override { return Status::ok(); }
  void stop(std::chrono::steady_clock::time_point) override {}
  void destroy() override {}
  void pin() override {}
  bool close() override { return remote_->closed = true; }
  Health health() const override {
    std::lock_guard lock(remote_->mutex);
    return remote_->health;
  }
  gantry_status invoke(std::string_view, std::string_view, gantry_call*) noexcept override {
    return 201;
  }

 private:
  std::shared_ptr<Remote> remote_;
};

class Workers : public LiveTest {
 protected:
  Workers() {
    options.landlock = 1;
    options.make_worker = [this](Origin origin, const SealedFilePtr& library, HostServices& host,
                                 LogSink log, std::function<void()> changed) {
      EXPECT_TRUE(library->read());
      auto remote = std::make_shared<Remote>();
      remote->changed = std::move(changed);
      remote->health.pid = 4711;
      remotes.push_back(remote);
      return Result<GenerationPtr>(
          std::make_shared<RemoteGeneration>(std::move(origin), host, std::move(log), remote));
    };
    put("live_1");
  }
  void TearDown() override {
    LiveTest::TearDown();
    for (const auto& remote : remotes) {
      EXPECT_TRUE(remote->closed);
      remote->changed();  // the loader is gone, which it must survive
    }
  }
  std::vector<std::shared_ptr<Remote>> remotes;
};

TEST_F(Workers, StrangersRunElsewhere) {
  begin();
  EXPECT_EQ(call("answer"), 201);
  EXPECT_TRUE(state().in_worker);
  EXPECT_EQ(state().pid, 4711);
  EXPECT_EQ(mapped(), 0u);
}

TEST_F(Workers, BuiltInFilesAndThoseTheOperatorTrustsRunInside) {
  loader().load_all({{folder, true}});
  EXPECT_EQ(call("answer"), 101);
  SettingsByName settings;
  settings["live"].isolate = Isolate::process;
  loader().set_settings(settings, {}, {{folder, true}}, nullptr);
  EXPECT_EQ(call("answer"), 201);
  settings["live"].isolate = Isolate::in_process;
  loader().set_settings(settings, {}, {{folder, false}}, nullptr);
  EXPECT_EQ(call("answer"), 101);
}

TEST_F(Workers, ItemsOfAQuarantinedWorkerLeaveTheListsAndReturnWithIt) {
  begin();
  const std::uint64_t generation = state().generation;
  remotes[0]->become(Health::Mode::quarantined, "it failed 5 times in 60 s");
  EXPECT_TRUE(eventually([&] { return call("answer") == 0; }));
  EXPECT_TRUE(eventually([&] { return state().state == "quarantined"; }));
  EXPECT_EQ(state().reason, "it failed 5 times in 60 s");
  EXPECT_EQ(state().restarts, 1u);
  remotes[0]->become(Health::Mode::serving, "");
  EXPECT_TRUE(eventually([&] { return call("answer") == 201; }));
  EXPECT_EQ(state().generation, generation);
}

TEST_F(Workers, LiftingAQuarantineOfFailuresMakesANewGeneration) {
  begin();
  const std::uint64_t generation = state().generation;
  remotes[0]->become(Health::Mode::quarantined, "it failed");
  ASSERT_TRUE(eventually([&] { return state().state == "quarantined"; }));
  EXPECT_TRUE(loader().quarantine("live", false));
  EXPECT_EQ(call("answer"), 201);
  EXPECT_GT(state().generation, generation);
}

TEST_F(Workers, ItemsOfOneThatRestartsStay) {
  begin();
  remotes[0]->become(Health::Mode::restarting, "was killed by signal 11 (SIGSEGV)");
  EXPECT_TRUE(eventually([&] { return state().state == "restarting"; }));
  EXPECT_EQ(call("answer"), 201);
}

TEST_F(Workers, StrangersAreRefusedWhereTheKernelHasNoWalls) {
  options.landlock = 0;
  begin();
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(state().state, "refused");
  EXPECT_EQ(state().reason,
            "it belongs into a worker process with walls, and this kernel has no Landlock: run "
            "Linux 5.13 or newer with landlock among the security modules (lsm=landlock,… on the "
            "kernel's command line); or, if you trust the plugin with every file of this server's "
            "user, set plugins.live.walls to \"none\"");
}

TEST_F(Workers, RunWithoutWallsWhereTheOperatorSaysSo) {
  options.landlock = 0;
  options.settings["live"].worker.walls = false;
  begin();
  EXPECT_EQ(call("answer"), 201);
  EXPECT_TRUE(
      logged("live 4 security: its worker process has no walls, since walls is \"none\"; "
             "it reaches every file that this server's user reaches"));
}

TEST_F(Workers, WithWallsAreNotSpokenOf) {
  begin();
  EXPECT_FALSE(
      logged("live 4 security: its worker process has no walls, since walls is \"none\"; "
             "it reaches every file that this server's user reaches"));
}

TEST_F(Workers, OfBuiltInFilesRunWithoutWallsWhereTheKernelHasNone) {
  options.landlock = 0;
  options.settings["live"].isolate = Isolate::process;
  loader().load_all({{folder, true}});
  EXPECT_EQ(call("answer"), 201);
  EXPECT_TRUE(
      logged("live 4 security: its worker process has no walls, since this kernel has no "
             "Landlock; it reaches every file that this server's user reaches"));
}

TEST_F(Workers, AreNotGrantedFoldersThatHoldTheState) {
  const std::string state_path = (directory.path() / "private").string();
  options.closed = {directory.path() / "private"};
  const std::string key = "plugins.live.allow.files.";
  const std::vector<std::pair<FileGrants, std::string>> cases = {
      {{{"relative"}, {}},
       key + "read names relative, which is no absolute path; write the whole path"},
      {{{}, {"/nowhere"}},
       key + "write names /nowhere, which cannot be used (No such file or directory); make it "
             "first, or leave it out"},
      {{{directory.path()}, {}},
       key + "read names " + directory.path().string() + ", which holds " + state_path +
           " of this server; grant only what the plugin needs"},
      {{{}, {"/"}},
       key + "write names /, which holds " + state_path +
           " of this server; grant only what the plugin needs"},
  };
  begin();
  for (const auto& [files, sentence] : cases) {
    SettingsByName settings;
    settings["live"].worker.files = files;
    loader().set_settings(settings, {}, {{folder, false}}, nullptr);
    EXPECT_EQ(state().last_failure, sentence);
    EXPECT_EQ(call("answer"), 201) << "the old one goes on";
  }
  SettingsByName settings;
  settings["live"].worker.files.read = {folder};
  loader().set_settings(settings, {}, {{folder, false}}, nullptr);
  EXPECT_EQ(state().last_failure, "");
}

TEST_F(Workers, AreShownWithTheirWalls) {
  options.landlock = 7;
  options.settings["live"].worker.files = {{folder}, {}};
  options.settings["live"].worker.threads = 33;
  begin();
  const auto info = loader().info("live");
  ASSERT_TRUE(info) << info.message();
  EXPECT_NE(info->settings.find("\"walls\":{\"raised\":true,\"landlock_version\":7,\"reads\":[\"" +
                                folder.string() +
                                "\"],\"writes\":[],\"network\":false,\"processes\":false}"),
            std::string::npos)
      << info->settings;
  for (const char* limit :
       {"\"threads\":33", "\"disk_bytes\":67108864", "\"log_bytes_per_second\":65536"})
    EXPECT_NE(info->settings.find(limit), std::string::npos) << limit;
}

TEST_F(Workers, AFileThatAsksForAWorkerGetsOneEvenIfItIsBuiltIn) {
  fs::remove(folder / "live.so");
  fs::copy_file(fixture("broken/wants_process"), folder / "wants.so");
  loader().load_all({{folder, true}});
  EXPECT_TRUE(state("wants-process").in_worker);
}

}  // namespace
}  // namespace gantry::host::testing
