// The wrapper over the contract, in the fake host: results, errors and exceptions of handlers
// become the right answers.
#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

#include <gantry/plugin.hpp>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::HasSubstr;

namespace {

struct Number {
  int n = 0;
  static constexpr auto fields() {
    return gantry::fields(gantry::field("n", &Number::n, "A number"));
  }
};

gantry::Result<Number> halve(const Number& args) {
  if (args.n % 2 != 0) return gantry::Status::invalid("n is odd; give an even number");
  return Number{args.n / 2};
}

class Everything : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  ~Everything() override { join(); }
  gantry::Status stop(std::chrono::steady_clock::time_point) override {
    join();
    kept_.reset();
    return {};
  }
  gantry::Status self_check() override { return gantry::Status::failed("the disk is missing"); }

  void offer(gantry::Offer& offer) override {
    offer.tool("halve", "Halves.", halve).title("Halve").permission("write").blocking();
    offer.tool("text", "Says text.", [] { return std::string("hello"); });
    offer.tool("nothing", "Nothing.", [] {});
    offer.tool("status", "Fails.", [] { return gantry::Status::not_found("no such thing"); });
    offer.tool("raw", "Arguments as they are.",
               [](gantry::Call& call) { return gantry::JsonText{std::string(call.arguments())}; });
    offer.tool("content", "Blocks.", [](gantry::Call& call) {
      gantry::Status status = call.text("a");
      if (status) status = call.media("image/png", "\x89PNG");
      if (status) status = call.block(R"({"type":"resource_link","uri":"x:y","name":"n"})");
      return status;
    });
    offer.tool("coded", "Fails with a code.", [](gantry::Call& call) {
      return call.fail("store_error", "the store is away", R"({"kind":"x"})");
    });
    offer.tool("throws", "Throws.", [](const Number& args) {
      if (args.n == 0) throw std::runtime_error("it broke");
      if (args.n == 1) throw 42;
      throw std::bad_alloc();
    });
    add_asynchronous(offer);
    offer.service("double/1", [](const Number& args, gantry::Call& call) {
      return call.part("rows", std::to_string(args.n * 2));
    });
  }

 private:
  void add_asynchronous(gantry::Offer& offer) {
    offer.tool("later", "Answers later.", [this](const Number& args, gantry::Call& call) {
      workers_.emplace_back([pending = call.defer(), n = args.n]() mutable {
        gantry::PendingCall moved = std::move(pending);
        moved.finish(Number{n});
      });
    });
    offer.tool("early", "Ends before its handler.", [](gantry::Call& call) {
      call.defer().finish(std::string("at once"));
      return std::string("ignored");
    });
    offer.tool("dropped", "Forgets its call.",
               [](gantry::Call& call) { const gantry::PendingCall forgotten = call.defer(); });
    offer.tool("thrown", "Throws after defer.", [](gantry::Call& call) {
      const gantry::PendingCall pending = call.defer();
      throw std::runtime_error("after defer");
    });
    offer.tool("kept", "Ends at stop.", [this](gantry::Call& call) { kept_ = call.defer(); });
  }
  void join() {
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
  }

  std::vector<std::thread> workers_;
  std::optional<gantry::PendingCall> kept_;
};

}  // namespace

GANTRY_PLUGIN(Everything)

namespace {

constexpr char kManifest[] =
    R"({"name":"everything","version":"1.0.0","abi":1,"needs":["gantry.call/1"],)"
    R"("offers":["double/1"],"items":"probe"})";

class PluginTest : public ::testing::Test {
 protected:
  FakeHost host_{Linked{gantry_plugin_v1, kManifest}};
};

TEST_F(PluginTest, ReturnsStructuresWithTheSchemaOfTheirType) {
  EXPECT_THAT(host_.call("halve", R"({"n":8})"), HasStructured(R"({"n":4})"));
  EXPECT_THAT(host_.input_schema("halve"),
              IsJson(R"({"type":"object","properties":{"n":{"type":"integer","minimum":-2147483648,
                "maximum":2147483647,"description":"A number"}},"required":["n"],
                "additionalProperties":false})"));
  EXPECT_THAT(host_.output_schema("halve"), HasSubstr("\"n\""));
}

TEST_F(PluginTest, TurnsAFailedResultIntoAToolError) {
  EXPECT_THAT(host_.call("halve", R"({"n":3})"),
              FailsWith("invalid_argument", "n is odd; give an even number"));
  EXPECT_THAT(host_.call("status"), FailsWith("not_found", "no such thing"));
}

TEST_F(PluginTest, ChecksArgumentsEvenIfTheHostDoesNot) {
  CallOptions options;
  options.skip_validation = true;
  EXPECT_THAT(host_.call("halve", R"({"m":3})", options),
              FailsWith("invalid_argument", "m: unknown name; allowed: n"));
}

TEST_F(PluginTest, ReturnsTextNothingAndRawJson) {
  EXPECT_THAT(host_.call("text"), HasText("hello"));
  EXPECT_THAT(host_.call("nothing"), Succeeds());
  EXPECT_THAT(host_.call("raw", R"({"x":[1]})"), HasStructured(R"({"x":[1]})"));
}

TEST_F(PluginTest, WritesContentOfEveryType) {
  const Reply reply = host_.call("content");
  ASSERT_EQ(reply.content.size(), 3U) << reply;
  EXPECT_EQ(reply.content[1].first, "image/png");
  EXPECT_EQ(reply.content[2].first, "block");
}

TEST_F(PluginTest, FailsWithACodeAndDetails) {
  const Reply reply = host_.call("coded");
  EXPECT_THAT(reply, FailsWith("store_error"));
  EXPECT_EQ(reply.details, R"({"kind":"x"})");
}

TEST_F(PluginTest, TurnsEveryExceptionIntoAToolError) {
  EXPECT_THAT(host_.call("throws", R"({"n":0})"), FailsWith("internal_error", "it broke"));
  EXPECT_THAT(host_.call("throws", R"({"n":1})"),
              FailsWith("internal_error", HasSubstr("no std::exception")));
  EXPECT_THAT(host_.call("throws", R"({"n":2})"), FailsWith("internal_error", HasSubstr("alloc")));
}

TEST_F(PluginTest, AnswersFromAnotherThread) {
  for (int n = 0; n < 20; ++n) {
    const std::string json = "{\"n\":" + std::to_string(n) + "}";
    EXPECT_THAT(host_.call("later", json), HasStructured(json));
  }
}

TEST_F(PluginTest, MayFinishBeforeItsHandlerReturns) {
  EXPECT_THAT(host_.call("early"), HasText("at once"));
}

TEST_F(PluginTest, EndsADroppedCallWithAnError) {
  EXPECT_THAT(host_.call("dropped"), FailsWith("internal_error", HasSubstr("without an answer")));
  EXPECT_THAT(host_.call("thrown"), FailsWith("internal_error", HasSubstr("without an answer")));
}

TEST_F(PluginTest, EndsItsPendingCallsInStop) {
  RunningCall running = host_.begin("kept");
  EXPECT_TRUE(host_.stop().is_ok());
  EXPECT_THAT(running.wait(), FailsWith("internal_error"));
}

TEST_F(PluginTest, ServesOtherPlugins) {
  EXPECT_EQ(host_.call_service("double/1", R"({"n":4})").part("rows"), "8");
}

TEST_F(PluginTest, SaysWhyItsSelfCheckFails) {
  EXPECT_THAT(host_.self_check(), FailsWith("internal_error", "the disk is missing"));
}

TEST_F(PluginTest, IsRefusedWithoutTheCallService) {
  std::string violation;
  Options options;
  options.on_violation = [&](const std::string& text) { violation = text; };
  FakeHost bare(
      Linked{gantry_plugin_v1, R"({"name":"bare","version":"1","abi":1,"items":"probe"})"},
      options);
  EXPECT_THAT(bare.start().message(), HasSubstr("name it in the manifest's \"needs\""));
  EXPECT_THAT(violation, HasSubstr("asked for gantry.call/1"));
}

TEST(Offer, RefusesADoubleNameAndAMixture) {
  gantry::Offer offer;
  offer.tool("a", "d", [] {});
  EXPECT_THROW(offer.handler("a", [] {}), std::logic_error);
  offer.handler("b", [] {});
  EXPECT_THROW(static_cast<void>(offer.items()), std::logic_error);
}

TEST(Offer, AnnouncesNothingThatTheManifestLists) {
  gantry::Offer offer;
  offer.handler("a", [] {});
  offer.service("s/1", [] {});
  EXPECT_EQ(offer.items(), "");
  EXPECT_NE(offer.find("tool", "a"), nullptr);
  EXPECT_EQ(offer.find("service", "a"), nullptr);
}

TEST(Offer, WritesEveryMemberOfAnItem) {
  gantry::Offer offer;
  offer.tool("a", "d \"q\"", [] {})
      .title("A")
      .category("x")
      .permission("admin")
      .timeout(std::chrono::seconds(2))
      .non_blocking()
      .annotations(R"({"idempotentHint":true})");
  offer.service("s/1", [] {});
  EXPECT_THAT(offer.items(),
              IsJson(R"([{"kind":"tool","name":"a","title":"A","description":"d \"q\"",
                "category":"x","permission":"admin","timeout_ms":2000,"flags":["non_blocking"],
                "inputSchema":{"type":"object"},"annotations":{"idempotentHint":true}},
                {"kind":"service","name":"s/1"}])"));
}

}  // namespace
