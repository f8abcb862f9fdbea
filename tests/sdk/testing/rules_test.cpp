// Each rule of the contract, broken once: the fake host must report it in words.
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include <gtest/gtest-spi.h>

#include <gantry/testing/matchers.hpp>

#include "../../fixtures/offers/offers.hpp"
#include "scripted.hpp"

using namespace gantry::testing;
using namespace scripted;
using gantry::fixtures::Judged;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

class Rules : public Scripted {};

TEST_F(Rules, AcceptsAPluginThatKeepsThem) {
  const Reply reply = run([](gantry_call* call) {
    given.calls->write(call, bytes("text"), bytes("hi"));
    given.calls->json_begin(call);
    given.calls->json_raw(call, bytes("{\"a\":"));
    given.calls->json_raw(call, bytes("1}"));
    return given.calls->json_end(call);
  });
  EXPECT_THAT(reply, HasText("hi"));
  EXPECT_THAT(reply, HasStructured(R"({"a":1})"));
  EXPECT_TRUE(host_->stop().is_ok());
  EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(Rules, NoticesAWriteAfterTheCallEnded) {
  gantry_call* kept = nullptr;
  run([&](gantry_call* call) { return kept = call, GANTRY_OK; });
  EXPECT_EQ(given.calls->write(kept, bytes("text"), bytes("late")), GANTRY_MISUSE);
  EXPECT_THAT(violations(), HasSubstr("write() of tool 't' after the call ended"));
}

TEST_F(Rules, NoticesASecondFinish) {
  gantry_call* kept = nullptr;
  run([&](gantry_call* call) {
    kept = call;
    given.calls->finish(call, GANTRY_OK);
    return GANTRY_PENDING;
  });
  EXPECT_EQ(given.calls->finish(kept, GANTRY_OK), GANTRY_MISUSE);
  EXPECT_THAT(violations(), HasSubstr("finish() twice"));
}

TEST_F(Rules, NoticesAFinishWithoutPending) {
  run([](gantry_call* call) {
    given.calls->finish(call, GANTRY_OK);
    return GANTRY_OK;
  });
  EXPECT_THAT(violations(), HasSubstr("did not return GANTRY_PENDING"));
}

TEST_F(Rules, NoticesAPendingCallLeftAtStop) {
  script.invoke = [](gantry_call*) { return GANTRY_PENDING; };
  RunningCall running = host_->begin("t");
  EXPECT_TRUE(host_->stop().is_ok());
  EXPECT_THAT(violations(), HasSubstr("was not finished when stop() returned"));
}

TEST_F(Rules, NoticesJsonInTheWrongOrder) {
  run([](gantry_call* call) { return given.calls->json_raw(call, bytes("1")), GANTRY_OK; });
  EXPECT_THAT(violations(), HasSubstr("json_raw() without json_begin()"));
  run([](gantry_call* call) { return given.calls->json_end(call), GANTRY_OK; });
  EXPECT_THAT(violations(), HasSubstr("json_end() without json_begin()"));
  run([](gantry_call* call) {
    given.calls->json_begin(call);
    return given.calls->json_begin(call), GANTRY_OK;
  });
  EXPECT_THAT(violations(), HasSubstr("json_begin() twice"));
  EXPECT_THAT(violations(), HasSubstr("json_begin() without json_end()"));
}

gantry_status structured(gantry_call* call, std::string_view json) {
  given.calls->json_begin(call);
  given.calls->json_raw(call, bytes(json));
  return given.calls->json_end(call);
}

TEST_F(Rules, NoticesAStructuredResultThatIsNotAJsonObject) {
  EXPECT_THAT(run([](gantry_call* call) { return structured(call, "{\"a\":1"); }),
              FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("the structured result is not JSON"));
  run([](gantry_call* call) { return structured(call, "[1]"); });
  EXPECT_THAT(violations(), HasSubstr("no JSON object"));
}

TEST_F(Rules, NoticesAResultThatDoesNotFitTheOutputSchema) {
  run([](gantry_call* call) { return structured(call, R"({"a":"x"})"); });
  EXPECT_THAT(violations(), HasSubstr("does not fit the output schema"));
}

TEST_F(Rules, NoticesAnUnknownTypeOfContent) {
  run([](gantry_call* call) {
    EXPECT_EQ(given.calls->write(call, bytes("html"), bytes("x")), GANTRY_UNSUPPORTED);
    return GANTRY_OK;
  });
  EXPECT_THAT(violations(), HasSubstr("unknown type 'html'"));
}

TEST_F(Rules, NoticesABrokenBlockAndBrokenText) {
  run([](gantry_call* call) {
    EXPECT_EQ(given.calls->write(call, bytes("block"), bytes("{}")), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(given.calls->write(call, bytes("block"), bytes(R"({"type":"image","data":""})")),
              GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(given.calls->write(call, bytes("text"), bytes("\xff")), GANTRY_INVALID_ARGUMENT);
    return GANTRY_OK;
  });
  EXPECT_THAT(violations(), HasSubstr("no JSON object with a \"type\""));
  EXPECT_THAT(violations(), HasSubstr("a block that has no \"data\" or no \"mimeType\""));
  EXPECT_THAT(violations(), HasSubstr("not UTF-8"));
}

TEST_F(Rules, NoticesAnUnknownErrorCode) {
  run([](gantry_call* call) {
    return given.calls->fail(call, bytes("oops"), bytes("x"), {}), GANTRY_FAILED;
  });
  EXPECT_THAT(violations(), HasSubstr("unknown error code 'oops'"));
}

TEST_F(Rules, NoticesErrorDetailsThatAreNotAnObject) {
  run([](gantry_call* call) {
    return given.calls->fail(call, bytes("not_found"), bytes("x"), bytes("[]")), GANTRY_FAILED;
  });
  EXPECT_THAT(violations(), HasSubstr("details that are no JSON object"));
}

TEST_F(Rules, NoticesAnOfferBeforeStart) {
  script.create = [] { return given.api->offer(given.host, bytes("[]")), GANTRY_OK; };
  EXPECT_TRUE(host_->start().is_ok());
  EXPECT_THAT(violations(), HasSubstr("offer() outside start() to stop()"));
}

TEST_F(Rules, NoticesAnOfferDuringStop) {
  script.stop = [] { return given.api->offer(given.host, bytes("[]")), GANTRY_OK; };
  EXPECT_TRUE(host_->start().is_ok());
  EXPECT_TRUE(host_->stop().is_ok());
  EXPECT_THAT(violations(), HasSubstr("offer() outside start() to stop()"));
}

TEST_F(Rules, NoticesAnAnswerToAnUnknownKind) {
  script.invoke = [](gantry_call*) { return GANTRY_OK; };
  EXPECT_TRUE(host_->start().is_ok());
  EXPECT_FALSE(host_->enter("kind-of-the-future", "x", "{}").ok());
  EXPECT_THAT(violations(), HasSubstr("a call of the unknown kind 'kind-of-the-future'"));
}

TEST_F(Rules, JudgeOffersAsTheHostDoes) {
  FakeHost host(Linked{table, gantry::fixtures::kOfferer}, options_);
  script.start = [&] {
    for (const Judged& offer : gantry::fixtures::kOffers) {
      const std::size_t before = host.violations().size();
      const gantry_status status = given.api->offer(given.host, bytes(offer.json));
      EXPECT_EQ(status, offer.refusal ? GANTRY_INVALID_ARGUMENT : GANTRY_OK) << offer.what;
      const std::vector<std::string> seen = host.violations();
      EXPECT_EQ(seen.size() - before, offer.refusal ? 1U : 0U) << offer.what;
      EXPECT_THAT(offer.refusal ? seen.back() : "", HasSubstr(offer.refusal ? offer.refusal : ""))
          << offer.what;
    }
    return GANTRY_OK;
  };
  EXPECT_TRUE(host.start().is_ok());
}

TEST_F(Rules, JudgeManifestsAsTheHostDoes) {
  for (const Judged& tried : gantry::fixtures::kManifests) {
    FakeHost host(Linked{table, tried.json}, options_);
    const char* const refusal = tried.refusal;
    const gantry::Status status = host.start();
    EXPECT_EQ(status.is_ok(), refusal == nullptr) << tried.what << status.message();
    EXPECT_THAT(status.message(), HasSubstr(refusal ? refusal : "")) << tried.what;
  }
}

TEST_F(Rules, NoticesAnExceptionThatLeavesInvoke) {
  EXPECT_FALSE(run([](gantry_call*) -> gantry_status { throw std::runtime_error("x"); }).ok());
  EXPECT_THAT(violations(), HasSubstr("an exception left invoke()"));
}

TEST_F(Rules, NoticesAStatusThatDoesNotExist) {
  run([](gantry_call*) { return -77; });
  EXPECT_THAT(violations(), HasSubstr("returned -77"));
}

TEST_F(Rules, NoticesWritesThatOverlap) {
  options_.write_delay = std::chrono::milliseconds(50);
  make_host();
  run([](gantry_call* call) {
    std::thread other([call] { given.calls->write(call, bytes("text"), bytes("a")); });
    given.calls->write(call, bytes("text"), bytes("b"));
    other.join();
    return GANTRY_OK;
  });
  EXPECT_THAT(violations(), HasSubstr("overlaps another write"));
}

TEST_F(Rules, NoticesAThreadLeftBehind) {
  std::atomic<bool> go{false};
  std::thread left;
  script.start = [&] {
    left = std::thread([&] {
      while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    return GANTRY_OK;
  };
  EXPECT_TRUE(host_->start().is_ok());
  EXPECT_TRUE(host_->stop().is_ok());
  EXPECT_THAT(violations(), HasSubstr("threads are still running after stop()"));
  go = true;
  left.join();
}

TEST_F(Rules, NoticesAChangedWorkingDirectory) {
  const std::filesystem::path before = std::filesystem::current_path();
  script.start = [] { return chdir("/") == 0 ? GANTRY_OK : GANTRY_FAILED; };
  EXPECT_TRUE(host_->start().is_ok());
  EXPECT_TRUE(host_->stop().is_ok());
  std::filesystem::current_path(before);
  EXPECT_THAT(violations(), HasSubstr("working directory"));
}

TEST_F(Rules, NoticesANestedCallOfAnEndedParent) {
  gantry_call* kept = nullptr;
  run([&](gantry_call* call) { return kept = call, GANTRY_OK; });
  const auto* invoke = given.service<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
  const gantry_invocation what = {sizeof what, bytes("tool"), bytes("t"), {}, {}};
  EXPECT_EQ(invoke->call(given.host, kept, &what, {}), GANTRY_MISUSE);
  EXPECT_THAT(violations(), HasSubstr("parent call that has ended"));
}

TEST_F(Rules, NoticesAForwardWithoutAnOpenResult) {
  host_->provide("tool", "other", [](auto, auto) { return Answer{}; });
  run([](gantry_call* call) {
    const auto* invoke = given.service<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
    const gantry_invocation what = {sizeof what, bytes("tool"), bytes("other"), {}, {}};
    EXPECT_EQ(invoke->forward(given.host, call, &what, bytes("json"), {}), GANTRY_MISUSE);
    return GANTRY_OK;
  });
  EXPECT_THAT(violations(), HasSubstr("json_begin() comes first"));
}

TEST_F(Rules, NoticesACallStuckBehindItsDeadline) {
  options_.patience = std::chrono::milliseconds(50);
  make_host();
  std::atomic<bool> go{false};
  script.invoke = [&](gantry_call*) {
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return GANTRY_OK;
  };
  CallOptions options;
  options.timeout = std::chrono::milliseconds(20);
  RunningCall running = host_->begin("t", "{}", options);
  EXPECT_THAT(running.wait(), FailsWith("timeout"));
  go = true;
  EXPECT_THAT(violations(), HasSubstr("still running long after its deadline"));
}

TEST_F(Rules, RefusesATableThatIsNotAPlugin) {
  gantry_plugin broken = table;
  broken.magic = 1;
  FakeHost host(Linked{broken, R"({"name":"x","version":"1","abi":1,"items":[]})"}, options_);
  EXPECT_THAT(host.start().message(), HasSubstr("magic"));
}

TEST_F(Rules, FailTheRunningTestUnlessAHandlerTakesThem) {
  options_.on_violation = nullptr;
  make_host();
  EXPECT_NONFATAL_FAILURE_ON_ALL_THREADS(
      {
        script.invoke = [](gantry_call*) { return -77; };
        host_->call("t");
      },
      "broke the contract");
}

}  // namespace
