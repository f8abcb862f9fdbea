// The answer of one call: text, content blocks, structured results, errors, and its bounds.
#include <cstddef>
#include <string>
#include <vector>

#include "host/base/text.hpp"
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

TEST_F(CallsTest, WritesContentOfEveryType) {
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

TEST_F(CallsTest, InvalidUtf8IsReplacedAndKeepsTheMessageValid) {
  plugin("p").tool(
      "t", [](gantry_call* call) { return api().write(call, b("text"), b("a\xff\xc3(\x01")); });
  publish();
  EXPECT_EQ(run("t").content, "{\"type\":\"text\",\"text\":\"a\uFFFD\uFFFD(\\u0001\"}");
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

TEST_F(CallsTest, AnswerBeyondTheCapIsRefused) {
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

TEST_F(CallsTest, TextCountsWithItsEscapes) {
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

}  // namespace
}  // namespace gantry::host
