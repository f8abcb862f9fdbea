#include "host/worker/probe.hpp"

#include "host/base/sha256.hpp"
#include "host/plugin/elf_inspection.hpp"
#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {
namespace {

using namespace std::chrono_literals;

class Probe : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = WorkerKeeper::create();
    ASSERT_TRUE(made) << made.message();
    keeper_ = std::move(made).value();
  }

  Prober prober() {
    const LogSink log = [this](std::string_view, int level, std::string_view text) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(std::to_string(level) + " " + std::string(text));
    };
    return {{.keeper = *keeper_,
             .clock = clock_,
             .program = GANTRY_BINARY_DIR "/bin/gantry-worker",
             .changed = {},
             .step_time = step_time_},
            services_,
            log,
            directory_.path() / "probes"};
  }

  Origin origin(const std::string& name) {
    Origin out;
    out.file = fixture(name);
    const std::string bytes = read_all(out.file);
    out.sha256 = sha256_hex(bytes);
    const auto seen = inspect_elf(bytes);
    EXPECT_TRUE(seen) << name << seen.message();
    out.manifest = parse_manifest(seen->manifest).value();
    library_ = sealed(out.file);
    return out;
  }

  // What a new prober says about a fixture.
  std::string verdict(const std::string& name) {
    const Origin of = origin(name);
    const Status status = prober().probe(of, library_);
    return status ? "passed" : status.message();
  }

  TemporaryDirectory directory_;
  FakeServices services_;
  SystemClock clock_;
  std::chrono::milliseconds step_time_{10'000};
  std::unique_ptr<WorkerKeeper> keeper_;
  SealedFilePtr library_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

TEST_F(Probe, PassesAPluginThatDoesNothingWrong) {
  for (const char* name : {"good/echo", "good/keeps", "good/probe"})
    EXPECT_EQ(verdict(name), "passed") << name;
}

TEST_F(Probe, NamesWhereAndHowThePluginDied) {
  const std::string tried = "it was tried in a process of its own, and during ";
  for (const auto& [name, how] : std::vector<std::pair<const char*, const char*>>{
           {"deadly/constructor_crashes",
            "its constructors that process was killed by signal 4 (SIGILL)"},
           {"deadly/constructor_exits", "its constructors that process called exit(3)"},
           {"deadly/create_crashes", "create() that process was killed by signal 11 (SIGSEGV)"},
           {"deadly/start_exits", "start() that process called exit(7)"},
           {"deadly/stop_crashes", "stop() that process was killed by signal 11 (SIGSEGV)"},
           {"deadly/destroy_crashes", "destroy() that process was killed by signal 11 (SIGSEGV)"},
           {"deadly/destructor_crashes",
            "its unloading that process was killed by signal 11 (SIGSEGV)"},
           {"deadly/exclusive_destructor_crashes",
            "its unloading that process was killed by signal 11 (SIGSEGV)"}}) {
    EXPECT_EQ(verdict(name), tried + how);
  }
}

TEST_F(Probe, EndsAPluginThatHangs) {
  step_time_ = 500ms;
  EXPECT_EQ(verdict("deadly/constructor_hangs"),
            "it was tried in a process of its own, and during its constructors that process hung: "
            "create() did not finish in time");
}

TEST_F(Probe, LetsAPluginThatSaysNoSaySoOutside) {
  EXPECT_EQ(verdict("broken/create_fails"), "passed");
  Origin of = origin("broken/create_fails");
  EXPECT_FALSE(prober().probe(of, *SealedFile::of("no library"))) << "nothing was learned";
}

TEST_F(Probe, PassesOnWhyALibraryCannotBeMapped) {
  EXPECT_NE(verdict("broken/undefined_symbol").find("undefined symbol"), std::string::npos);
}

TEST_F(Probe, OnlyMapsAnExclusivePlugin) {
  EXPECT_EQ(verdict("deadly/exclusive_crashes"), "passed");
}

TEST_F(Probe, IsNotRepeatedForTheSameBytesAndSettings) {
  Origin of = origin("good/echo");
  ASSERT_TRUE(prober().probe(of, library_));
  const SealedFilePtr nowhere = *SealedFile::of("no library");
  EXPECT_TRUE(prober().probe(of, nowhere)) << "it would fail, were it tried";
  of.settings.secrets["token"] = {"TOKEN", {}};
  EXPECT_FALSE(prober().probe(of, nowhere)) << "other settings";
}

TEST_F(Probe, IsRepeatedForAPluginThatFailed) {
  Origin of = origin("good/echo");
  EXPECT_FALSE(prober().probe(of, *SealedFile::of("no library")));
  EXPECT_TRUE(prober().probe(of, library_));
}

TEST_F(Probe, LogsNothingAboveDebug) {
  verdict("broken/create_fails");
  const std::lock_guard lock(mutex_);
  ASSERT_FALSE(lines_.empty());
  for (const std::string& line : lines_) EXPECT_TRUE(line.starts_with("7 on trial: ")) << line;
}

TEST(TrialKey, IsAnotherForOtherBytesConfigurationAndSecrets) {
  Origin origin;
  origin.sha256 = "a";
  std::vector<std::string> keys{trial_key_of(origin)};
  origin.sha256 = "b";
  keys.push_back(trial_key_of(origin));
  origin.settings.config = R"({"x":1})";
  keys.push_back(trial_key_of(origin));
  origin.settings.secrets["s"] = {"E", {}};
  keys.push_back(trial_key_of(origin));
  origin.settings.secrets["s"] = {{}, "E"};
  keys.push_back(trial_key_of(origin));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

}  // namespace
}  // namespace gantry::host::testing
