// One call: answers, refusals, deadlines, cancellation, progress.
#include "tests/host/calls/harness.hpp"

namespace gantry::host {
namespace {

using Kind = ItemAnswer::Kind;

TEST_F(CallsTest, AnswersWithTextAndStructuredResult) {
  plugin("p").tool("t", [](gantry_call* call) {
    api().write(call, b("text"), b("hi \"you\""));
    api().json_begin(call);
    api().json_raw(call, b(R"({"a":)"));
    api().json_raw(call, b("1}"));
    return api().json_end(call);
  });
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(answer.kind, Kind::result);
  EXPECT_EQ(answer.content, R"({"type":"text","text":"hi \"you\""})");
  EXPECT_EQ(answer.structured, R"({"a":1})");
}

TEST_F(CallsTest, UnknownToolIsNoToolError) {
  publish();
  EXPECT_EQ(run("nope").kind, Kind::unknown_item);
}

TEST_F(CallsTest, ArgumentsAreCheckedBeforeThePluginRuns) {
  bool entered = false;
  plugin("p")
      .tool("t",
            [&](gantry_call*) {
              entered = true;
              return GANTRY_OK;
            })
      .input_schema = R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})";
  publish();
  const ItemAnswer answer = run("t", R"({"n":"x"})");
  EXPECT_EQ(answer.kind, Kind::invalid_arguments);
  EXPECT_NE(answer.message.find("n"), std::string::npos);
  EXPECT_FALSE(entered);
}

TEST_F(CallsTest, TierAndFilterAreNamed) {
  plugin("p").tool("w", [](gantry_call*) { return GANTRY_OK; }).tier = Tier::write;
  publish();
  EXPECT_EQ(run("w").error_code, "permission_denied");
  Agent narrow;
  narrow.tier = Tier::admin;
  narrow.tools.except = {"w"};
  agent_ = std::make_shared<const Agent>(narrow);
  EXPECT_EQ(run("w").error_code, "tool_filtered");
}

TEST_F(CallsTest, FailuresCarryCodeMessageAndDetails) {
  plugin("p").tool("t", [](gantry_call* call) {
    api().write(call, b("text"), b("dropped"));
    return api().fail(call, b("not_found"), b("no such thing"), b(R"({"kind":"x"})"));
  });
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(answer.kind, Kind::error);
  EXPECT_EQ(answer.error_code, "not_found");
  EXPECT_EQ(answer.message, "no such thing");
  EXPECT_EQ(answer.details, R"({"kind":"x"})");
  EXPECT_TRUE(answer.content.empty());
  EXPECT_TRUE(answer.error_fits_schema);
}

TEST_F(CallsTest, ABrokenResultIsAnInternalErrorAndALoggedFault) {
  FakePlugin& p = plugin("p");
  p.tool("cut", [](gantry_call* call) {
    api().json_begin(call);
    api().json_raw(call, b("{\"a\":"));
    return api().json_end(call);
  });
  p.tool("open", [](gantry_call* call) { return api().json_begin(call); });
  p.tool("wrong", [](gantry_call* call) {
     api().json_begin(call);
     api().json_raw(call, b("{\"a\":\"x\"}"));
     return api().json_end(call);
   }).output_schema = R"({"type":"object","properties":{"a":{"type":"integer"}}})";
  publish();
  for (const char* tool : {"cut", "open", "wrong"}) {
    const ItemAnswer answer = run(tool);
    EXPECT_EQ(answer.kind, Kind::error) << tool;
    EXPECT_EQ(answer.error_code, "internal_error") << tool;
    EXPECT_EQ(answer.message, "Internal error") << tool;
  }
  EXPECT_EQ(faults().size(), 3u);
}

TEST_F(CallsTest, JsonThatNestsTooDeepIsALoggedFault) {
  const auto nested = [](std::size_t levels) {
    return "{\"a\":" + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
  };
  FakePlugin& p = plugin("p");
  for (const std::size_t levels : {200u, 201u, 100'000u}) {
    p.tool("t" + std::to_string(levels), [nested, levels](gantry_call* call) {
      api().json_begin(call);
      api().json_raw(call, b(nested(levels)));
      return api().json_end(call);
    });
  }
  gantry_status block = GANTRY_OK;
  p.tool("block", [&](gantry_call* call) {
    block = api().write(call, b("block"),
                        b(R"({"type":"text","text":"x","_meta":)" + nested(100'000) + "}"));
    return api().fail(call, b("x"), b("y"), b(nested(10'000)));
  });
  publish();
  EXPECT_EQ(run("t200").kind, Kind::result);
  EXPECT_TRUE(faults().empty());
  EXPECT_EQ(run("t201").error_code, "internal_error");
  EXPECT_EQ(run("t100000").error_code, "internal_error");
  ASSERT_EQ(faults().size(), 2u);
  EXPECT_NE(faults().front().find("deeper than 200 levels"), std::string::npos);
  EXPECT_NE(run("block").error_code, "x");
  EXPECT_EQ(block, GANTRY_INVALID_ARGUMENT);
}

TEST_F(CallsTest, AnErrorThatIsTooLongLosesItsMiddle) {
  gantry_status status = GANTRY_OK;
  plugin("p").tool("t", [&](gantry_call* call) {
    std::string message = "Class '";
    for (int i = 0; i < 30'000; ++i) message += "ü";
    message += "' is not there";
    return status = api().fail(call, b("access_denied"), b(message),
                               b("{\"a\":\"" + std::string(40'000, 'x') + "\"}"));
  });
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(status, GANTRY_FAILED);
  EXPECT_EQ(answer.error_code, "access_denied");
  EXPECT_TRUE(answer.message.starts_with("Class 'ü")) << answer.message.substr(0, 20);
  EXPECT_TRUE(answer.message.ends_with("ü' is not there"));
  EXPECT_LE(answer.message.size(), 2'100u);
  EXPECT_TRUE(is_utf8(answer.message));
  EXPECT_TRUE(answer.details.empty());
}

TEST_F(CallsTest, TextCountsAsItIsSent) {
  CallLimits limits;
  limits.max_answer_bytes = 1'000;
  make(limits);
  std::vector<gantry_status> wrote;
  FakePlugin& p = plugin("p");
  p.tool("escaped", [&](gantry_call* call) {
    wrote.push_back(api().write(call, b("text"), b(std::string(300, '\x01'))));
    return GANTRY_OK;
  });
  p.tool("many", [&](gantry_call* call) {
    gantry_status status = GANTRY_OK;
    int blocks = 0;
    for (; status == GANTRY_OK && blocks < 500; ++blocks) {
      status = api().write(call, b("text"), b("x"));
    }
    wrote.push_back(status);
    EXPECT_LT(blocks, 60);
    return GANTRY_OK;
  });
  publish();
  EXPECT_NE(run("escaped").details.find("response_too_large"), std::string::npos);
  EXPECT_NE(run("many").details.find("response_too_large"), std::string::npos);
  EXPECT_EQ(wrote, (std::vector<gantry_status>{GANTRY_TOO_BIG, GANTRY_TOO_BIG}));
}

TEST_F(CallsTest, TheAnswerIsBounded) {
  CallLimits limits;
  limits.max_answer_bytes = 100;
  make(limits);
  gantry_status second = GANTRY_OK;
  plugin("p").tool("t", [&](gantry_call* call) {
    api().write(call, b("text"), b(std::string(60, 'x')));
    second = api().write(call, b("text"), b(std::string(16, 'y')));
    return GANTRY_OK;
  });
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(second, GANTRY_TOO_BIG);
  EXPECT_EQ(answer.error_code, "invalid_argument");
  EXPECT_NE(answer.details.find("response_too_large"), std::string::npos);
}

TEST_F(CallsTest, PropertiesTellTheCallersFacts) {
  std::string agent, correlation, protocol, cap;
  plugin("p").tool("t", [&](gantry_call* call) {
    agent = view(api().property(call, b("agent")));
    correlation = view(api().property(call, b("correlation_id")));
    protocol = view(api().property(call, b("protocol")));
    cap = view(api().property(call, b("max_answer_bytes")));
    EXPECT_EQ(view(api().property(call, b("other"))), "");
    EXPECT_GT(api().deadline(call), 0u);
    return GANTRY_OK;
  });
  publish();
  run("t");
  EXPECT_NE(agent.find(R"("name":"local")"), std::string::npos) << agent;
  EXPECT_EQ(correlation, "corr-1");
  EXPECT_EQ(protocol, "2026-07-28");
  EXPECT_EQ(cap, std::to_string(4u << 20));
}

TEST_F(CallsTest, TheDeadlineAnswersAndTheCallIsDead) {
  std::atomic<int> woken{0};
  std::atomic<bool> left{false};
  plugin("p")
      .tool("t",
            [&](gantry_call* call) {
              api().on_cancel(
                  call, [](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &woken);
              while (!api().cancelled(call)) std::this_thread::sleep_for(1ms);
              EXPECT_EQ(api().write(call, b("text"), b("x")), GANTRY_CANCELLED);
              left = true;
              return GANTRY_OK;
            })
      .timeout = 400ms;
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(answer.error_code, "timeout");
  EXPECT_NE(answer.message.find("400 ms"), std::string::npos) << answer.message;
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_TRUE(left);
  EXPECT_EQ(woken, 1);
}

TEST_F(CallsTest, ACallbackThatIsTakenBackIsSilentAndFreesItsPlace) {
  std::atomic<int> woken{0};
  std::atomic<int> other{0};
  const auto count = [](void* n) { ++*static_cast<std::atomic<int>*>(n); };
  plugin("p")
      .tool("t",
            [&](gantry_call* call) {
              EXPECT_EQ(api().on_cancel(call, count, &other), GANTRY_OK);
              for (int i = 0; i < 9; ++i) {
                EXPECT_EQ(api().on_cancel(call, count, &woken), GANTRY_OK);
                EXPECT_EQ(api().off_cancel(call, count, &woken), GANTRY_OK);
              }
              EXPECT_EQ(api().off_cancel(call, count, &woken), GANTRY_NOT_FOUND);
              EXPECT_EQ(api().off_cancel(call, nullptr, &woken), GANTRY_MISUSE);
              while (other == 0) std::this_thread::sleep_for(1ms);
              return GANTRY_OK;
            })
      .timeout = 400ms;
  publish();
  EXPECT_EQ(run("t").error_code, "timeout");
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_EQ(woken, 0);
  EXPECT_EQ(other, 1);
}

TEST_F(CallsTest, CancellingARunningCallAnswersAtOnce) {
  std::atomic<bool> entered{false};
  plugin("p").tool("t", [&](gantry_call* call) {
    entered = true;
    while (!api().cancelled(call)) std::this_thread::sleep_for(1ms);
    return GANTRY_CANCELLED;
  });
  publish();
  auto recorder = std::make_shared<Recorder>();
  auto handle = start("t", recorder);
  while (!entered) std::this_thread::sleep_for(1ms);
  handle->cancel(CancelReason::client_disconnected);
  const ItemAnswer answer = recorder->wait();
  EXPECT_TRUE(answer.cancelled);
  EXPECT_EQ(answer.error_code, "cancelled");
  EXPECT_EQ(answer.message, "Cancelled by client (client_disconnected)");
}

TEST_F(CallsTest, ACallCancelledWhileItWaitsNeverStarts) {
  CallLimits limits;
  limits.pool_threads = 1;
  make(limits);
  std::atomic<bool> release{false}, first_in{false}, second_in{false};
  FakePlugin& p = plugin("p");
  p.tool("hold", [&](gantry_call*) {
    first_in = true;
    while (!release) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  p.tool("next", [&](gantry_call*) {
    second_in = true;
    return GANTRY_OK;
  });
  publish();
  auto first = std::make_shared<Recorder>(), second = std::make_shared<Recorder>();
  start("hold", first);
  while (!first_in) std::this_thread::sleep_for(1ms);
  auto handle = start("next", second);
  handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(second->wait().cancelled);
  release = true;
  first->wait();
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_FALSE(second_in);
}

TEST_F(CallsTest, MoreCallsThanAllowedAreBusy) {
  CallLimits limits;
  limits.max_running = 2;
  make(limits);
  std::atomic<bool> release{false};
  plugin("p").tool("hold", [&](gantry_call*) {
    while (!release) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  publish();
  auto first = std::make_shared<Recorder>(), second = std::make_shared<Recorder>();
  start("hold", first);
  start("hold", second);
  EXPECT_EQ(run("hold").kind, Kind::busy);
  release = true;
  first->wait();
  second->wait();
}

TEST_F(CallsTest, HeartbeatStopsForGoodOnceTheToolReports) {
  CallLimits limits;
  limits.heartbeat = 30ms;
  make(limits);
  plugin("p").tool("t", [&](gantry_call* call) {
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(api().progress(call, 50, 100, b("half")), GANTRY_OK);
    EXPECT_EQ(api().progress(call, 40, 100, b("back")), GANTRY_OK);  // dropped: must grow
    std::this_thread::sleep_for(100ms);
    return GANTRY_OK;
  });
  publish();
  auto recorder = std::make_shared<Recorder>();
  start("t", recorder, "{}", true);
  recorder->wait();
  ASSERT_GE(recorder->progress_.size(), 2u);
  EXPECT_EQ(recorder->progress_.back(), 50);
  EXPECT_LT(recorder->progress_.front(), 1);
  EXPECT_FALSE(recorder->after_done_);
}

TEST_F(CallsTest, LogsReachTheClientAtItsLevel) {
  plugin("p").tool("t", [&](gantry_call* call) {
    api().log(call, GANTRY_LOG_INFO, b("told"));
    api().log(call, GANTRY_LOG_DEBUG, b("not told"));
    return GANTRY_OK;
  });
  publish();
  auto recorder = std::make_shared<Recorder>();
  start("t", recorder);
  recorder->wait();
  EXPECT_EQ(recorder->logs_, std::vector<std::string>{"told"});
}

TEST_F(CallsTest, ANonBlockingToolRunsOnTheCallersThreadUntilItIsSlow) {
  std::thread::id ran;
  std::atomic<bool> slow{false};
  plugin("p")
      .tool("t",
            [&](gantry_call*) {
              ran = std::this_thread::get_id();
              if (slow) std::this_thread::sleep_for(3ms);
              return GANTRY_OK;
            })
      .non_blocking = true;
  publish();
  run("t");
  EXPECT_EQ(ran, std::this_thread::get_id());
  slow = true;
  for (int i = 0; i < 3; ++i) run("t");
  EXPECT_EQ(ran, std::this_thread::get_id());
  run("t");
  EXPECT_NE(ran, std::this_thread::get_id());
  EXPECT_EQ(faults().size(), 1u);
}

TEST_F(CallsTest, SelfCheckCarriesThePluginsSentence) {
  auto made = std::make_shared<FakePlugin>("p", true);
  made->self_check = [](gantry_call* call) {
    return api().fail(call, b("x"), b("disk is gone"), b(""));
  };
  EXPECT_EQ(calls_->self_check(made, 1s).message(), "disk is gone");
  made->self_check = [](gantry_call*) { return GANTRY_OK; };
  EXPECT_TRUE(calls_->self_check(made, 1s));
}

TEST_F(CallsTest, ContentOfEveryType) {
  plugin("p").tool("t", [](gantry_call* call) {
    EXPECT_EQ(api().write(call, b("image/png"), b("\x89PNG")), GANTRY_OK);
    EXPECT_EQ(api().write(call, b("audio/wav"), b("RIFF")), GANTRY_OK);
    EXPECT_EQ(api().write(call, b("block"),
                          b(R"({"type":"resource","resource":{"uri":"a:b","text":"t"}})")),
              GANTRY_OK);
    EXPECT_EQ(
        api().write(call, b("block"), b(R"({"type":"resource_link","uri":"a:b","name":"n"})")),
        GANTRY_OK);
    EXPECT_EQ(api().write(call, b("block"), b(R"({"type":"nonsense"})")), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(api().write(call, b("block"), b("{}{}")), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(api().write(call, b("video/mp4"), b("x")), GANTRY_UNSUPPORTED);
    EXPECT_EQ(api().write(call, b("image/\"x"), b("x")), GANTRY_UNSUPPORTED);
    return GANTRY_OK;
  });
  publish();
  EXPECT_EQ(run("t").content, R"({"type":"image","data":"iVBORw==","mimeType":"image/png"},)"
                              R"({"type":"audio","data":"UklGRg==","mimeType":"audio/wav"},)"
                              R"({"type":"resource","resource":{"uri":"a:b","text":"t"}},)"
                              R"({"type":"resource_link","uri":"a:b","name":"n"})");
}

TEST_F(CallsTest, BytesThatAreNoUtf8CannotBreakAMessage) {
  plugin("p").tool(
      "t", [](gantry_call* call) { return api().write(call, b("text"), b("a\xff\xc3(\x01")); });
  publish();
  EXPECT_EQ(run("t").content, "{\"type\":\"text\",\"text\":\"a\uFFFD\uFFFD(\\u0001\"}");
}

}  // namespace
}  // namespace gantry::host
