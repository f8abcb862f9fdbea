// Calls within calls: parts, forwarding, strands, waiting, deadlock, depth, narrowing.
#include <future>

#include "tests/host/calls/harness.hpp"

namespace gantry::host::nested_test {
namespace {

TEST_F(CallsTest, AServiceAnswersInJoinedParts) {
  FakePlugin& provider = plugin("provider");
  provider.service("x.y/1", [](gantry_call* call) {
    api().write(call, b("rows"), b("[1,"));
    api().write(call, b("meta"), b("m"));
    return api().write(call, b("rows"), b("2]"));
  });
  FakePlugin& user = plugin("user").needs("x.y/1");
  user.tool("t", [&](gantry_call* call) {
    std::string parts;
    EXPECT_EQ(nested(user, call, "service", "x.y/1", parts), GANTRY_OK);
    return api().write(call, b("text"), b(parts));
  });
  publish();
  EXPECT_EQ(run("t").content, R"({"type":"text","text":"rows=[1,2];meta=m;"})");
}

TEST_F(CallsTest, ForwardSplicesAPartIntoTheOpenResult) {
  plugin("provider").service("x.y/1", [](gantry_call* call) {
    api().write(call, b("rows"), b("[1,"));
    api().write(call, b("rows"), b("2]"));
    return api().write(call, b("meta"), b("m"));
  });
  FakePlugin& user = plugin("user").needs("x.y/1");
  user.tool("t", [&](gantry_call* call) {
    std::string meta;
    const gantry_invocation what{sizeof(gantry_invocation), b("service"), b("x.y/1"), b(""), b("")};
    const gantry_answer answer{[](void* out, gantry_bytes, gantry_bytes body) {
                                 *static_cast<std::string*>(out) += view(body);
                               },
                               &meta};
    EXPECT_EQ(invoke_table().forward(user.host_handle(), call, &what, b("rows"), answer),
              GANTRY_MISUSE);  // nothing is open
    api().json_begin(call);
    api().json_raw(call, b("{\"r\":"));
    EXPECT_EQ(invoke_table().forward(user.host_handle(), call, &what, b("rows"), answer),
              GANTRY_OK);
    EXPECT_EQ(meta, "m");
    api().json_raw(call, b("}"));
    return api().json_end(call);
  });
  publish();
  EXPECT_EQ(run("t").structured, R"({"r":[1,2]})");
}

TEST_F(CallsTest, AServiceMustBeInTheManifestsNeeds) {
  plugin("provider").service("x.y/1", [](gantry_call*) { return GANTRY_OK; });
  FakePlugin& user = plugin("user");
  user.tool("t", [&](gantry_call* call) {
    std::string parts;
    EXPECT_EQ(nested(user, call, "service", "x.y/1", parts), GANTRY_NOT_FOUND);
    return api().write(call, b("text"), b(parts));
  });
  publish();
  EXPECT_NE(run("t").content.find("does not name the service"), std::string::npos);
}

TEST_F(CallsTest, ANestedToolsFailureComesBackWithItsCode) {
  FakePlugin& p = plugin("p");
  p.tool("inner", [](gantry_call* call) {
    return api().fail(call, b("not_found"), b("gone"), b(R"({"a":1})"));
  });
  p.tool("outer", [&](gantry_call* call) {
    std::string parts;
    EXPECT_EQ(nested(p, call, "tool", "inner", parts), GANTRY_FAILED);
    return api().write(call, b("text"), b(parts));
  });
  publish();
  EXPECT_NE(
      run("outer").content.find(
          R"(error={\"error_code\":\"not_found\",\"error\":\"gone\",\"details\":{\"a\":1}};)"),
      std::string::npos);
}

TEST_F(CallsTest, NarrowingNeverWidens) {
  FakePlugin& p = plugin("p");
  p.tool("inner", [](gantry_call* call) {
    return api().write(call, b("text"), api().property(call, b("agent")));
  });
  p.tool("outer", [&](gantry_call* call) {
    std::string parts;
    EXPECT_EQ(nested(p, call, "tool", "inner", parts, R"({"permissions":"admin"})"), GANTRY_DENIED);
    EXPECT_EQ(nested(p, call, "tool", "inner", parts, R"({"tools":{"except":["inner"]}})"),
              GANTRY_DENIED);
    parts.clear();
    EXPECT_EQ(nested(p, call, "tool", "inner", parts, R"({"permissions":"readonly"})"), GANTRY_OK);
    return api().write(call, b("text"), b(parts));
  });
  publish();
  const std::string content = run("outer").content;
  EXPECT_NE(content.find(R"(\"depth\":1)"), std::string::npos) << content;
}

TEST_F(CallsTest, DepthIsBounded) {
  FakePlugin& p = plugin("p");
  std::atomic<int> deepest{0};
  p.tool("t", [&](gantry_call* call) -> gantry_status {
    ++deepest;
    std::string parts;
    return nested(p, call, "tool", "t", parts);
  });
  publish();
  run("t");
  EXPECT_EQ(deepest, 9);  // the client's call and eight below it
}

TEST_F(CallsTest, ABlockingCallWaitsForAnAsynchronousProvider) {
  std::vector<std::thread> workers;
  plugin("provider").service("x.y/1", [&](gantry_call* call) {
    workers.emplace_back([call] {
      std::this_thread::sleep_for(20ms);
      api().write(call, b("rows"), b("late"));
      api().finish(call, GANTRY_OK);
    });
    return GANTRY_PENDING;
  });
  FakePlugin& user = plugin("user").needs("x.y/1");
  user.tool("t", [&](gantry_call* call) {
    std::string parts;
    EXPECT_EQ(nested(user, call, "service", "x.y/1", parts), GANTRY_OK);
    return api().write(call, b("text"), b(parts));
  });
  publish();
  EXPECT_EQ(run("t").content, R"({"type":"text","text":"rows=late;"})");
  for (auto& worker : workers) worker.join();
}

TEST_F(CallsTest, AWaitEndsWithTheCallAndTheProviderMayFinishLater) {
  std::atomic<gantry_call*> pending{nullptr};
  plugin("provider").service("x.y/1", [&](gantry_call* call) {
    pending = call;
    return GANTRY_PENDING;
  });
  FakePlugin& user = plugin("user").needs("x.y/1");
  gantry_status waited = GANTRY_OK;
  user.tool("t",
            [&](gantry_call* call) {
              std::string parts;
              waited = nested(user, call, "service", "x.y/1", parts);
              return waited;
            })
      .timeout = 800ms;
  publish();
  EXPECT_EQ(run("t").error_code, "timeout");
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_EQ(waited, GANTRY_TIMED_OUT);
  EXPECT_EQ(api().write(pending, b("rows"), b("x")), GANTRY_CANCELLED);
  EXPECT_EQ(api().finish(pending, GANTRY_OK), GANTRY_OK);
}

TEST_F(CallsTest, TheCallbackFormFinishesTheParent) {
  std::promise<std::thread> worker;
  plugin("provider").service("x.y/1", [&](gantry_call* call) {
    worker.set_value(std::thread([call] {
      api().write(call, b("rows"), b("r"));
      api().finish(call, GANTRY_OK);
    }));
    return GANTRY_PENDING;
  });
  struct State {
    gantry_call* parent;
    std::string parts;
  } state;
  FakePlugin& user = plugin("user").needs("x.y/1");
  user.tool("t", [&](gantry_call* call) {
    state.parent = call;
    const gantry_invocation what{sizeof(gantry_invocation), b("service"), b("x.y/1"), b(""), b("")};
    const gantry_answer answer{[](void* s, gantry_bytes, gantry_bytes body) {
                                 static_cast<State*>(s)->parts += view(body);
                               },
                               &state};
    EXPECT_EQ(invoke_table().start(
                  user.host_handle(), call, &what, answer,
                  [](void* s, gantry_status status) {
                    auto& st = *static_cast<State*>(s);
                    api().write(st.parent, b("text"), b(st.parts));
                    api().finish(st.parent, status);
                  },
                  &state),
              GANTRY_OK);
    return GANTRY_PENDING;
  });
  publish();
  EXPECT_EQ(run("t").content, R"({"type":"text","text":"r"})");
  worker.get_future().get().join();
}

TEST_F(CallsTest, APluginThatIsNotReentrantIsEnteredByOneCallAtATime) {
  std::atomic<int> inside{0}, most{0};
  plugin("serial", false).tool("t", [&](gantry_call*) {
    most = std::max(most.load(), ++inside);
    std::this_thread::sleep_for(1ms);
    --inside;
    return GANTRY_OK;
  });
  publish();
  std::vector<std::shared_ptr<Recorder>> all;
  for (int i = 0; i < 30; ++i) start("t", all.emplace_back(std::make_shared<Recorder>()));
  for (auto& recorder : all) EXPECT_EQ(recorder->wait().kind, ItemAnswer::Kind::result);
  EXPECT_EQ(most, 1);
}

TEST_F(CallsTest, ACallThatComesBackToItsOwnSerialPluginIsBusyAndNamed) {
  FakePlugin& serial = plugin("serial", false);
  serial.tool("outer", [&](gantry_call* call) {
    std::string parts;
    EXPECT_EQ(nested(serial, call, "tool", "inner", parts), GANTRY_BUSY);
    return api().write(call, b("text"), b(parts));
  });
  serial.tool("inner", [](gantry_call*) { return GANTRY_OK; });
  publish();
  const std::string content = run("outer").content;
  EXPECT_NE(content.find("waits for itself: serial"), std::string::npos) << content;
}

TEST_F(CallsTest, TwoSerialPluginsThatCallEachOtherNeverStall) {
  FakePlugin& x = plugin("x", false).needs("y.s/1");
  FakePlugin& y = plugin("y", false).needs("x.s/1");
  x.service("x.s/1", [](gantry_call*) { return GANTRY_OK; });
  y.service("y.s/1", [](gantry_call*) { return GANTRY_OK; });
  const auto cross = [](FakePlugin& from, const char* to) {
    return [&from, to](gantry_call* call) -> gantry_status {
      std::this_thread::sleep_for(2ms);
      std::string parts;
      const gantry_status status = nested(from, call, "service", to, parts);
      EXPECT_TRUE(status == GANTRY_OK || status == GANTRY_BUSY) << parts;
      return GANTRY_OK;
    };
  };
  x.tool("from_x", cross(x, "y.s/1"));
  y.tool("from_y", cross(y, "x.s/1"));
  publish();
  std::vector<std::shared_ptr<Recorder>> all;
  for (int i = 0; i < 40; ++i) {
    start(i % 2 ? "from_x" : "from_y", all.emplace_back(std::make_shared<Recorder>()));
  }
  for (auto& recorder : all) EXPECT_EQ(recorder->wait().kind, ItemAnswer::Kind::result);
}

TEST_F(CallsTest, OneThreadServesManyClientsThreeServicesDeep) {
  CallLimits limits;
  limits.pool_threads = 1;
  make(limits);
  std::mutex mutex;
  std::vector<std::thread> workers;
  plugin("c").service("c.s/1", [&](gantry_call* call) {
    std::lock_guard lock(mutex);
    workers.emplace_back([call] {
      std::this_thread::sleep_for(1ms);
      api().write(call, b("v"), b("deep"));
      api().finish(call, GANTRY_OK);
    });
    return GANTRY_PENDING;
  });
  FakePlugin& second = plugin("b", false).needs("c.s/1");
  second.service("b.s/1", [&](gantry_call* call) {
    std::string parts;
    const gantry_status status = nested(second, call, "service", "c.s/1", parts);
    api().write(call, b("v"), b(parts));
    return status;
  });
  FakePlugin& first = plugin("a").needs("b.s/1");
  first.tool("t", [&](gantry_call* call) {
    std::string parts;
    const gantry_status status = nested(first, call, "service", "b.s/1", parts);
    api().write(call, b("text"), b(parts));
    return status;
  });
  publish();
  std::vector<std::shared_ptr<Recorder>> all;
  for (int i = 0; i < 100; ++i) start("t", all.emplace_back(std::make_shared<Recorder>()));
  for (auto& recorder : all) {
    EXPECT_EQ(recorder->wait().content, R"({"type":"text","text":"v=v=deep;;"})");
  }
  calls_->drain(5s);
  for (auto& worker : workers) worker.join();
}

TEST_F(CallsTest, EveryCallOfAStormIsAnsweredOnce) {
  std::atomic<int> cancelled{0}, finished{0};
  FakePlugin& p = plugin("p");
  p.tool("t", [&](gantry_call* call) {
    api().on_cancel(
        call, [](void*) {}, nullptr);
    for (int i = 0; i < 5 && !api().cancelled(call); ++i) {
      api().progress(call, i, 5, b(""));
      std::this_thread::yield();
    }
    return GANTRY_OK;
  });
  publish();
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      for (int i = 0; i < 200; ++i) {
        auto recorder = std::make_shared<Recorder>();
        auto handle = start("t", recorder, "{}", true);
        if (handle && (i + c) % 3 == 0) handle->cancel(CancelReason::notifications_cancelled);
        (recorder->wait().cancelled ? cancelled : finished)++;
      }
      Registry::release_cached();
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(cancelled + finished, 800);
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_EQ(calls_->running(), 0);
}

}  // namespace
}  // namespace gantry::host::nested_test
