// Services of plugins that are replaced under plugins that need them.
#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

class LiveServices : public LiveTest {
 protected:
  LiveServices() {
    put("words_1", "words.so");
    put("speaker_1", "speaker.so");
  }
  std::uint64_t provider() {
    const SnapshotPtr snapshot = registry.current();
    Registry::release_cached();
    const auto found = snapshot->service_by_name.find("live.words/1");
    return found == snapshot->service_by_name.end() ? 0 : found->second->plugin->generation();
  }
};

TEST_F(LiveServices, AProviderIsReplacedUnderItsUser) {
  begin();
  const std::uint64_t before = provider(), user = state("speaker").generation;
  swap("words_2", "words.so");
  EXPECT_GT(provider(), before);
  EXPECT_EQ(state("speaker").generation, user);
  EXPECT_EQ(state("speaker").state, "serving");
  EXPECT_EQ(call("speak"), 121);
}

TEST_F(LiveServices, ANewcomerThatDropsANeededServiceIsRefused) {
  begin();
  const std::uint64_t before = provider();
  swap("words_dropped", "words.so");
  EXPECT_EQ(provider(), before);
  EXPECT_EQ(state("words").last_failure,
            "it no longer offers live.words/1, which the plugin \"speaker\" needs; replace both at "
            "once, or keep offering it");
  EXPECT_EQ(call("speak"), 121);
}

TEST_F(LiveServices, BothMayChangeInOneSet) {
  begin();
  put("words_dropped", "words.so");
  put("speaker_2", "speaker.so");
  follow();
  EXPECT_EQ(call("words_left"), 113);
  EXPECT_EQ(call("speak"), 122);
  EXPECT_EQ(provider(), 0u);
}

TEST_F(LiveServices, OneThatDropsAServiceComesDownWhenTheUsersNewcomerFails) {
  options.self_check = {};
  options.probe = [](const Origin& origin, const SealedFilePtr&) {
    const bool second = origin.manifest.name == "speaker" && origin.manifest.needs.empty();
    return second ? Status::failed("not this one") : Status::ok();
  };
  begin();
  const std::uint64_t before = provider();
  put("words_dropped", "words.so");
  put("speaker_2", "speaker.so");
  follow();
  EXPECT_EQ(provider(), before);
  EXPECT_EQ(call("speak"), 121);
  EXPECT_EQ(state("speaker").last_failure, "not this one");
  EXPECT_NE(state("words").last_failure, "");
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(mapped(), 2u);
}

TEST_F(LiveServices, UsersLeaveTheListsWithTheirProviderAndComeBackWithIt) {
  begin();
  const std::uint64_t user = state("speaker").generation;
  fs::remove(folder / "words.so");
  follow();
  EXPECT_EQ(call("speak"), 0);
  EXPECT_EQ(state("speaker").state, "waiting");
  put("words_2", "words.so");
  follow();
  EXPECT_EQ(call("speak"), 121);
  EXPECT_EQ(state("speaker").generation, user);
}

TEST_F(LiveServices, AUserThatCameFirstIsLoadedWhenItsProviderComes) {
  fs::remove(folder / "words.so");
  begin();
  EXPECT_EQ(state("speaker").state, "refused");
  put("words_1", "words.so");
  follow();
  EXPECT_EQ(call("speak"), 121);
}

}  // namespace
}  // namespace gantry::host::testing
