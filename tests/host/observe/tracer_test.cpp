#include "host/observe/tracer.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/host/observe/collected.hpp"

namespace gantry::host {
namespace {

constexpr const char* kTrace = "0af7651916cd43dd8448eb211c80319c";
constexpr const char* kSpan = "b7ad6b7169203331";
const std::string kParent = std::string("00-") + kTrace + "-" + kSpan;

TEST(TraceContext, ReadsValidOnesAlone) {
  const auto good = parse_traceparent(kParent + "-01");
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, (TraceContext{kTrace, kSpan, true}));
  EXPECT_FALSE(parse_traceparent(kParent + "-00")->sampled);
  EXPECT_FALSE(parse_traceparent(kParent + "-0a")->sampled);
  EXPECT_TRUE(parse_traceparent(kParent + "-0b")->sampled);
  EXPECT_TRUE(parse_traceparent("01" + kParent.substr(2) + "-01-more"));
  std::string upper = kParent + "-01";
  upper[5] = 'F';
  for (const std::string& wrong :
       {std::string(), kParent, kParent + "-1", kParent + "-01-more", kParent + "-01x", upper,
        "ff" + kParent.substr(2) + "-01", "0x" + kParent.substr(2) + "-01",
        "00-" + std::string(32, '0') + "-" + kSpan + "-01",
        std::string("00-") + kTrace + "-" + std::string(16, '0') + "-01",
        std::string("00_") + kTrace + "-" + kSpan + "-01"}) {
    EXPECT_FALSE(parse_traceparent(wrong)) << wrong;
  }
}

// A collector in memory, which a test can hold up or make refuse.
struct TracerTest : testing::Test {
  TracerOptions options() {
    return {.url = "http://unused",
            .version = "9",
            .every = std::chrono::milliseconds(1),
            .send = [this](const std::string& body) {
              std::lock_guard lock(mutex);
              if (refuses) return Status::failed("no room");
              bodies.push_back(body);
              return Status();
            }};
  }
  void end_one(Tracer& tracer, std::string name) {
    auto span = tracer.begin({});
    ASSERT_TRUE(span);
    span->name = std::move(name);
    tracer.end(std::move(*span));
  }

  std::mutex mutex;
  std::vector<std::string> bodies;
  bool refuses = false;
  Collected out;
  Log log{{.level = Level::info, .fd = out.fd()}};
};

TEST_F(TracerTest, SendsSpansInsideOthersWithTheirOwnTimesAndNumbers) {
  {
    Tracer tracer(options(), log);
    const auto outer = tracer.begin(parse_traceparent(kParent + "-01"));
    ASSERT_TRUE(outer);
    Span inner = Tracer::inside(*outer);
    EXPECT_EQ(inner.self.trace_id, kTrace);
    EXPECT_EQ(inner.parent_id, outer->self.span_id);
    EXPECT_NE(inner.self.span_id, outer->self.span_id);
    inner.begin = Span::Time(std::chrono::seconds(1));
    inner.end = Span::Time(std::chrono::seconds(2));
    inner.asks_another = true;
    inner.add("rows", std::int64_t{3});
    tracer.end(std::move(inner));
  }
  ASSERT_EQ(bodies.size(), 1u);
  for (const auto* part :
       {R"("kind":3)", R"("startTimeUnixNano":"1000000000")", R"("endTimeUnixNano":"2000000000")",
        R"("attributes":[{"key":"rows","value":{"intValue":"3"}}])"})
    EXPECT_NE(bodies[0].find(part), std::string::npos) << part << " in " << bodies[0];
}

TEST_F(TracerTest, SendsTheWaitingSpansBeforeItEnds) {
  {
    Tracer tracer(options(), log);
    auto span = tracer.begin(parse_traceparent(kParent + "-01"));
    ASSERT_TRUE(span);
    span->name = "tools/call t";
    span->add("a\"b", "v\n");
    span->add("empty", "");
    span->add("long", std::string(1'000, 'x'));
    span->link = TraceContext{kTrace, "00000000000000aa", true};
    span->failed = true;
    tracer.end(std::move(*span));
  }
  ASSERT_EQ(bodies.size(), 1u);
  rapidjson::Document body;
  body.Parse(bodies[0].c_str());
  ASSERT_FALSE(body.HasParseError()) << bodies[0];
  const auto& resource = body["resourceSpans"][0];
  EXPECT_STREQ(resource["resource"]["attributes"][1]["value"]["stringValue"].GetString(), "9");
  const auto& span = resource["scopeSpans"][0]["spans"][0];
  EXPECT_STREQ(span["traceId"].GetString(), kTrace);
  EXPECT_STREQ(span["parentSpanId"].GetString(), kSpan);
  EXPECT_EQ(span["spanId"].GetStringLength(), 16u);
  EXPECT_STRNE(span["spanId"].GetString(), kSpan);
  EXPECT_STREQ(span["name"].GetString(), "tools/call t");
  EXPECT_EQ(span["kind"].GetInt(), 2);
  EXPECT_EQ(span["status"]["code"].GetInt(), 2);
  EXPECT_STREQ(span["links"][0]["spanId"].GetString(), "00000000000000aa");
  ASSERT_EQ(span["attributes"].Size(), 2u);
  EXPECT_STREQ(span["attributes"][0]["value"]["stringValue"].GetString(), "v\n");
  EXPECT_LE(span["attributes"][1]["value"]["stringValue"].GetStringLength(), 260u);
  EXPECT_LE(std::stoull(span["startTimeUnixNano"].GetString()),
            std::stoull(span["endTimeUnixNano"].GetString()));
}

TEST_F(TracerTest, SamplesByTheParentElseByTheRatio) {
  auto never = options();
  never.sample = 0;
  Tracer tracer(never, log);
  EXPECT_FALSE(tracer.begin({}));
  EXPECT_TRUE(tracer.begin(parse_traceparent(kParent + "-01")));
  Tracer always(options(), log);
  const auto span = always.begin({});
  ASSERT_TRUE(span);
  EXPECT_EQ(span->self.trace_id.size(), 32u);
  EXPECT_EQ(span->parent_id, "");
  EXPECT_FALSE(always.begin(parse_traceparent(kParent + "-00")));
}

TEST_F(TracerTest, DropsAndCountsSpansThatDoNotFit) {
  auto small = options();
  small.max_waiting = 2;
  Tracer tracer(small, log);
  {
    std::lock_guard collector_is_slow(mutex);
    for (int i = 0; i < 20; ++i) end_one(tracer, "s");
    EXPECT_GE(tracer.dropped(), 16u);
  }
}

TEST_F(TracerTest, CountsSpansThatTheCollectorRefusesAndSaysItOnce) {
  refuses = true;
  Tracer tracer(options(), log);
  const auto wait_for = [&](std::uint64_t count) {
    for (int i = 0; i < 5'000 && tracer.dropped() < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(tracer.dropped(), count);
  };
  end_one(tracer, "a");
  wait_for(1);
  end_one(tracer, "b");
  wait_for(2);
  log.flush();
  const std::string text = out.text();
  const auto at = text.find("the collector takes no spans");
  EXPECT_NE(at, text.npos);
  EXPECT_EQ(text.find("the collector takes no spans", at + 1), text.npos);
  EXPECT_NE(text.find("no room"), text.npos);
}

TEST(OtlpPost, IsBoundedAndSaysWhy) {
  Collected out;
  Log log({.level = Level::info, .fd = out.fd()});
  {
    Tracer tracer({.url = "http://127.0.0.1:1/v1/traces"}, log);
    auto span = tracer.begin({});
    tracer.end(std::move(*span));
  }
  log.flush();
  EXPECT_NE(out.text().find("http://127.0.0.1:1/v1/traces"), std::string::npos) << out.text();
}

}  // namespace
}  // namespace gantry::host
