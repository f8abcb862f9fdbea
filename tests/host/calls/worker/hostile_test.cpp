// A worker that says what no worker says: the host's side alone, with frames made by hand.
#include <random>
#include <semaphore>

#include "fake_worker.hpp"

namespace gantry::host::hostile_test {
namespace {

using worker::FrameType;
using worker::FrameWriter;

class HostileWorker : public CallsTest {
 protected:
  void SetUp() override {
    CallsTest::SetUp();
    Origin origin;
    origin.manifest.name = "hostile";
    origin.manifest.version = "1";
    origin.manifest.reentrant = true;
    origin.manifest.needs = {"gantry.call/1", "gantry.invoke/1", "gantry.input/1"};
    ItemSpec spec;
    spec.kind = "tool";
    spec.name = "odd";
    spec.input_schema = R"({"type":"object"})";
    origin.manifest.items.push_back(spec);
    worker_ = std::make_shared<FakeWorker>(std::move(origin), *calls_);
    FakePlugin& other = plugin("other");
    other.tool("slow", [this](gantry_call* call) {
      let_go_.acquire();
      api().write(call, b("text"), b("slowly"));
      return GANTRY_OK;
    });
    other.served_by(*calls_);
    registry_.set_plugins({worker_, plugins_[0]}, {});
  }
  void TearDown() override {
    worker_->calls.lose("gone", false, "gone");
    CallsTest::TearDown();
    worker_->jobs.wait();
    worker_.reset();
  }

  // A call that is in the worker; sets `id`.
  std::shared_ptr<Recorder> enter(std::uint64_t& id) {
    auto recorder = std::make_shared<Recorder>();
    start("odd", recorder);
    id = worker_->entered();
    return recorder;
  }
  static FrameWriter returned(std::uint64_t id, gantry_status status = GANTRY_OK) {
    FrameWriter frame(FrameType::returned, id);
    frame.number(status);
    return frame;
  }
  static FrameWriter nested(std::uint64_t id, worker::Nested how, std::string_view splice) {
    FrameWriter frame(FrameType::nested, id, 9);
    frame.number(static_cast<std::uint8_t>(how)).text("tool").text("slow").text("{}").text("");
    frame.text(splice);
    return frame;
  }
  Status say(FrameWriter frame) { return worker_->say(frame); }

  std::binary_semaphore let_go_{0};
  std::shared_ptr<FakeWorker> worker_;
};

TEST_F(HostileWorker, EndsOnlyCallsThatItHas) {
  std::uint64_t id = 0;
  const auto recorder = enter(id);
  EXPECT_FALSE(say(returned(id + 1)));
  EXPECT_FALSE(say(FrameWriter(FrameType::finish, id + 1)));
  EXPECT_FALSE(recorder->answered());
  EXPECT_TRUE(say(returned(id)));
  EXPECT_EQ(recorder->wait().kind, ItemAnswer::Kind::result);
  EXPECT_FALSE(say(returned(id))) << "once is enough";
}

TEST_F(HostileWorker, FinishesOnce) {
  std::uint64_t id = 0;
  const auto recorder = enter(id);
  FrameWriter finish(FrameType::finish, id);
  finish.number(gantry_status{GANTRY_OK});
  EXPECT_TRUE(worker_->say(finish));
  recorder->wait();
  EXPECT_FALSE(worker_->say(finish));
  EXPECT_TRUE(say(returned(id, GANTRY_PENDING)));
  EXPECT_FALSE(say(returned(id, GANTRY_PENDING)));
}

TEST_F(HostileWorker, MaySendFramesOfAnEndedCallWithoutEffect) {
  std::uint64_t id = 0;
  const auto recorder = enter(id);
  EXPECT_TRUE(say(returned(id)));
  recorder->wait();
  FrameWriter progress(FrameType::progress, id);
  progress.number(1.0).number(2.0).text("late");
  EXPECT_TRUE(worker_->say(progress));
  FrameWriter keep(FrameType::keep, id, 3);
  keep.text("late");
  EXPECT_TRUE(worker_->say(keep));
  EXPECT_EQ(worker_->replied(), GANTRY_MISUSE);
  EXPECT_TRUE(recorder->progress_.empty());
}

TEST_F(HostileWorker, MayNotSendFramesOfTheHost) {
  std::uint64_t id = 0;
  enter(id);
  for (const FrameType type : {FrameType::invoke, FrameType::cancel, FrameType::reply}) {
    EXPECT_FALSE(say(FrameWriter(type, id)));
  }
}

TEST_F(HostileWorker, MayNotCutABodyShortOrAddToIt) {
  std::uint64_t id = 0;
  enter(id);
  FrameWriter cut(FrameType::progress, id);
  cut.number(1.0);
  EXPECT_FALSE(worker_->say(cut));
  FrameWriter more(FrameType::progress, id);
  more.number(1.0).number(1.0).text("").number(std::uint8_t{0});
  EXPECT_FALSE(worker_->say(more));
  FrameWriter unknown_write(FrameType::write, id, 4);
  unknown_write.number(std::uint8_t{99});
  EXPECT_FALSE(worker_->say(unknown_write));
}

TEST_F(HostileWorker, GetsNoServiceItsManifestDoesNotName) {
  FrameWriter secret(FrameType::secret, 0, 5);
  secret.text("password");
  EXPECT_TRUE(worker_->say(secret));
  EXPECT_EQ(worker_->replied(), GANTRY_NOT_FOUND);
  std::uint64_t id = 0;
  enter(id);
  FrameWriter task(FrameType::task, id, 6);
  task.number(std::uint8_t{0});
  EXPECT_TRUE(worker_->say(task));
  EXPECT_EQ(worker_->replied(), GANTRY_UNSUPPORTED);
}

TEST_F(HostileWorker, MayNotWriteWhereAProviderWrites) {
  std::uint64_t id = 0;
  enter(id);
  FrameWriter open(FrameType::write, id);
  open.number(static_cast<std::uint8_t>(worker::Write::json_begin));
  EXPECT_TRUE(worker_->say(open));
  EXPECT_TRUE(say(nested(id, worker::Nested::forward, "json")));
  FrameWriter more(FrameType::write, id);
  more.number(static_cast<std::uint8_t>(worker::Write::json_raw)).text("1");
  EXPECT_FALSE(worker_->say(more));
  EXPECT_FALSE(say(nested(id, worker::Nested::forward, "json")));
  let_go_.release();
  worker_->replied();
}

TEST_F(HostileWorker, CannotEndACallUnderOneThatIsUnderWay) {
  std::uint64_t id = 0;
  const auto recorder = enter(id);
  EXPECT_TRUE(say(nested(id, worker::Nested::call, "")));
  EXPECT_TRUE(say(returned(id)));
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(recorder->answered());
  let_go_.release();
  EXPECT_EQ(recorder->wait().kind, ItemAnswer::Kind::result);
}

TEST_F(HostileWorker, LosesItsCallsWithTheSentence) {
  std::uint64_t id = 0;
  const auto recorder = enter(id);
  worker_->calls.lose("It fell over", true, "It is away");
  EXPECT_EQ(recorder->wait().message, "It fell over");
  auto waits = std::make_shared<Recorder>();
  start("odd", waits);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(waits->answered()) << "it comes back at once";
  worker_->calls.open(2);
  EXPECT_TRUE(say(returned(worker_->entered())));
  waits->wait();
  worker_->calls.lose("It fell over", false, "It is away");
  auto refused = std::make_shared<Recorder>();
  start("odd", refused);
  EXPECT_EQ(refused->wait().message, "It is away");
}

// After any sequence of frames every call has exactly one answer.
TEST_F(HostileWorker, AnswersEveryCallOnceAfterRandomFrames) {
  std::mt19937 random(815);
  std::vector<std::shared_ptr<Recorder>> all;
  std::uint64_t id = 0;
  for (int round = 0; round < 3000; ++round) {
    if (round % 60 == 0) all.push_back(enter(id));
    const auto type = static_cast<FrameType>(64 + random() % 16);
    FrameWriter frame(type == FrameType::nested ? FrameType::write : type, id, random() % 3);
    for (auto fields = random() % 6; fields > 0; --fields) {
      switch (random() % 4) {
        case 0:
          frame.number(static_cast<std::uint8_t>(random() % 7));
          break;
        case 1:
          frame.number(static_cast<std::int32_t>(random() % 5) - 3);
          break;
        case 2:
          frame.text(std::string(random() % 20, 'x'));
          break;
        default:
          frame.number(std::uint32_t{0xFFFFFFF0U} + random() % 32);
      }
    }
    (void)worker_->say(frame).is_ok();
  }
  worker_->calls.lose("gone", false, "gone");
  for (const auto& one : all) one->wait();
}

}  // namespace
}  // namespace gantry::host::hostile_test
