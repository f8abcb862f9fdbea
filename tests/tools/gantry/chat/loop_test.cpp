// The loop of model and tools, with a scripted model and scripted tools.
#include "tools/gantry/chat/loop.hpp"

#include <gtest/gtest.h>

namespace gantry::cli::chat {
namespace {

Reply says(const std::string& text, End end = End::answered) {
  Reply out;
  out.text = text;
  out.wire = "<" + text + ">";
  out.model = "gpt-4o";
  out.end = end;
  out.usage = {10, 0, 0, 2};
  return out;
}

Reply calls(const std::vector<std::string>& names, const std::string& text = {}) {
  Reply out = says(text, End::calls);
  for (const auto& name : names) out.calls.push_back({"id-" + name, name, "{}"});
  return out;
}

class FakeModel final : public Model {
 public:
  Asked ask(const Request& request, const OnText& on_text) override {
    requests.push_back(request);
    Asked out{};
    if (replies.empty()) {
      out.status = Status::failed("down");
      return out;
    }
    out.reply = replies.front();
    if (!forever) replies.erase(replies.begin());
    on_text(out.reply.text);
    return out;
  }
  std::string said(const std::string& text) const override { return "said " + text; }

  std::vector<Reply> replies;
  bool forever = false;  // the first reply again and again
  std::vector<Request> requests;
};

class FakeTools final : public Tools {
 public:
  const std::vector<ToolSpec>& specs() const override { return specs_; }
  std::vector<Called> run(const std::vector<ToolCall>& wanted) override {
    std::vector<Called> out;
    for (const auto& call : wanted) {
      out.push_back({.result = {.id = call.id, .text = "of " + call.name},
                     .name = call.name,
                     .arguments = call.arguments,
                     .is_cancelled = cancels});
    }
    return out;
  }
  bool cancels = false;

 private:
  std::vector<ToolSpec> specs_{{"count", "", "{}"}};
};

class LoopTest : public ::testing::Test {
 protected:
  Played play(const std::string& question) {
    Loop loop(
        model, tools, meter, [this](std::string_view text) { shown += text; }, [] {});
    return loop.play("system", question, history);
  }
  std::vector<Role> roles() const {
    std::vector<Role> out;
    for (const auto& message : history.messages()) out.push_back(message.role);
    return out;
  }

  FakeModel model;
  FakeTools tools;
  Meter meter{"openai", Prices(), "2026-11-26", {}};
  History history;
  std::string shown;
};

TEST_F(LoopTest, AnswersWithoutTools) {
  model.replies = {says("Four.")};
  const Played played = play("2+2?");
  EXPECT_TRUE(played.status);
  EXPECT_EQ(played.answer, "Four.");
  EXPECT_EQ(played.rounds, 0);
  EXPECT_EQ(played.model, "gpt-4o");
  EXPECT_EQ(shown, "Four.");
  EXPECT_EQ(played.spent.usage.input, 10U);
  EXPECT_NEAR(played.spent.dollars, 10 * 2.5e-6 + 2 * 10e-6, 1e-12);
  EXPECT_EQ(model.requests[0].system, "system");
  EXPECT_EQ(model.requests[0].tools.size(), 1U);
  EXPECT_EQ(roles(), (std::vector<Role>{Role::user, Role::assistant}));
}

TEST_F(LoopTest, GivesResultsInTheOrderOfTheCalls) {
  model.replies = {calls({"a", "b"}, "Let me look. "), says("Done.")};
  const Played played = play("?");
  EXPECT_EQ(played.answer, "Done.");
  EXPECT_EQ(played.rounds, 1);
  ASSERT_EQ(played.calls.size(), 2U);
  const Message& results = history.messages()[2];
  EXPECT_EQ(results.results[0].id, "id-a");
  EXPECT_EQ(results.results[1].text, "of b");
  EXPECT_EQ(history.messages()[1].wire, "<Let me look. >") << "as it came";
  EXPECT_EQ(played.spent.usage.input, 20U);
}

TEST_F(LoopTest, ForbidsCallsAfterEightRounds) {
  model.replies = {calls({"a"})};
  model.forever = true;
  const Played played = play("?");
  EXPECT_EQ(played.rounds, 8);
  ASSERT_EQ(model.requests.size(), 9U);
  EXPECT_TRUE(model.requests[7].may_call);
  EXPECT_FALSE(model.requests[8].may_call);
  EXPECT_TRUE(played.status);
  EXPECT_FALSE(played.answer.empty()) << "a model that calls anyway has a sentence in its place";
  EXPECT_EQ(history.messages().back().wire, "said " + played.answer) << "without its calls";
}

TEST_F(LoopTest, CancelledCallsEndTheTurnWithAllResults) {
  model.replies = {calls({"a", "b"})};
  tools.cancels = true;
  const Played played = play("?");
  EXPECT_EQ(played.status.code(), GANTRY_CANCELLED);
  EXPECT_EQ(roles(), (std::vector<Role>{Role::user, Role::assistant, Role::results}));
  EXPECT_EQ(history.messages()[2].results.size(), 2U);
  EXPECT_EQ(model.requests.size(), 1U);
}

TEST_F(LoopTest, AQuestionThatFailsAtOnceIsForgotten) {
  EXPECT_EQ(play("?").status.message(), "down");
  EXPECT_TRUE(history.messages().empty());
  EXPECT_TRUE(history.originals().empty());
}

TEST_F(LoopTest, AFailureAfterToolsKeepsTheirResults) {
  model.replies = {calls({"a"})};
  EXPECT_FALSE(play("?").status);
  EXPECT_EQ(roles(), (std::vector<Role>{Role::user, Role::assistant, Role::results}));
}

TEST_F(LoopTest, ARefusedQuestionIsForgotten) {
  Reply refused = says("", End::refused);
  refused.refusal = "not that";
  model.replies = {calls({"a"}), refused};
  const Played played = play("?");
  EXPECT_EQ(played.status.code(), GANTRY_DENIED);
  EXPECT_EQ(played.status.message(), "the model refused: not that");
  EXPECT_TRUE(history.messages().empty());
}

TEST_F(LoopTest, APausedReplyIsSentBackButNotForEver) {
  model.replies = {says("Wait", End::paused), says("Done")};
  EXPECT_EQ(play("?").answer, "Done");
  EXPECT_EQ(roles(), (std::vector<Role>{Role::user, Role::assistant, Role::assistant}));
  model.replies = {says("Wait", End::paused)};
  model.forever = true;
  model.requests.clear();
  EXPECT_FALSE(play("?").status);
  EXPECT_EQ(model.requests.size(), 9U);
}

TEST_F(LoopTest, EstimatesTheContextOfAServerThatDoesNotCount) {
  Reply uncounted = says(std::string(400, 'x'));
  uncounted.usage = {};
  model.replies = {uncounted};
  play(std::string(80, 'x'));
  EXPECT_EQ(meter.context_used(), 20U);
  model.replies = {says("y")};
  play("?");
  EXPECT_EQ(meter.context_used(), 12U);
}

TEST_F(LoopTest, AnEmptyReplyIsNotSentBack) {
  model.replies = {calls({"a"}), says("")};
  EXPECT_TRUE(play("?").status);
  EXPECT_EQ(roles().back(), Role::results);
}

}  // namespace
}  // namespace gantry::cli::chat
