// What an operator does with plugins while they serve.
#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

using Operator = LiveTest;

TEST_F(Operator, UnloadsAPluginUntilItsFileChanges) {
  put("live_1");
  begin();
  EXPECT_TRUE(loader().unload("live"));
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(state().state, "disabled");
  EXPECT_EQ(state().reason, "unloaded by command until its file changes");
  follow();
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(loader().unload("live").message(), "\"live\" is not loaded");
  EXPECT_EQ(loader().quarantine("live", true).message(), "\"live\" is not loaded");
  swap("live_2");
  EXPECT_EQ(call("answer"), 102);
}

TEST_F(Operator, UnloadsAPluginWhoseNewestFileDidNotComeUp) {
  put("live_1");
  begin();
  swap("live_start_fails");
  EXPECT_TRUE(loader().unload("live"));
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(state().state, "disabled");
  swap("live_2");
  write_all(folder / "live.so", "no plugin");
  follow();
  EXPECT_EQ(call("answer"), 102);
  EXPECT_TRUE(loader().unload("live"));
  EXPECT_EQ(call("answer"), 0);
  follow();
  EXPECT_EQ(call("answer"), 0);
  swap("live_2");
  EXPECT_EQ(call("answer"), 102);
}

TEST_F(Operator, DisablesAPluginWhoseNewestFileIsNoPlugin) {
  put("live_1");
  begin();
  write_all(folder / "live.so", "no plugin");
  follow();
  EXPECT_TRUE(loader().disable("live"));
  EXPECT_EQ(call("answer"), 0);
}

TEST_F(Operator, HearsThatAStateChanged) {
  put("live_1");
  begin();
  std::atomic<int> changes{0};
  loader().changed().connect(&changes, [&] { ++changes; });
  ASSERT_TRUE(loader().disable("live"));
  EXPECT_GT(changes, 0);
  loader().changed().disconnect(&changes);
}

TEST_F(Operator, ReloadsAnUnloadedPlugin) {
  put("live_1");
  begin();
  ASSERT_TRUE(loader().unload("live"));
  EXPECT_TRUE(loader().reload("live"));
  EXPECT_EQ(call("answer"), 101);
}

TEST_F(Operator, ReloadsAPluginThatHasNotChanged) {
  put("live_1");
  put("echo", "echo.so");
  begin();
  const std::uint64_t before = state().generation, other = state("echo").generation;
  EXPECT_TRUE(loader().reload("live"));
  EXPECT_GT(state().generation, before);
  EXPECT_EQ(state("echo").generation, other);
  EXPECT_TRUE(loader().reload(""));
  EXPECT_GT(state("echo").generation, other);
}

TEST_F(Operator, HearsWhyAReloadDidNotHelp) {
  put("live_1");
  begin();
  put("live_start_fails");
  EXPECT_EQ(loader().reload("live").message(), "start() failed: no port (the old one serves on)");
  EXPECT_EQ(loader().reload("nobody").code(), GANTRY_NOT_FOUND);
}

TEST_F(Operator, LoadsOneMoreFileThatIsFollowedFromNowOn) {
  begin();
  const fs::path file = directory.path() / "one.so";
  fs::copy_file(fixture("good/live_1"), file);
  EXPECT_TRUE(loader().load(file));
  EXPECT_EQ(call("answer"), 101);
  ASSERT_EQ(loader().sources().size(), 2u);
  EXPECT_EQ(loader().sources()[1].path, file);
  fs::copy_file(fixture("good/live_2"), file, fs::copy_options::overwrite_existing);
  follow();
  EXPECT_EQ(call("answer"), 102);
}

TEST_F(Operator, HearsWhyAFileIsNotLoaded) {
  put("live_1");
  begin();
  EXPECT_EQ(loader().load("live.so").message(), "live.so is no absolute path; give the whole path");
  EXPECT_EQ(loader().load(directory.path() / "none.so").message(),
            "there is no such file or directory; correct the path");
  EXPECT_EQ(loader().load(fixture("good/live_2")).message(),
            "the plugin \"live\" is loaded from " + (folder / "live.so").string() +
                " already; remove one of the two files");
}

TEST_F(Operator, DisablesAPluginAlsoForTheNextHost) {
  options.remembered = directory.path() / "plugins.json";
  put("live_1");
  begin();
  EXPECT_TRUE(loader().disable("live"));
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(state().state, "disabled");
  swap("live_2");
  EXPECT_EQ(call("answer"), 0);
  close_loader();
  begin();
  EXPECT_EQ(state().state, "disabled");
  EXPECT_EQ(state().reason, "disabled by command");
  EXPECT_TRUE(loader().enable("live"));
  EXPECT_EQ(call("answer"), 102);
  close_loader();
  begin();
  EXPECT_EQ(call("answer"), 102);
}

TEST_F(Operator, IsToldWhenDisablingCannotBeRemembered) {
  options.remembered = directory.path() / "nowhere" / "plugins.json";
  put("live_1");
  begin();
  const Status status = loader().disable("live");
  EXPECT_NE(status.message().find("this holds until the host ends"), std::string::npos);
  EXPECT_EQ(call("answer"), 0);
}

TEST_F(Operator, IsToldOfARememberedFileThatIsDamaged) {
  options.remembered = directory.path() / "plugins.json";
  for (const char* text : {"", "[]", "{\"disabled\":7}", "{\"disabled\":[\"live\", 1]}", "{"}) {
    write_all(options.remembered, text);
    put("live_1");
    begin();
    EXPECT_EQ(call("answer"), 101) << text;
    close_loader();
  }
  EXPECT_TRUE(logged("gantry 3 " + options.remembered.string() +
                     " is unusable: it must be {\"disabled\": [names]}; no plugin is taken for "
                     "disabled until it is corrected or removed"));
}

TEST_F(Operator, CannotEnableAPluginThatTheConfigurationDisables) {
  options.settings["live"].enabled = false;
  put("live_1");
  begin();
  EXPECT_EQ(state().state, "disabled");
  EXPECT_EQ(loader().enable("live").message(), "disabled by configuration");
}

TEST_F(Operator, QuarantinesAPluginUntilItIsLiftedOrItsFileChanges) {
  put("live_1");
  begin();
  const std::uint64_t before = state().generation;
  EXPECT_TRUE(loader().quarantine("live", true));
  EXPECT_EQ(call("answer"), 0);
  EXPECT_EQ(state().state, "quarantined");
  EXPECT_EQ(state().reason, "quarantined by command");
  EXPECT_TRUE(loader().quarantine("live", false));
  EXPECT_EQ(call("answer"), 101);
  EXPECT_EQ(state().generation, before);
  EXPECT_TRUE(loader().quarantine("live", true));
  swap("live_2");
  EXPECT_EQ(call("answer"), 102);
  EXPECT_EQ(loader().quarantine("nobody", true).code(), GANTRY_NOT_FOUND);
}

TEST_F(Operator, SeesAPluginInDetailButNoValues) {
  options.settings["echo"].secrets["token"].environment = "SECRET_PLACE";
  put("echo", "echo.so");
  begin();
  const Result<PluginInfo> info = loader().info("echo");
  ASSERT_TRUE(info.is_ok());
  EXPECT_EQ(info->state.name, "echo");
  EXPECT_EQ(info->offer, R"({"tools":["echo"],"services":["fixture.words/1"]})");
  EXPECT_NE(info->manifest.find(R"("offers":["fixture.words/1"])"), std::string::npos);
  EXPECT_NE(info->settings.find(R"("secrets":["token"])"), std::string::npos);
  EXPECT_EQ(info->settings.find("SECRET_PLACE"), std::string::npos);
  EXPECT_EQ(loader().info("nobody").status().code(), GANTRY_NOT_FOUND);
}

}  // namespace
}  // namespace gantry::host::testing
