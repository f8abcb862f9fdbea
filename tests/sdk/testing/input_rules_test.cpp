// The rules of gantry.input/1 and gantry.task/1, kept and broken.
#include <gantry/testing/matchers.hpp>

#include "scripted.hpp"

using namespace gantry::testing;
using namespace scripted;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace input_rules_test {
namespace {

class InputRules : public Scripted {
 protected:
  static const gantry_input_api& input() {
    return *given.service<gantry_input_api>(GANTRY_INPUT_SERVICE);
  }
  static gantry_status ask(gantry_call* call, std::string_view key, std::string_view method,
                           std::string_view params, std::string* answer = nullptr) {
    gantry_bytes bytes_of{nullptr, 0};
    const gantry_status status =
        input().request(call, bytes(key), bytes(method), bytes(params), &bytes_of);
    if (answer != nullptr) *answer = gantry::to_view(bytes_of);
    return status;
  }
  static gantry_status roots(gantry_call* call, std::string_view key) {
    return ask(call, key, "roots/list", "");
  }
};

TEST_F(InputRules, AnAnswerIsFoundInTheNextRound) {
  host_->answer_input("k", R"({"roots":[]})");
  int entered = 0;
  std::string answer;
  const Reply reply = run([&](gantry_call* call) {
    ++entered;
    return ask(call, "k", "roots/list", "", &answer);
  });
  EXPECT_THAT(reply, Succeeds());
  EXPECT_EQ(entered, 2);
  EXPECT_EQ(answer, R"({"roots":[]})");
  EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(InputRules, NoticeAWaitForNothing) {
  EXPECT_THAT(run([](gantry_call*) { return GANTRY_INPUT_REQUIRED; }), FailsWith("internal_error"));
  EXPECT_THAT(violations(), HasSubstr("no request() waits for an answer"));
}

TEST_F(InputRules, ACallMayComeAgainForItsStateAlone) {
  const Reply reply = run([](gantry_call* call) {
    if (gantry::to_view(input().state(call)) == "x") return GANTRY_OK;
    input().keep(call, bytes("x"));
    return GANTRY_INPUT_REQUIRED;
  });
  EXPECT_THAT(reply, Succeeds());
  EXPECT_EQ(reply.rounds, 2);
  EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(InputRules, NoticeAFailureThatAlsoWaits) {
  run([](gantry_call* call) {
    given.calls->fail(call, bytes("not_found"), bytes("no"), {});
    return roots(call, "k");
  });
  EXPECT_THAT(violations(), HasSubstr("fail() in a call that ends with"));
}

TEST_F(InputRules, NoticeQuestionsOfTheWrongForm) {
  run([](gantry_call* call) {
    EXPECT_EQ(roots(call, "a b"), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "tools/list", "{}"), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "roots/list", "[]"), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "elicitation/create", "{}"), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "elicitation/create", R"({"message":"m"})"), GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "elicitation/create",
                  R"({"message":"m","requestedSchema":{"type":"object",
                      "properties":{"o":{"type":"object"}}}})"),
              GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "elicitation/create", R"({"message":"m","mode":"url"})"),
              GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "elicitation/create", R"({"message":"m","mode":"voice"})"),
              GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "sampling/createMessage", R"({"messages":[]})"),
              GANTRY_INVALID_ARGUMENT);
    EXPECT_EQ(ask(call, "k", "sampling/createMessage", R"({"messages":[],"maxTokens":0})"),
              GANTRY_INVALID_ARGUMENT);
    return GANTRY_OK;
  });
  EXPECT_EQ(host_->violations().size(), 10U);
}

TEST_F(InputRules, AFormWithoutRequiredMembersMayComeBackWithoutContent) {
  host_->answer_input("k", R"({"action":"accept"})");
  const auto asks = [](std::string_view required) {
    return [required](gantry_call* call) {
      return ask(call, "k", "elicitation/create",
                 R"({"message":"m","requestedSchema":{"type":"object","properties":)"
                 R"({"a":{"type":"string"}},"required":[)" +
                     std::string(required) + "]}}");
    };
  };
  EXPECT_THAT(run(asks("")), Succeeds());
  EXPECT_TRUE(run(asks("\"a\"")).needs_input());
}

TEST_F(InputRules, BoundsAreKept) {
  const Reply reply = run([](gantry_call* call) {
    for (int i = 0; i < 16; ++i) {
      EXPECT_EQ(roots(call, "k" + std::to_string(i)), GANTRY_INPUT_REQUIRED);
    }
    EXPECT_EQ(roots(call, "k16"), GANTRY_TOO_BIG);
    EXPECT_EQ(roots(call, "k3"), GANTRY_INPUT_REQUIRED);
    EXPECT_EQ(input().keep(call, bytes(std::string(16385, 'x'))), GANTRY_TOO_BIG);
    EXPECT_EQ(input().keep(call, bytes(std::string(16384, 'x'))), GANTRY_OK);
    return GANTRY_INPUT_REQUIRED;
  });
  EXPECT_EQ(reply.asked.size(), 16U);
  EXPECT_EQ(reply.kept.size(), 16384U);
  run([](gantry_call* call) {
    const std::string prompt(65536, 'x');
    EXPECT_EQ(ask(call, "k", "sampling/createMessage",
                  R"({"maxTokens":1,"messages":[],"systemPrompt":")" + prompt + "\"}"),
              GANTRY_TOO_BIG);
    return GANTRY_OK;
  });
  EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(InputRules, ThereAreEightRounds) {
  for (int i = 0; i < 12; ++i) host_->answer_input("k" + std::to_string(i), R"({"roots":[]})");
  const Reply reply = run([](gantry_call* call) {
    for (int i = 0; i < 12; ++i) {
      if (roots(call, "k" + std::to_string(i)) != GANTRY_OK) return GANTRY_INPUT_REQUIRED;
    }
    return GANTRY_OK;
  });
  EXPECT_TRUE(reply.needs_input());
  EXPECT_EQ(reply.rounds, 8);
}

TEST_F(InputRules, ACompletionCannotAsk) {
  script.invoke = [](gantry_call* call) {
    EXPECT_EQ(roots(call, "k"), GANTRY_UNSUPPORTED);
    given.calls->json_begin(call);
    given.calls->json_raw(call, bytes(R"({"values":[]})"));
    return given.calls->json_end(call);
  };
  EXPECT_THAT(host_->complete("p", "a", ""), Succeeds());
}

TEST_F(InputRules, NoticeAQuestionAfterTheCall) {
  gantry_call* kept = nullptr;
  run([&](gantry_call* call) { return kept = call, GANTRY_OK; });
  EXPECT_EQ(roots(kept, "k"), GANTRY_MISUSE);
  EXPECT_THAT(violations(), HasSubstr("request() of tool 't' after the call ended"));
}

TEST_F(InputRules, OutputWrittenBeforeAQuestionIsDropped) {
  const Reply reply = run([](gantry_call* call) {
    given.calls->write(call, bytes("text"), bytes("half"));
    return roots(call, "k");
  });
  EXPECT_THAT(reply, AsksFor("k"));
  EXPECT_THAT(reply.content, IsEmpty());
}

TEST_F(InputRules, AnswersOfTheWrongFormCountAsNone) {
  const auto asks = [](std::string method, std::string params) {
    return [=](gantry_call* call) { return ask(call, "k", method, params); };
  };
  for (const char* answer : {"[]", "{}", R"({"action":"yes"})", R"({"action":"accept"})"}) {
    host_->answer_input("k", answer);
    EXPECT_THAT(run(asks("elicitation/create", R"({"message":"m","requestedSchema":
                  {"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}})")),
                AsksFor("k"))
        << answer;
  }
  for (const char* answer : {R"({"role":"robot","content":{"type":"text","text":"t"}})",
                             R"({"role":"user"})", R"({"role":"user","content":["t"]})"}) {
    host_->answer_input("k", answer);
    EXPECT_THAT(run(asks("sampling/createMessage", R"({"messages":[],"maxTokens":1})")),
                AsksFor("k"))
        << answer;
  }
  EXPECT_THAT(run(asks("sampling/createMessage", R"({"messages":[],"maxTokens":1})")),
              AsksFor("k"));
  EXPECT_THAT(run(asks("roots/list", "")), AsksFor("k"));
  host_->answer_input("k", R"({"action":"accept"})");
  EXPECT_THAT(run(asks("elicitation/create", R"({"mode":"url","message":"m","url":"https://x"})")),
              Succeeds());
}

TEST_F(InputRules, TasksAreForToolsAndBounded) {
  options_.max_tasks = 0;
  make_host();
  const auto begin = [](gantry_call* call) {
    return given.service<gantry_task_api>(GANTRY_TASK_SERVICE)->begin(call);
  };
  EXPECT_EQ(run(begin).status, GANTRY_BUSY);
  options_.max_tasks = 1;
  make_host();
  const Reply reply = run([&](gantry_call* call) {
    EXPECT_EQ(begin(call), GANTRY_OK);
    given.calls->log(call, GANTRY_LOG_INFO, bytes("dropped"));
    return begin(call);
  });
  EXPECT_TRUE(reply.is_task);
  EXPECT_THAT(reply.log, IsEmpty());
  script.invoke = begin;
  EXPECT_EQ(host_->read("r:1").status, GANTRY_UNSUPPORTED);
}

}  // namespace
}  // namespace input_rules_test
