// Answers of plugins that are not built in pass through the service gantry.redaction/1.
#include <future>

#include "tests/host/calls/harness.hpp"

namespace gantry::host::redaction_test {
namespace {

constexpr std::string_view kNamed = R"({"className":"hidden"})";

class RedactionTest : public CallsTest {
 protected:
  // A service that records its arguments and hides every class.
  FakePlugin& redactor(bool is_builtin = true) {
    FakePlugin& provider = plugin("redactor");
    if (is_builtin) provider.make_builtin();
    provider.service("gantry.redaction/1", [this](gantry_call* call) {
      std::string text(view(api().arguments(call)));
      seen_.push_back(text);
      for (std::size_t at = 0; (at = text.find("hidden", at)) != text.npos;)
        text.replace(at, 6, "");
      return api().write(call, b("value"), b(text));
    });
    return provider;
  }
  FakePlugin& stranger() {
    FakePlugin& made = plugin("stranger");
    made.tool("named", [](gantry_call* call) {
      api().json_begin(call);
      api().json_raw(call, b(kNamed));
      return api().json_end(call);
    });
    made.tool("texts", [](gantry_call* call) {
      api().write(call, b("text"), b("one"));
      return api().write(call, b("text"), b(kNamed));
    });
    made.tool("fails", [](gantry_call* call) {
      return api().fail(call, b("not_found"), b("no"), b(kNamed));
    });
    made.tool("plain", [](gantry_call* call) { return api().write(call, b("text"), b("one")); });
    return made;
  }

  std::vector<std::string> seen_;
};

TEST_F(RedactionTest, ReplacesEachTextThatNamesAClass) {
  redactor();
  stranger();
  publish();
  EXPECT_EQ(run("named").structured, R"({"className":""})");
  EXPECT_EQ(run("texts").content,
            R"({"type":"text","text":"one"},{"type":"text","text":"{\"className\":\"\"}"})");
  EXPECT_EQ(run("fails").details, R"({"className":""})");
  ASSERT_EQ(seen_.size(), 3U);
  EXPECT_EQ(seen_.front(), R"({"value":[{"className":"hidden"}]})");
  EXPECT_EQ(run("plain").content, R"({"type":"text","text":"one"})");
  EXPECT_EQ(seen_.size(), 3U) << "an answer that names no class is not sent";
}

TEST_F(RedactionTest, IsOfferedByBuiltInPluginsOnly) {
  redactor(false);
  stranger();
  publish();
  EXPECT_EQ(run("named").structured, kNamed) << "a stranger must not read the answers of others";
  EXPECT_TRUE(seen_.empty());
}

TEST_F(RedactionTest, IsNotForBuiltInPlugins) {
  redactor();
  stranger().make_builtin();
  publish();
  EXPECT_EQ(run("named").structured, kNamed);
  EXPECT_TRUE(seen_.empty());
}

TEST_F(RedactionTest, AnAnswerThatCannotBeCheckedIsNotGiven) {
  FakePlugin& provider = plugin("redactor");
  provider.make_builtin();
  provider.service("gantry.redaction/1", [](gantry_call* call) {
    return api().fail(call, b("internal_error"), b("broken"), b(""));
  });
  stranger();
  publish();
  const ItemAnswer answer = run("named");
  EXPECT_EQ(answer.kind, ItemAnswer::Kind::error);
  EXPECT_EQ(answer.error_code, "internal_error");
  EXPECT_TRUE(answer.structured.empty() && answer.content.empty());
  ASSERT_EQ(faults().size(), 1U);
  EXPECT_NE(faults().front().find("could not be redacted"), std::string::npos);
}

TEST_F(RedactionTest, IsCancelledWithItsCall) {
  std::promise<void> entered, leave;
  FakePlugin& provider = plugin("redactor");
  provider.make_builtin();
  provider.service("gantry.redaction/1", [&](gantry_call*) {
    entered.set_value();
    leave.get_future().wait();
    return GANTRY_OK;
  });
  stranger();
  publish();
  auto recorder = std::make_shared<Recorder>();
  const auto handle = start("named", recorder);
  entered.get_future().wait();
  handle->cancel(CancelReason::client_disconnected);
  EXPECT_TRUE(recorder->wait().cancelled);
  leave.set_value();
  EXPECT_TRUE(calls_->drain(5s));
}

}  // namespace
}  // namespace gantry::host::redaction_test
