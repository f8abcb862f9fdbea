// A call through a worker: the output, the questions and the answers of the plugin.
#include "in_worker.hpp"

namespace gantry::host {
namespace {

class WorkerCall : public InWorkerTest {
 protected:
  void SetUp() override {
    InWorkerTest::SetUp();
    run_worker("script");
    publish_workers();
  }
};

TEST_F(WorkerCall, GivesItsStructuredResult) {
  EXPECT_EQ(journal(R"({"do":"write","type":"text","body":"hello"})"), R"({"journal":[0]})");
  const ItemAnswer answer = run("script", steps(R"({"do":"write","type":"text","body":"hello"})"));
  EXPECT_EQ(answer.content, R"({"type":"text","text":"hello"})");
}

TEST_F(WorkerCall, KnowsItsPropertiesAndItsDeadline) {
  const std::string noted =
      journal(R"({"do":"property","key":"protocol"},{"do":"property","key":"correlation_id"},)"
              R"({"do":"property","key":"max_answer_bytes"},{"do":"property","key":"other"},)"
              R"({"do":"deadline"},{"do":"cancelled"})");
  EXPECT_TRUE(noted.starts_with(R"({"journal":["2026-07-28","corr-1","4194304","",)")) << noted;
  EXPECT_TRUE(noted.ends_with(",0]}")) << noted;
}

TEST_F(WorkerCall, FailsWithItsOwnWords) {
  const ItemAnswer answer = run(
      "script",
      steps(R"({"do":"fail","code":"not_found","message":"no such thing","details":"{\"a\":1}"})"));
  EXPECT_EQ(answer.kind, ItemAnswer::Kind::error);
  EXPECT_EQ(answer.error_code, "not_found");
  EXPECT_EQ(answer.message, "no such thing");
  EXPECT_EQ(answer.details, R"({"a":1})");
}

TEST_F(WorkerCall, GetsTheStatusOfARefusedWrite) {
  EXPECT_EQ(journal(R"({"do":"write","type":"nonsense","body":"x"},)"
                    R"({"do":"write","type":"block","body":"{}"},)"
                    R"({"do":"write","type":"image/png","hex":"00ff"},{"do":"json_end"})"),
            R"({"journal":[-9,-2,0,-11]})");
}

TEST_F(WorkerCall, ThatAnswersTooMuchFailsAtThatPiece) {
  const ItemAnswer answer =
      run("script", R"({"as":"much","steps":[{"do":"write","fill":4000000},)"
                    R"({"do":"write","fill":200000},{"do":"write","fill":100}]})");
  EXPECT_EQ(answer.error_code, "invalid_argument");
  EXPECT_EQ(run("script_journal", R"({"as":"much"})").structured, R"({"journal":[0,-8,0]})");
}

TEST_F(WorkerCall, ReportsProgressAndLogs) {
  auto recorder = std::make_shared<Recorder>();
  start("script", recorder,
        steps(R"({"do":"progress","done":1,"total":3,"note":"one"},{"do":"progress","done":2},)"
              R"({"do":"log","level":6,"body":"to the client"})"),
        true);
  recorder->wait();
  EXPECT_EQ(recorder->progress_, (std::vector<double>{1, 2}));
  EXPECT_EQ(recorder->notes_, (std::vector<std::string>{"one", ""}));
  EXPECT_EQ(recorder->logs_, (std::vector<std::string>{"to the client"}));
  EXPECT_FALSE(recorder->after_done_);
}

TEST_F(WorkerCall, IsCancelledInThePlugin) {
  auto recorder = std::make_shared<Recorder>();
  const auto handle = start("script", recorder,
                            R"({"as":"c","steps":[{"do":"on_cancel","note":"fired"},)"
                            R"({"do":"progress","done":1,"note":"inside"},{"do":"wait_cancel"},)"
                            R"({"do":"write","type":"text","body":"late"}]})",
                            true);
  recorder->wait_for_note("inside");
  handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(recorder->wait().cancelled);
  std::string noted;
  const auto has = [&](const char* what) { return noted.find(what) != std::string::npos; };
  for (int i = 0; i < 200 && !(has("-5") && has("fired")); ++i) {
    std::this_thread::sleep_for(10ms);
    const std::string more = run("script_journal", R"({"as":"c"})").structured;
    if (more != R"({"journal":[]})") noted += more;
  }
  EXPECT_TRUE(has("fired")) << noted;
  EXPECT_TRUE(has("cancelled: 1")) << noted;
}

TEST_F(WorkerCall, EndsLaterFromAnotherThread) {
  EXPECT_EQ(journal(R"({"do":"pending"},{"do":"sleep","ms":20},{"do":"cancelled"})"),
            R"({"journal":[0]})");
}

TEST_F(WorkerCall, RunsBesideOthersInTheSameWorker) {
  std::vector<std::shared_ptr<Recorder>> all;
  for (int i = 0; i < 6; ++i) {
    all.push_back(std::make_shared<Recorder>());
    start("script", all.back(), steps(R"({"do":"meet","name":"six","count":4})"));
  }
  for (const auto& one : all) EXPECT_EQ(one->wait().structured, R"({"journal":[true]})");
}

TEST_F(WorkerCall, ReadsItsConfigurationAndKnowsItsServices) {
  EXPECT_EQ(journal(R"({"do":"config"},{"do":"service","id":"gantry.call/1"},)"
                    R"({"do":"service","id":"gantry.nothing/1"})"),
            R"({"journal":[{},true,false]})");
}

TEST_F(WorkerCall, OfAMegabyteArrivesWhole) {
  const std::string noted = run("script", R"({"steps":[{"do":"arguments"}],"filler":")" +
                                              std::string(900'000, 'y') + "\"}")
                                .structured;
  EXPECT_GT(noted.size(), 900'000U);
}

TEST_F(WorkerCall, CallsAnotherPluginAndForwardsItsAnswer) {
  FakePlugin& other = plugin("other");
  other.tool("other_tool", [](gantry_call* call) {
    api().json_begin(call);
    api().json_raw(call, b(R"({"from":"other"})"));
    api().json_end(call);
    return GANTRY_OK;
  });
  publish_workers();
  EXPECT_EQ(journal(R"({"do":"invoke","name":"other_tool"})"),
            R"({"journal":[{"status":0,"parts":[["json","{\"from\":\"other\"}"]]}]})");
  EXPECT_EQ(journal(R"({"do":"invoke","name":"other_tool","via":"start"})"),
            R"({"journal":[{"status":0,"parts":[["json","{\"from\":\"other\"}"]]}]})");
  EXPECT_EQ(journal(R"({"do":"invoke","name":"nobody"})").find(R"({"journal":[{"status":-3)"), 0U);
  const ItemAnswer forwarded =
      run("script", steps(R"({"do":"json_begin"},{"do":"json_raw","body":"{\"got\":"},)"
                          R"({"do":"invoke","name":"other_tool","via":"forward","splice":"json"},)"
                          R"({"do":"json_raw","body":"}"},{"do":"json_end"})"));
  EXPECT_EQ(forwarded.structured, R"({"got":{"from":"other"}})");
}

TEST_F(WorkerCall, GoesOnWhileItsOwnPluginIsCalledFromInside) {
  EXPECT_EQ(
      journal(
          R"({"do":"invoke","name":"script","arguments":"{\"steps\":[{\"do\":\"cancelled\"}]}"})"),
      R"({"journal":[{"status":0,"parts":[["json","{\"journal\":[0]}"]]}]})");
}

}  // namespace
}  // namespace gantry::host
