// Calls that go on as tasks, and what their owner does with them.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "host/rpc/message/classify.hpp"
#include "host/rpc/tasks/tasks.hpp"
#include "tests/host/rpc/input_items.hpp"

namespace gantry::host::rpc::tasks_test {
namespace {

const std::string kTasks =
    R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
constexpr std::string_view kRevision = "2026-07-28";

struct Heard final : Subscriber {
  void deliver(const Event& event) override {
    std::lock_guard lock(mutex);
    if (event.kind == Event::Kind::task_changed) events.push_back(event);
  }
  std::vector<std::string> statuses() {
    std::lock_guard lock(mutex);
    std::vector<std::string> out;
    for (const Event& event : events) out.emplace_back(json(event.json)["status"].GetString());
    return out;
  }
  std::mutex mutex;
  std::vector<Event> events;
};

struct TasksTest : testing::Test {
  explicit TasksTest(ProtocolSettings settings = {.version = "1"})
      : world({tool("t")}, std::move(settings)) {
    world.bus.add(heard);
    world.calls.handler = [this](const ItemCall& call, CallListener& listener) {
      return work(call, listener);
    };
  }

  // Calls that a test left open hold themselves.
  ~TasksTest() override {
    world.dispatcher.stop();
    for (const auto& open : world.calls.open) open->finish({});
  }

  // Becomes a task and stays open until a test finishes it.
  std::optional<ItemAnswer> work(const ItemCall&, CallListener& listener) {
    begun = listener.begin_task();
    listener.progress(0.5, 1, "half way");
    return std::nullopt;
  }

  Answer ask(const std::string& text) { return world.ask(text, kRevision); }
  Answer call(const std::string& capabilities = kTasks) {
    return ask(modern("tools/call", R"("name":"t")", capabilities));
  }
  std::string start() {
    const auto message = json(call().body);
    return message["result"]["taskId"].GetString();
  }
  rapidjson::Document of(const std::string& method, const std::string& id,
                         const std::string& extra = "") {
    return json(ask(modern("tasks/" + method, R"("taskId":")" + id + "\"" + extra, kTasks)).body);
  }
  std::string status(const std::string& id) {
    const auto message = of("get", id);
    return message.HasMember("error") ? "unknown" : message["result"]["status"].GetString();
  }
  // A task that waits for "a" and "b", then says what it got.
  void ask_twice() {
    world.calls.handler = [](const ItemCall& call, CallListener& listener) {
      if (!call.is_task) listener.begin_task();
      if (call.inputs.round > 0) return std::optional(saying(call.inputs.answers));
      const std::string form(kForm);
      return std::optional(asking("{\"a\":" + form + ",\"b\":" + form + "}"));
    };
  }

  gantry_status begun = GANTRY_FAILED;
  std::shared_ptr<Heard> heard = std::make_shared<Heard>();
  World world;
};

TEST_F(TasksTest, TheRequestIsAnsweredWithTheTask) {
  const auto message = json(call().body);
  const auto& task = message["result"];
  EXPECT_EQ(begun, GANTRY_OK);
  EXPECT_STREQ(task["resultType"].GetString(), "task");
  EXPECT_STREQ(task["status"].GetString(), "working");
  EXPECT_GE(std::string(task["taskId"].GetString()).size(), 32u);
  EXPECT_EQ(task["ttlMs"].GetInt(), 600000);
  EXPECT_EQ(task["pollIntervalMs"].GetInt(), 1000);
  const std::string created = task["createdAt"].GetString();
  EXPECT_EQ(created.size(), std::string("2026-11-21T10:00:00.000Z").size());
  EXPECT_EQ(created[10], 'T');
  for (const auto name : {"task", "result", "error", "inputRequests", "requestState"})
    EXPECT_FALSE(task.HasMember(name)) << name;
}

TEST_F(TasksTest, CompletesWithTheCallsResult) {
  const std::string id = start();
  const auto working = of("get", id);
  EXPECT_STREQ(working["result"]["resultType"].GetString(), "complete");
  EXPECT_STREQ(working["result"]["status"].GetString(), "working");
  EXPECT_STREQ(working["result"]["statusMessage"].GetString(), "half way");
  EXPECT_FALSE(working["result"].HasMember("result"));
  world.calls.open[0]->finish(saying(R"({"n":7})"));
  const auto ended = of("get", id);
  EXPECT_STREQ(ended["result"]["status"].GetString(), "completed");
  EXPECT_EQ(ended["result"]["result"]["structuredContent"]["n"].GetInt(), 7);
  EXPECT_FALSE(ended["result"]["result"]["isError"].GetBool());
  EXPECT_EQ(heard->statuses(), std::vector<std::string>{"completed"});
  EXPECT_EQ(heard->events[0].task, id);
  EXPECT_EQ(heard->events[0].owner, "local");
}

TEST_F(TasksTest, AToolsFailureCompletesAndAProtocolErrorFails) {
  const std::string a = start(), b = start();
  ItemAnswer error;
  error.kind = ItemAnswer::Kind::error;
  error.error_code = "failed";
  error.message = "no luck";
  world.calls.open[0]->finish(error);
  ItemAnswer internal;
  internal.kind = ItemAnswer::Kind::internal;
  world.calls.open[1]->finish(internal);
  const auto failed_tool = of("get", a), failed = of("get", b);
  EXPECT_STREQ(failed_tool["result"]["status"].GetString(), "completed");
  EXPECT_TRUE(failed_tool["result"]["result"]["isError"].GetBool());
  EXPECT_STREQ(failed["result"]["status"].GetString(), "failed");
  EXPECT_EQ(failed["result"]["error"]["code"].GetInt(), -32603);
  EXPECT_FALSE(failed["result"].HasMember("result"));
}

TEST_F(TasksTest, NoTaskForAClientThatDoesNotKnowThem) {
  call("{}");
  EXPECT_EQ(begun, GANTRY_UNSUPPORTED);
  world.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","task":{}}})",
            "2025-11-25");
  EXPECT_EQ(begun, GANTRY_UNSUPPORTED);
  EXPECT_TRUE(world.channel.sink_->answers.empty());
}

TEST_F(TasksTest, TheMethodsAreForClientsThatKnowTasks) {
  for (const auto method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const Answer answer = ask(modern(method, R"("taskId":"x")", R"({"elicitation":{}})"));
    EXPECT_EQ(answer.status, 400) << method;
    const auto message = json(answer.body);
    EXPECT_EQ(message["error"]["code"].GetInt(), kMissingCapability) << method;
    EXPECT_TRUE(message["error"]["data"]["requiredCapabilities"]["extensions"].HasMember(
        "io.modelcontextprotocol/tasks"));
  }
  for (const auto method : {"tasks/result", "tasks/list"}) {
    const auto message = json(ask(modern(method, R"("taskId":"x")", kTasks)).body);
    EXPECT_EQ(message["error"]["code"].GetInt(), kMethodNotFound) << method;
  }
}

TEST_F(TasksTest, AForeignTaskIsAnUnknownOne) {
  const std::string id = start();
  world.principal.name = "somebody";
  const std::string update = R"(,"inputResponses":{})";
  EXPECT_EQ(of("get", id)["error"]["code"].GetInt(), kInvalidParams);
  EXPECT_EQ(of("update", id, update)["error"]["code"].GetInt(), kInvalidParams);
  EXPECT_EQ(of("cancel", id)["error"]["code"].GetInt(), kInvalidParams);
  world.principal.name = "local";
  EXPECT_EQ(status(id), "working");
  EXPECT_EQ(of("get", "tk_0")["error"]["code"].GetInt(), kInvalidParams);
  EXPECT_EQ(json(ask(modern("tasks/get", R"("taskId":7)", kTasks)).body)["error"]["code"].GetInt(),
            kInvalidParams);
}

TEST_F(TasksTest, CancelSettlesAndMayComeAgain) {
  const std::string id = start();
  for (int i = 0; i < 2; ++i) {
    const auto message = of("cancel", id);
    EXPECT_STREQ(message["result"]["resultType"].GetString(), "complete");
    EXPECT_FALSE(message["result"].HasMember("taskId"));
    EXPECT_EQ(status(id), "cancelled");
  }
  EXPECT_EQ(world.calls.open[0]->reasons.size(), 1u);
}

TEST_F(TasksTest, ItsClientsLeavingDoesNotEndIt) {
  const std::string id = start();
  const auto sink = world.channel.sink_;
  const auto first = sink->cancel;
  world.calls.handler = nullptr;
  first(Stop::disconnected);
  EXPECT_EQ(status(id), "working");
}

TEST_F(TasksTest, AnswersMayComeOneAfterTheOther) {
  ask_twice();
  const std::string id = start();
  const auto waiting = of("get", id);
  EXPECT_STREQ(waiting["result"]["status"].GetString(), "input_required");
  EXPECT_EQ(waiting["result"]["inputRequests"].MemberCount(), 2u);
  EXPECT_FALSE(waiting["result"].HasMember("requestState"));
  of("update", id, R"(,"inputResponses":{"a":{"action":"accept"},"z":{"x":1},"b":7})");
  const auto left = of("get", id);
  EXPECT_STREQ(left["result"]["status"].GetString(), "input_required");
  EXPECT_EQ(left["result"]["inputRequests"].MemberCount(), 1u);
  EXPECT_TRUE(left["result"]["inputRequests"].HasMember("b"));
  const auto taken = of("update", id, R"(,"inputResponses":{"b":{"action":"decline"}})");
  EXPECT_STREQ(taken["result"]["resultType"].GetString(), "complete");
  const auto ended = of("get", id);
  ASSERT_STREQ(ended["result"]["status"].GetString(), "completed");
  const auto& said = ended["result"]["result"]["structuredContent"];
  EXPECT_STREQ(said["a"]["action"].GetString(), "accept");
  EXPECT_STREQ(said["b"]["action"].GetString(), "decline");
  EXPECT_EQ(heard->statuses(),
            (std::vector<std::string>{"input_required", "working", "completed"}));
}

TEST_F(TasksTest, UpdateNeedsAnswers) {
  ask_twice();
  const std::string id = start();
  for (const auto extra : {"", R"(,"inputResponses":null)", R"(,"inputResponses":[])"}) {
    EXPECT_EQ(of("update", id, extra)["error"]["code"].GetInt(), kInvalidParams) << extra;
  }
  EXPECT_EQ(status(id), "input_required");
}

TEST_F(TasksTest, CancelledWhileItWaitsItIsNotEnteredAgain) {
  ask_twice();
  const std::string id = start();
  of("cancel", id);
  EXPECT_EQ(status(id), "cancelled");
  of("update", id, R"(,"inputResponses":{"a":{},"b":{}})");
  EXPECT_EQ(status(id), "cancelled");
  EXPECT_EQ(world.calls.seen.size(), 1u);
}

TEST_F(TasksTest, StoppingCancelsAll) {
  const std::string running = start();
  ask_twice();
  const std::string waiting = start();
  world.dispatcher.stop();
  EXPECT_EQ(status(running), "cancelled");
  EXPECT_EQ(status(waiting), "cancelled");
}

TEST_F(TasksTest, TheNameInTheHeaderIsTheTasksId) {
  const std::string text = modern("tasks/get", R"("taskId":"tk_1")",
                                  R"({},"io.modelcontextprotocol/protocolVersion":"2026-07-28")");
  Message message(text);
  ASSERT_FALSE(message.parse());
  const auto code = [&](const char* name) {
    const MapHeaders headers{
        {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tasks/get"}, {"mcp-name", name}};
    const auto found = classify_http(message, headers);
    return found.error ? found.error->code : 0;
  };
  EXPECT_EQ(code("tk_1"), 0);
  EXPECT_EQ(code("tk_2"), kHeaderMismatch);
}

// Tasks that clients request (2025-11-25).
struct RequestedTasks : testing::Test {
  std::string begin(std::string_view owner = "me") {
    auto begun = tasks.begin(owner, {[this] { ++cancelled; }, [](std::string) {}}, kRequested);
    return begun->id;
  }
  std::optional<std::uint64_t> wait(const std::string& id) {
    return tasks.wait(id, "me", [this](const Tasks::Ended& end) { ended.push_back(end); });
  }
  std::string status(const std::string& id) {
    return json("{" + *tasks.get(id, "me", kRequested) + "}")["status"].GetString();
  }

  static constexpr auto kRequested = Tasks::Form::requested;
  Bus bus;
  SystemClock clock;
  Tasks tasks{bus, clock, {.version = "1"}};
  int cancelled = 0;
  std::vector<Tasks::Ended> ended;
};

TEST_F(RequestedTasks, EndForAllThatWaitAndForThoseThatCome) {
  const std::string id = begin();
  const auto first = wait(id);
  ASSERT_TRUE(wait(id) && first);
  tasks.drop_wait(id, *first);
  tasks.end(id, Tasks::End::tool_error, "{}");
  EXPECT_EQ(ended.size(), 1u);
  ASSERT_TRUE(wait(id));
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[1].how, Tasks::End::tool_error);
  EXPECT_EQ(ended[1].json, "{}");
  EXPECT_EQ(status(id), "failed");
}

TEST_F(RequestedTasks, HaveEndedOnceTheyAreCancelled) {
  const std::string id = begin();
  wait(id);
  EXPECT_EQ(tasks.has_ended(id, "me"), false);
  EXPECT_TRUE(tasks.cancel(id, "me", kRequested));
  EXPECT_EQ(tasks.has_ended(id, "me"), true);
  EXPECT_EQ(cancelled, 1);
  tasks.end(id, Tasks::End::completed, "{}");
  EXPECT_EQ(status(id), "cancelled");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].how, Tasks::End::cancelled);
}

TEST_F(RequestedTasks, AreUnknownToOtherOwnersAndInTheOtherForm) {
  const std::string id = begin();
  EXPECT_FALSE(tasks.get(id, "you", kRequested));
  EXPECT_FALSE(tasks.get(id, "me"));
  EXPECT_FALSE(tasks.cancel(id, "you", kRequested) || tasks.cancel(id, "me"));
  EXPECT_FALSE(tasks.has_ended(id, "you"));
  EXPECT_FALSE(tasks.wait(id, "you", [](const Tasks::Ended&) {}));
  EXPECT_EQ(cancelled, 0);
}

struct FewTasks : TasksTest {
  FewTasks()
      : TasksTest({.version = "1",
                   .limits = {.max_tasks = 3,
                              .max_tasks_per_owner = 2,
                              .task_ttl = std::chrono::milliseconds(60'000)}}) {}
};

TEST_F(FewTasks, AreBusyBeyondTheirNumber) {
  start();
  start();
  call();
  EXPECT_EQ(begun, GANTRY_BUSY);
  world.principal.name = "second";
  start();
  EXPECT_EQ(begun, GANTRY_OK);
  world.principal.name = "third";
  call();
  EXPECT_EQ(begun, GANTRY_BUSY);
}

struct KeptTasks : TasksTest {
  explicit KeptTasks(std::shared_ptr<ByteBudget> all = std::make_shared<ByteBudget>(5'000))
      : TasksTest({.version = "1", .kept = all}), budget(std::move(all)) {}
  const std::shared_ptr<ByteBudget> budget;
};

TEST_F(KeptTasks, KeepNoMoreOfTheirResultsThanAllTogetherMay) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < 12; ++i) {
    ids.push_back(start());
    world.calls.open[i]->finish(saying("{\"a\":\"" + std::string(900, 'x') + "\"}"));
    EXPECT_LE(budget->held(), 5'000u);
  }
  EXPECT_EQ(status(ids.back()), "completed");
  const auto first = of("get", ids.front());
  EXPECT_STREQ(first["result"]["status"].GetString(), "failed");
  EXPECT_EQ(first["result"]["error"]["code"].GetInt(), kServerError);
  EXPECT_NE(
      std::string(first["result"]["error"]["message"].GetString()).find("Call the tool again"),
      std::string::npos);
}

struct ShortTasks : TasksTest {
  ShortTasks()
      : TasksTest({.version = "1", .limits = {.task_ttl = std::chrono::milliseconds(20)}}) {}
};

TEST_F(ShortTasks, AreForgottenAfterTheirEnd) {
  const std::string id = start();
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  EXPECT_EQ(status(id), "working");  // only what has ended is forgotten
  world.calls.open[0]->finish(saying("{}"));
  EXPECT_TRUE(eventually([&] { return status(id) == "unknown"; }));
}

TEST_F(ShortTasks, AreCancelledWithoutAnAnswer) {
  ask_twice();
  start();
  EXPECT_TRUE(eventually([&] {
    return heard->statuses() == std::vector<std::string>{"input_required", "cancelled"};
  }));
}

}  // namespace
}  // namespace gantry::host::rpc::tasks_test
