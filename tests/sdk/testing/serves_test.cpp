// The fake host's services for a plugin that keeps the rules.
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gantry/testing/matchers.hpp>

#include "scripted.hpp"

using namespace gantry::testing;
using namespace scripted;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace serves_test {
namespace {

class Serves : public Scripted {
 protected:
  ~Serves() override { EXPECT_THAT(violations(), IsEmpty()); }
};

void collect(void* context, gantry_bytes part) {
  *static_cast<std::string*>(context) += gantry::to_view(part);
}

void collect_part(void* context, gantry_bytes type, gantry_bytes body) {
  auto& all = *static_cast<std::string*>(context);
  all += std::string(gantry::to_view(type)) + "=" + std::string(gantry::to_view(body)) + ";";
}

TEST_F(Serves, ArgumentsAndFactsOfTheCall) {
  const Reply reply = run(
      [](gantry_call* call) {
        given.calls->write(call, bytes("text"), given.calls->arguments(call));
        given.calls->write(call, bytes("text"), given.calls->property(call, bytes("protocol")));
        EXPECT_EQ(given.calls->property(call, bytes("nothing")).size, 0U);
        EXPECT_GT(given.calls->deadline(call), 0U);
        return GANTRY_OK;
      },
      R"({"n":1})");
  EXPECT_THAT(reply, HasText("{\"n\":1}\n2026-07-28"));
}

TEST_F(Serves, RefusesArgumentsThatDoNotFitTheSchema) {
  bool entered = false;
  const auto body = [&](gantry_call*) { return entered = true, GANTRY_OK; };
  EXPECT_THAT(run(body, R"({"n":"x"})"), FailsWith("invalid_argument", HasSubstr("n: expected")));
  EXPECT_FALSE(entered);
  CallOptions options;
  options.skip_validation = true;
  EXPECT_THAT(run(body, R"({"n":"x"})", options), Succeeds());
  EXPECT_TRUE(entered);
}

TEST_F(Serves, FailDropsWrittenOutputAndTheLastFailCounts) {
  const Reply reply = run([](gantry_call* call) {
    given.calls->write(call, bytes("text"), bytes("half"));
    given.calls->fail(call, bytes("not_found"), bytes("first"), {});
    return given.calls->fail(call, bytes("store_error"), bytes("second"), bytes(R"({"k":1})"));
  });
  EXPECT_THAT(reply, FailsWith("store_error", "second"));
  EXPECT_THAT(reply.content, IsEmpty());
  EXPECT_EQ(reply.details, R"({"k":1})");
}

TEST_F(Serves, AStatusWithoutFailStillHasACode) {
  EXPECT_THAT(run([](gantry_call*) { return GANTRY_NOT_FOUND; }), FailsWith("not_found"));
}

TEST_F(Serves, KeepsNothingBeyondTheCap) {
  options_.max_answer_bytes = 10;
  make_host();
  const Reply reply = run([](gantry_call* call) {
    EXPECT_EQ(given.calls->write(call, bytes("text"), bytes("12345678901")), GANTRY_TOO_BIG);
    return given.calls->write(call, bytes("text"), bytes("123"));
  });
  EXPECT_THAT(reply, HasText("123"));
}

TEST_F(Serves, DropsProgressThatDoesNotGrow) {
  const Reply reply = run([](gantry_call* call) {
    given.calls->progress(call, 1, 2, {});
    given.calls->progress(call, 1, 2, {});
    return given.calls->progress(call, 2, 2, bytes("done"));
  });
  ASSERT_EQ(reply.progress.size(), 2U);
  EXPECT_EQ(reply.progress[1].note, "done");
}

TEST_F(Serves, CancelFiresHooksOnceAndRefusesWrites) {
  std::atomic<int> fired{0};
  std::atomic<bool> entered{false};
  script.invoke = [&](gantry_call* call) -> gantry_status {
    given.calls->on_cancel(
        call, [](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &fired);
    entered = true;
    while (given.calls->cancelled(call) == 0) std::this_thread::yield();
    EXPECT_EQ(given.calls->write(call, bytes("text"), bytes("x")), GANTRY_CANCELLED);
    given.calls->on_cancel(
        call, [](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &fired);
    return GANTRY_CANCELLED;
  };
  RunningCall running = host_->begin("t");
  while (!entered) std::this_thread::yield();
  running.cancel();
  running.cancel();
  EXPECT_THAT(running.wait(), FailsWith("cancelled"));
  EXPECT_EQ(fired, 2);
}

TEST_F(Serves, TheDeadlineCancelsToo) {
  CallOptions options;
  options.timeout = std::chrono::milliseconds(20);
  const Reply reply = run(
      [](gantry_call* call) {
        while (given.calls->cancelled(call) == 0) std::this_thread::yield();
        return GANTRY_CANCELLED;
      },
      "{}", options);
  EXPECT_THAT(reply, FailsWith("timeout"));
  EXPECT_TRUE(reply.timed_out);
}

TEST_F(Serves, TakesEightHooksForACall) {
  run([](gantry_call* call) {
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(given.calls->on_cancel(
                    call, [](void*) {}, nullptr),
                GANTRY_OK);
    }
    EXPECT_EQ(given.calls->on_cancel(
                  call, [](void*) {}, nullptr),
              GANTRY_TOO_BIG);
    return GANTRY_OK;
  });
}

TEST_F(Serves, TakesAHookBackAndFreesItsPlace) {
  std::atomic<int> fired{0};
  std::atomic<bool> entered{false};
  const auto count = [](void* n) { ++*static_cast<std::atomic<int>*>(n); };
  script.invoke = [&](gantry_call* call) -> gantry_status {
    for (int i = 0; i < 9; ++i) {
      EXPECT_EQ(given.calls->on_cancel(call, count, &fired), GANTRY_OK);
      EXPECT_EQ(given.calls->off_cancel(call, count, &fired), GANTRY_OK);
    }
    EXPECT_EQ(given.calls->off_cancel(call, count, &fired), GANTRY_NOT_FOUND);
    given.calls->on_cancel(call, count, &fired);
    EXPECT_EQ(given.calls->off_cancel(call, count, nullptr), GANTRY_NOT_FOUND);
    entered = true;
    while (given.calls->cancelled(call) == 0) std::this_thread::yield();
    EXPECT_EQ(given.calls->off_cancel(call, count, &fired), GANTRY_NOT_FOUND);
    EXPECT_EQ(fired, 1);
    return GANTRY_CANCELLED;
  };
  RunningCall running = host_->begin("t");
  while (!entered) std::this_thread::yield();
  running.cancel();
  EXPECT_THAT(running.wait(), FailsWith("cancelled"));
}

TEST_F(Serves, APendingCallEndsFromAnotherThread) {
  std::thread worker;
  const Reply reply = run([&](gantry_call* call) {
    worker = std::thread([call] {
      given.calls->write(call, bytes("text"), bytes("later"));
      given.calls->finish(call, GANTRY_OK);
    });
    return GANTRY_PENDING;
  });
  worker.join();
  EXPECT_THAT(reply, HasText("later"));
}

TEST_F(Serves, OneCallAtATimeUnlessReentrant) {
  make_host("[]");
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  script.invoke = [&](gantry_call*) {
    most = std::max(most.load(), ++inside);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --inside;
    return GANTRY_OK;
  };
  RunningCall first = host_->begin("t");
  RunningCall second = host_->begin("t");
  first.wait();
  second.wait();
  EXPECT_EQ(most, 1);
}

TEST_F(Serves, ConfigurationAndGrantedSecrets) {
  options_.config = R"({"x":1})";
  options_.secrets["key"] = "s3";
  make_host();
  const Reply reply = run([](gantry_call* call) {
    const auto* config = given.service<gantry_config_api>(GANTRY_CONFIG_SERVICE);
    const auto* secret = given.service<gantry_secret_api>(GANTRY_SECRET_SERVICE);
    std::string text;
    EXPECT_EQ(secret->read(given.host, bytes("key"), {collect, &text}), GANTRY_OK);
    EXPECT_EQ(secret->read(given.host, bytes("other"), {collect, &text}), GANTRY_NOT_FOUND);
    given.calls->write(call, bytes("text"), config->get(given.host));
    return given.calls->write(call, bytes("text"), bytes(text));
  });
  EXPECT_THAT(reply, HasText("{\"x\":1}\ns3"));
}

TEST_F(Serves, OnlyServicesTheManifestNeeds) {
  std::vector<std::string> violations;
  options_.on_violation = [&](const std::string& text) { violations.push_back(text); };
  FakeHost bare(
      Linked{table,
             R"({"name":"bare","version":"1","abi":1,"needs":["gantry.call/1"],"items":[]})"},
      options_);
  ASSERT_TRUE(bare.start().is_ok());
  EXPECT_EQ(given.api->service(given.host, GANTRY_SECRET_SERVICE), nullptr);
  EXPECT_EQ(given.api->service(given.host, "gantry.nothing/1"), nullptr);
  EXPECT_NE(given.api->service(given.host, GANTRY_CALL_SERVICE), nullptr);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_THAT(violations[0], HasSubstr("asked for gantry.secret/1, which its manifest does not"));
}

TEST_F(Serves, TheCatalogListsAndExplains) {
  host_->provide("tool", "other", [](auto, auto) { return Answer{}; });
  run([](gantry_call* call) {
    const auto* catalog = given.service<gantry_catalog_api>(GANTRY_CATALOG_SERVICE);
    std::string list;
    EXPECT_EQ(catalog->items(given.host, call, bytes("tool"), {collect, &list}), GANTRY_OK);
    EXPECT_THAT(list, HasSubstr(R"("name":"t")"));
    EXPECT_THAT(list, HasSubstr(R"("name":"other")"));
    std::string why;
    catalog->explain(given.host, call, bytes("tool"), bytes("none"), {collect, &why});
    EXPECT_THAT(why, HasSubstr("not_found"));
    return GANTRY_OK;
  });
}

TEST_F(Serves, TheCatalogListsMethodsOfOthers) {
  host_->provide("method", "shop.Order.cancel", [](auto, auto) { return Answer{}; });
  run([](gantry_call* call) {
    const auto* catalog = given.service<gantry_catalog_api>(GANTRY_CATALOG_SERVICE);
    std::string list, why, unknown;
    EXPECT_EQ(catalog->items(given.host, call, bytes("method"), {collect, &list}), GANTRY_OK);
    EXPECT_THAT(list, HasSubstr(R"("name":"cancel")"));
    EXPECT_THAT(list, HasSubstr(R"("class":"shop.Order")"));
    catalog->explain(given.host, call, bytes("method"), bytes("shop.Order.cancel"),
                     {collect, &why});
    EXPECT_EQ(why, R"({"allowed":true})");
    EXPECT_EQ(catalog->items(given.host, call, bytes("service"), {collect, &unknown}),
              GANTRY_UNSUPPORTED);
    return GANTRY_OK;
  });
}

TEST_F(Serves, CallsOfOtherPluginsItems) {
  host_->provide("tool", "other", [](std::string_view arguments, std::string_view) {
    return Answer{{{"json", std::string(arguments)}, {"text", "said"}}};
  });
  run([](gantry_call* call) {
    const auto* invoke = given.service<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
    gantry_invocation what = {sizeof what, bytes("tool"), bytes("other"), bytes(R"({"q":1})"), {}};
    std::string parts;
    EXPECT_EQ(invoke->call(given.host, call, &what, {collect_part, &parts}), GANTRY_OK);
    EXPECT_EQ(parts, R"(json={"q":1};text=said;)");
    what.name = bytes("none");
    parts.clear();
    EXPECT_EQ(invoke->call(given.host, call, &what, {collect_part, &parts}), GANTRY_NOT_FOUND);
    EXPECT_THAT(parts, HasSubstr("error={\"error_code\":\"not_found\""));
    return GANTRY_OK;
  });
}

TEST_F(Serves, ForwardSplicesIntoTheOpenResult) {
  host_->provide("service", "rows/1", [](auto, auto) {
    return Answer{{{"rows", "1"}, {"meta", "m"}}};
  });
  const Reply reply = run([](gantry_call* call) {
    const auto* invoke = given.service<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
    const gantry_invocation what = {sizeof what, bytes("service"), bytes("rows/1"), {}, {}};
    std::string rest;
    given.calls->json_begin(call);
    given.calls->json_raw(call, bytes("{\"a\":"));
    EXPECT_EQ(invoke->forward(given.host, call, &what, bytes("rows"), {collect_part, &rest}), 0);
    given.calls->json_raw(call, bytes("}"));
    EXPECT_EQ(rest, "meta=m;");
    return given.calls->json_end(call);
  });
  EXPECT_THAT(reply, HasStructured(R"({"a":1})"));
}

TEST_F(Serves, ItselfIsBusyUnlessReentrant) {
  make_host("[]");
  run([](gantry_call* call) {
    const auto* invoke = given.service<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
    const gantry_invocation what = {sizeof what, bytes("tool"), bytes("t"), {}, {}};
    std::string parts;
    EXPECT_EQ(invoke->call(given.host, call, &what, {collect_part, &parts}), GANTRY_BUSY);
    EXPECT_THAT(parts, HasSubstr("chain: scripted -> t"));
    return GANTRY_OK;
  });
}

TEST_F(Serves, StartedCallsReportFromAnotherThread) {
  host_->provide("tool", "other", [](auto, auto) { return Answer{{{"text", "x"}}}; });
  struct Waiting {
    std::string parts;
    gantry_call* call;
    static void done(void* context, gantry_status status) {
      auto& self = *static_cast<Waiting*>(context);
      given.calls->write(self.call, bytes("text"), bytes(self.parts));
      given.calls->finish(self.call, status);
    }
  } waiting;
  const Reply reply = run([&](gantry_call* call) -> gantry_status {
    waiting.call = call;
    const auto* invoke = given.service<gantry_invoke_api>(GANTRY_INVOKE_SERVICE);
    const gantry_invocation what = {sizeof what, bytes("tool"), bytes("other"), {}, {}};
    invoke->start(given.host, call, &what, {collect_part, &waiting.parts}, &Waiting::done,
                  &waiting);
    return GANTRY_PENDING;
  });
  EXPECT_THAT(reply, HasText("text=x;"));
}

TEST_F(Serves, ServicesAnswerInJoinedParts) {
  script.invoke = [](gantry_call* call) {
    given.calls->write(call, bytes("rows"), bytes("a"));
    given.calls->write(call, bytes("meta"), bytes("m"));
    return given.calls->write(call, bytes("rows"), bytes("b"));
  };
  const Reply reply = host_->call_service("s/1");
  EXPECT_EQ(reply.part("rows"), "ab");
  EXPECT_EQ(reply.part("meta"), "m");
}

TEST_F(Serves, TheReasonOfARefusedStart) {
  script.start = [] {
    given.api->log(given.host, GANTRY_LOG_ERROR, bytes("no disk"));
    return GANTRY_FAILED;
  };
  EXPECT_THAT(host_->start().message(), HasSubstr("no disk"));
  EXPECT_THAT(host_->call("t"), FailsWith("internal_error", HasSubstr("no disk")));
}

TEST_F(Serves, AnOfferReplacesTheItems) {
  script.start = [] {
    return given.api->offer(
        given.host, bytes(R"([{"kind":"tool","name":"new","inputSchema":{"type":"object"}}])"));
  };
  EXPECT_EQ(host_->tools(), std::vector<std::string>{"new"});
  EXPECT_THAT(host_->call("t"), FailsWith("not_found"));
}

TEST_F(Serves, NothingAfterStop) {
  ASSERT_TRUE(host_->start().is_ok());
  ASSERT_TRUE(host_->stop().is_ok());
  EXPECT_EQ(host_->call("t").status, GANTRY_STOPPING);
}

TEST(Matchers, CompareJsonByMeaning) {
  EXPECT_THAT(std::string(R"({"a":1,"b":[true]})"), IsJson(R"({ "b": [true], "a": 1.0 })"));
  EXPECT_FALSE(same_json("{\"a\":1}", "{\"a\":2}"));
  EXPECT_FALSE(same_json("{", "{"));
}

}  // namespace
}  // namespace serves_test
