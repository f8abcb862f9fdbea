// Files that come, change and go while the loader is there.
#include "host/base/sha256.hpp"
#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

using Live = LiveTest;

TEST_F(Live, ReplacesAPluginWhenAnotherFileIsRenamedOverIts) {
  put("live_1");
  begin();
  EXPECT_EQ(call("answer"), 101);
  const std::uint64_t before = state().generation;
  swap("live_2");
  EXPECT_EQ(call("answer"), 102);
  EXPECT_GT(state().generation, before);
  EXPECT_EQ(state().state, "serving");
  EXPECT_EQ(state().sha256, sha256_hex(read_all(folder / "live.so")));
}

TEST_F(Live, UnmapsTheOldGenerationOnceNoCallHoldsIt) {
  put("live_1");
  begin();
  swap("live_2");
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(loader().counts().unloaded, 1u);
  EXPECT_EQ(mapped(), 1u);
}

TEST_F(Live, FollowsAFileThatIsWrittenInPlace) {
  put("live_1");
  begin();
  write_all(folder / "live.so", read_all(fixture("good/live_2")));
  follow();
  EXPECT_EQ(call("answer"), 102);
}

TEST_F(Live, FollowsALinkThatIsTurned) {
  fs::create_symlink(fixture("good/live_1"), folder / "live.so");
  begin();
  fs::create_symlink(fixture("good/live_2"), folder / ".next");
  fs::rename(folder / ".next", folder / "live.so");
  follow();
  EXPECT_EQ(call("answer"), 102);
}

TEST_F(Live, LoadsAFileThatIsAdded) {
  put("live_1");
  begin();
  const std::uint64_t generation = state().generation;
  put("echo", "echo.so");
  follow();
  EXPECT_EQ(call("echo"), GANTRY_OK);
  EXPECT_EQ(state("echo").state, "serving");
  EXPECT_EQ(state().generation, generation);
}

TEST_F(Live, TakesAPluginAwayWhoseFileIsRemoved) {
  put("live_1");
  begin();
  fs::remove(folder / "live.so");
  follow();
  EXPECT_EQ(call("answer"), 0);
  EXPECT_TRUE(loader().list().empty() || state().state == "ending");
  EXPECT_TRUE(only_serving_left());
  EXPECT_TRUE(loader().list().empty());
}

TEST_F(Live, TakesAnotherPluginFromTheSameFile) {
  put("live_1");
  begin();
  swap("live_renamed");
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(call("renamed_answer"), 105);
}

TEST_F(Live, DoesNothingWhenTheFileIsTouchedOrMoved) {
  put("live_1");
  begin();
  const std::uint64_t before = state().generation;
  fs::last_write_time(folder / "live.so", fs::file_time_type::clock::now());
  follow();
  fs::rename(folder / "live.so", folder / "moved.so");
  follow();
  EXPECT_EQ(state().generation, before);
  EXPECT_EQ(state().file, folder / "moved.so");
  put("live_1", "moved.so");
  follow();
  EXPECT_EQ(state().generation, before);
}

TEST_F(Live, PublishesOneSnapshotForAllThatChangesTogether) {
  put("live_1");
  put("words_1", "words.so");
  begin();
  const std::uint64_t before = registry.current()->version;
  put("live_2");
  put("speaker_1", "speaker.so");
  fs::remove(folder / "words.so");
  put("words_2", "other.so");
  follow();
  EXPECT_EQ(registry.current()->version, before + 1);
  Registry::release_cached();
  EXPECT_EQ(call("answer"), 102);
  EXPECT_EQ(call("speak"), 121);
  EXPECT_EQ(state("words").file, folder / "other.so");
}

TEST_F(Live, PublishesNothingWhenNothingChanged) {
  put("live_1");
  begin();
  const std::uint64_t before = registry.current()->version;
  follow();
  fs::last_write_time(folder / "live.so", fs::file_time_type::clock::now());
  follow();
  EXPECT_EQ(registry.current()->version, before);
}

TEST_F(Live, RefusesASecondFileOfALoadedPluginUntilTheFirstGoes) {
  put("live_1", "m.so");
  begin();
  put("live_2", "a.so");
  follow();
  EXPECT_EQ(call("answer"), 101);
  const auto states = loader().list();
  ASSERT_EQ(states.size(), 2u);
  const PluginState& second = states[0].generation == 0 ? states[0] : states[1];
  EXPECT_EQ(second.reason, "the plugin \"live\" is loaded from " + (folder / "m.so").string() +
                               " already; remove one of the two files");
  fs::remove(folder / "m.so");
  follow();
  EXPECT_EQ(call("answer"), 102);
  EXPECT_EQ(loader().list().size(), 1u);
}

TEST_F(Live, GivesAPluginANewGenerationWhenItsSettingsChange) {
  put("live_1");
  begin();
  const std::uint64_t before = state().generation;
  SettingsByName settings;
  loader().set_settings(settings, {}, {{folder, false}}, nullptr);
  EXPECT_EQ(state().generation, before);
  settings["live"].secrets["key"].environment = "HOME";
  loader().set_settings(settings, {}, {{folder, false}}, nullptr);
  EXPECT_GT(state().generation, before);
  EXPECT_EQ(state().last_failure, "");
  EXPECT_EQ(owner("answer")->settings().secrets.size(), 1u);
}

TEST_F(Live, FollowsSourcesThatChangeWithTheConfiguration) {
  put("live_1");
  begin();
  loader().set_settings({}, {}, {{fixture("good/echo"), false}}, nullptr);
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(call("echo"), GANTRY_OK);
  EXPECT_EQ(loader().sources().size(), 1u);
}

TEST_F(Live, ReportsTheStatesOfAPlugin) {
  std::vector<std::string> reports;
  options.report = [&](const PluginState& now) {
    reports.push_back(now.name + " " + now.state + " " + now.last_failure);
  };
  put("live_1");
  begin();
  swap("live_start_fails");
  fs::remove(folder / "live.so");
  follow();
  EXPECT_TRUE(only_serving_left());
  follow();
  ASSERT_GE(reports.size(), 3u);
  EXPECT_EQ(reports[0], "live serving ");
  EXPECT_EQ(reports[1], "live serving start() failed: no port");
  EXPECT_EQ(reports.back(), "live removed ");
}

}  // namespace
}  // namespace gantry::host::testing
