// Newcomers that fail, at each step: the plugin goes on as it was.
#include <ostream>

#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

struct Failure {
  const char* build;
  const char* reason;
};

void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.build; }

class FailingNewcomer : public LiveTest, public ::testing::WithParamInterface<Failure> {};

TEST_P(FailingNewcomer, LeavesTheOldOneServing) {
  put("live_1");
  put("echo", "echo.so");
  begin();
  const std::uint64_t before = state().generation;
  swap(GetParam().build);
  EXPECT_EQ(call("answer"), 101);
  EXPECT_EQ(state().generation, before);
  EXPECT_EQ(state().state, "serving");
  EXPECT_EQ(state().last_failure, GetParam().reason);
  EXPECT_EQ(call("echo"), GANTRY_OK);
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(mapped(), 2u);
  swap("live_2");
  EXPECT_EQ(call("answer"), 102);
  EXPECT_EQ(state().last_failure, "");
}

const Failure kFailures[] = {
    {"live_taken",
     "it offers the tool \"echo\", which the plugin \"echo\" already offers; rename it or remove "
     "one of the two plugins"},
    {"live_create_fails", "create() failed: no room"},
    {"live_start_fails", "start() failed: no port"},
    {"live_check_fails",
     "its self-check failed with status -1 and gave no reason; a plugin says why with fail(), or "
     "with log() at error level"},
};
INSTANTIATE_TEST_SUITE_P(AtEachStep, FailingNewcomer, ::testing::ValuesIn(kFailures),
                         [](const auto& test) { return std::string(test.param.build); });

using Failing = LiveTest;

// Finds fault with a plugin only when it is published: another one was quicker with its offer.
class LateOutlet final : public PluginPublisher {
 public:
  explicit LateOutlet(Registry& registry) : registry_(registry) {}
  std::vector<OfferRefusal> check(const std::vector<InstancePtr>&) override { return {}; }
  std::vector<OfferRefusal> publish(std::vector<InstancePtr> instances,
                                    std::vector<PluginState> states) override {
    std::vector<OfferRefusal> refusals;
    std::vector<InstancePtr> good;
    for (InstancePtr& instance : instances) {
      if (instance->manifest().name == "live") {
        refusals.push_back({instance->generation(), "too late"});
      } else {
        good.push_back(std::move(instance));
      }
    }
    registry_.publish(std::move(good), std::move(states));
    return refusals;
  }
  void forget(const Instance& instance) override { registry_.forget(instance); }
  void let_go() override { registry_.let_go(); }
  std::vector<PluginState> states() const override { return registry_.states(); }
  std::vector<ItemSpec> offer_of(std::uint64_t generation) const override {
    return registry_.offer_of(generation);
  }

 private:
  Registry& registry_;
};

TEST_F(Failing, OneThatIsNotPublishedDoesNotRunUnseen) {
  LateOutlet late(registry);
  options.publisher = &late;
  put("live_1");
  put("echo", "echo.so");
  begin();
  EXPECT_EQ(state().state, "refused");
  EXPECT_EQ(state().reason, "too late");
  EXPECT_EQ(call("echo"), GANTRY_OK);
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(mapped(), 1u);
  EXPECT_EQ(loader().counts().unloaded, 1u);
  close_loader();
}

TEST_F(Failing, AFileThatIsNoPluginLeavesTheOldOneServing) {
  put("live_1");
  begin();
  for (const std::size_t size : {0U, 10U, 4000U}) {
    write_all(folder / "live.so", read_all(fixture("good/live_2")).substr(0, size));
    follow();
    EXPECT_EQ(call("answer"), 101);
    EXPECT_NE(state().last_failure, "") << size;
    EXPECT_EQ(loader().list().size(), 1u);
  }
  swap("live_2");
  EXPECT_EQ(call("answer"), 102);
}

TEST_F(Failing, ALibraryThatCannotBeLoadedLeavesTheOldOneServing) {
  put("live_1");
  begin();
  std::string bytes = read_all(fixture("broken/undefined_symbol"));
  const std::string name = "undefined-symbol";
  for (std::size_t at = bytes.find("\"name\":\"" + name); at != std::string::npos;
       at = bytes.find("\"name\":\"" + name)) {
    bytes.replace(at, 9 + name.size(), "\"name\":\"live\"            ");
  }
  write_all(folder / "live.so", bytes);
  follow();
  EXPECT_EQ(call("answer"), 101);
  EXPECT_NE(state().last_failure.find("undefined symbol: fixture_nowhere"), std::string::npos)
      << state().last_failure;
}

TEST_F(Failing, AnOfferThatOthersOwnIsTurnedDownBeforeItIsPublished) {
  put("live_1");
  put("words_1", "words.so");
  begin();
  const std::uint64_t before = state("words").generation;
  put("live_offers_more");
  put("words_rival", "words.so");
  follow();
  EXPECT_EQ(call("answer"), 110);
  EXPECT_EQ(call("rival"), 110);
  EXPECT_EQ(state("words").generation, before);
  EXPECT_EQ(state("words").state, "serving");
  EXPECT_EQ(state("words").last_failure,
            "it offers the tool \"rival\", which the plugin \"live\" already offers; rename it or "
            "remove one of the two plugins");
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(mapped(), 2u);
}

TEST_F(Failing, ABlockedOfferIsTriedAgainWhenTheRivalPluginIsGone) {
  put("live_rival", "a-rival.so");
  put("live_1");
  begin();
  swap("live_offers_more");
  EXPECT_EQ(call("answer"), 101);
  fs::remove(folder / "a-rival.so");
  follow();
  follow();
  EXPECT_EQ(call("rival"), 110);
}

TEST_F(Failing, AnUnchangedFileIsNotTriedAgain) {
  int probed = 0;
  options.probe = [&](const Origin&, const SealedFilePtr&) {
    ++probed;
    return Status::ok();
  };
  put("live_1");
  begin();
  swap("live_start_fails");
  EXPECT_EQ(probed, 2);
  follow();
  follow();
  EXPECT_EQ(probed, 2);
  EXPECT_EQ(loader().counts().failed, 1u);
  EXPECT_FALSE(loader().reload("live"));
  EXPECT_EQ(probed, 3);
}

TEST_F(Failing, TheProbesVerdictComesBeforeAnythingIsMapped) {
  options.probe = [](const Origin& origin, const SealedFilePtr& file) {
    EXPECT_FALSE(file->is_loaded());
    return origin.manifest.name == "live" ? Status::failed("it crashed on trial") : Status::ok();
  };
  put("live_1");
  put("echo", "echo.so");
  begin();
  EXPECT_EQ(state().reason, "it crashed on trial");
  EXPECT_EQ(call("echo"), GANTRY_OK);
  EXPECT_EQ(mapped(), 1u);
}

TEST_F(Failing, BuiltInFilesAreNotProbedAtTheFirstLoad) {
  int probed = 0;
  options.probe = [&](const Origin&, const SealedFilePtr&) {
    ++probed;
    return Status::ok();
  };
  put("live_1");
  loader().load_all({{folder, true}});
  EXPECT_EQ(probed, 0);
  swap("live_2");
  EXPECT_EQ(probed, 1);
}

}  // namespace
}  // namespace gantry::host::testing
