// The thread that makes a call looks for its answer itself.
#include <semaphore>
#include <thread>

#include "fake_worker.hpp"
#include "host/base/more_to_do.hpp"
#include "in_worker.hpp"

namespace gantry::host::look_test {
namespace {

using worker::FrameType;
using worker::FrameWriter;
using worker::Look;

constexpr Look kLook{std::chrono::microseconds(20), std::chrono::microseconds(50)};

class LookedAt : public CallsTest {
 protected:
  void SetUp() override {
    CallsTest::SetUp();
    Origin origin;
    origin.manifest.name = "looked";
    origin.manifest.version = "1";
    origin.manifest.reentrant = true;
    origin.manifest.needs = {"gantry.call/1"};
    ItemSpec spec;
    spec.kind = "tool";
    spec.name = "odd";
    spec.input_schema = R"({"type":"object"})";
    origin.manifest.items.push_back(spec);
    worker_ = std::make_shared<FakeWorker>(std::move(origin), *calls_);
    worker_->looks = [this] {
      ++asked_;
      return kLook;
    };
    worker_->looked = [this](const std::function<bool()>& is_over) { answer(is_over); };
  }
  void TearDown() override {
    worker_->calls.lose("gone", false, "gone");
    CallsTest::TearDown();
    worker_.reset();
  }

  // Returns from the call that was entered last, on the thread that looks.
  void answer(const std::function<bool()>& is_over) {
    EXPECT_FALSE(is_over());
    say_returned(worker_->entered());
    EXPECT_TRUE(is_over());
  }
  void say_returned(std::uint64_t id, gantry_status status = GANTRY_OK) {
    FrameWriter frame(FrameType::returned, id);
    frame.number(status);
    EXPECT_TRUE(worker_->say(frame));
  }
  void say_finished(std::uint64_t id) {
    FrameWriter frame(FrameType::finish, id);
    frame.number(gantry_status{GANTRY_OK});
    EXPECT_TRUE(worker_->say(frame));
  }
  void offer() { registry_.set_plugins({worker_}, {}); }

  std::shared_ptr<FakeWorker> worker_;
  int asked_ = 0;
};

TEST_F(LookedAt, HasItsAnswerWhenItHasBeenMade) {
  offer();
  auto recorder = std::make_shared<Recorder>();
  start("odd", recorder);
  EXPECT_TRUE(recorder->answered());
  EXPECT_EQ(worker_->quiet, std::vector{true});
}

TEST_F(LookedAt, TellsTheWorkerHowLongToLook) {
  worker_->looked = [this](const std::function<bool()>&) {
    const auto sent = worker_->wait_for(FrameType::invoke);
    const auto entry = worker::Entry::from(sent.body);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->look, 50U);
    say_returned(sent.header.call);
  };
  offer();
  start("odd", std::make_shared<Recorder>());
}

TEST_F(LookedAt, IsOverOnceThePluginHasReturnedToo) {
  worker_->looked = [this](const std::function<bool()>& is_over) {
    const std::uint64_t id = worker_->entered();
    say_finished(id);
    EXPECT_FALSE(is_over());
    say_returned(id, GANTRY_PENDING);
    EXPECT_TRUE(is_over());
  };
  offer();
  start("odd", std::make_shared<Recorder>());
  EXPECT_EQ(worker_->quiet, std::vector{true});
}

TEST_F(LookedAt, IsLeftToTheReaderWhereAnotherCallIsInside) {
  bool looked = false;
  worker_->looked = [&](const std::function<bool()>&) { looked = true; };
  offer();
  auto first = std::make_shared<Recorder>(), second = std::make_shared<Recorder>();
  start("odd", first);  // nothing comes while it looks
  EXPECT_TRUE(std::exchange(looked, false));
  start("odd", second);
  EXPECT_FALSE(looked);
  EXPECT_EQ(worker_->quiet, (std::vector{false, false})) << "both answers are still to come";
  say_returned(worker_->entered());
  say_returned(worker_->entered());
  EXPECT_TRUE(first->answered());
  EXPECT_TRUE(second->answered());
}

// One that is being refused while the worker is lost was never inside, and does not count as gone.
TEST_F(LookedAt, IsAloneAfterCallsThatNeverGotIn) {
  struct Slow final : CallListener {
    void progress(double, double, std::string_view) override {}
    void log(int, std::string_view, std::string_view) override {}
    void done(ItemAnswer&&) override {
      told.release();
      go.acquire();
    }
    std::binary_semaphore told{0}, go{0};
  };
  offer();
  worker_->calls.lose("gone", false, "away");
  const auto slow = std::make_shared<Slow>();
  std::thread caller([&] { start("odd", slow); });
  slow->told.acquire();
  worker_->calls.lose("gone again", false, "away");
  slow->go.release();
  caller.join();
  worker_->calls.open(2);
  auto recorder = std::make_shared<Recorder>();
  start("odd", recorder);
  EXPECT_TRUE(recorder->answered()) << "it was alone, and so looked for";
}

TEST_F(LookedAt, IsNotLookedForWhereOthersWaitForTheThread) {
  offer();
  auto recorder = std::make_shared<Recorder>();
  {
    const MoreToDo more(true);
    start("odd", recorder);
  }
  EXPECT_EQ(asked_, 0);
  say_returned(worker_->entered());
  EXPECT_TRUE(recorder->answered());
  start("odd", std::make_shared<Recorder>());
  EXPECT_EQ(asked_, 1);
}

TEST_F(LookedAt, IsNotLookedForWhereAnotherCallWaitsForIt) {
  FakePlugin& user = plugin("user");
  user.tool("asks", [&](gantry_call* call) {
    std::string parts;
    EXPECT_EQ(nested(user, call, "tool", "odd", parts), GANTRY_OK);
    return GANTRY_OK;
  });
  user.served_by(*calls_);
  registry_.set_plugins({worker_, plugins_[0]}, {});
  auto recorder = std::make_shared<Recorder>();
  start("asks", recorder);
  say_returned(worker_->entered());
  EXPECT_EQ(recorder->wait().kind, ItemAnswer::Kind::result);
  EXPECT_EQ(asked_, 0);
}

// A real worker: sooner or later looking pays, and then answers come on the calling thread.
TEST_F(InWorkerTest, QuickCallsAreAnsweredByTheThreadThatMakesThem) {
  if (worker::usable_processors() < 2) GTEST_SKIP() << "needs two processors";
  run_worker("script");
  publish_workers();
  const auto until = std::chrono::steady_clock::now() + 60s;
  bool at_once = false;
  while (!at_once && std::chrono::steady_clock::now() < until) {
    auto recorder = std::make_shared<Recorder>();
    start("script", recorder, steps(R"({"do":"cancelled"})"));
    at_once = recorder->answered();
    EXPECT_EQ(recorder->wait().structured, R"({"journal":[0]})");
  }
  EXPECT_TRUE(at_once);
}

// Every poll ends on whichever thread reads, and no thread waits for an answer that was read.
TEST_F(InWorkerTest, CallsOfManyThreadsAreAllAnswered) {
  run_worker("script");
  publish_workers();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      for (int n = 0; n < 200; ++n) {
        const char* const step =
            (n + i) % 50 == 0 ? R"({"do":"sleep","ms":5})" : R"({"do":"cancelled"})";
        EXPECT_EQ(run("script", steps(step)).kind, ItemAnswer::Kind::result);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace gantry::host::look_test
