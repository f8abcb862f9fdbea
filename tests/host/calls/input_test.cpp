// gantry.input/1: what is asked, what counts as an answer, and how rounds go on or end.
#include <future>

#include "tests/host/calls/harness.hpp"

namespace gantry::host::input_test {
namespace {

using Kind = ItemAnswer::Kind;

constexpr std::string_view kForm = R"({"message":"Who?","requestedSchema":{"type":"object",)"
                                   R"("properties":{"name":{"type":"string","minLength":2}},)"
                                   R"("required":["name"]}})";
constexpr std::string_view kUrl = R"({"mode":"url","message":"Go","url":"https://x.y"})";
constexpr std::string_view kSample = R"({"messages":[],"maxTokens":10})";
constexpr std::string_view kSampleTools = R"({"messages":[],"maxTokens":10,"tools":[]})";
constexpr std::string_view kElicit = "elicitation/create", kModel = "sampling/createMessage",
                           kRoots = "roots/list";

ClientCan everything() { return {true, true, true, true, true, true}; }

class InputTest : public CallsTest {
 protected:
  // What request() gives; the answer goes to `answer_`.
  gantry_status ask(gantry_call* call, std::string_view key, std::string_view method,
                    std::string_view params) {
    gantry_bytes answer{};
    const gantry_status status = input_table().request(call, b(key), b(method), b(params), &answer);
    answer_ = view(answer);
    EXPECT_EQ(status == GANTRY_OK, !answer_.empty());
    return status;
  }
  // A tool that asks one thing and ends with what request() gave.
  void asks_one(std::string method, std::string params) {
    plugin("p").tool("t", [this, method, params](gantry_call* call) {
      status_ = ask(call, "k", method, params);
      if (status_ != GANTRY_OK) return status_;
      return api().write(call, b("text"), b(answer_));
    });
    publish();
  }
  ItemAnswer enter(Inputs inputs, std::string_view kind = "tool", std::string_view key = "t") {
    ItemCall call = request(kind, key);
    call.inputs = std::move(inputs);
    return run_item(call);
  }
  ItemAnswer enter(std::string answers) { return enter({everything(), std::move(answers), "", 1}); }
  // Whether `answer` answers what asks_one() asked.
  bool accepted(const std::string& answer) {
    return enter(R"({"k":)" + answer + "}").kind == Kind::result;
  }

  std::string answer_;
  gantry_status status_ = GANTRY_OK;
};

TEST_F(InputTest, AMissingAnswerIsRequestedAndThenAvailable) {
  asks_one(std::string(kElicit), std::string(kForm));
  const ItemAnswer first = enter({everything(), "", "", 0});
  EXPECT_EQ(first.kind, Kind::input_required);
  EXPECT_EQ(status_, GANTRY_INPUT_REQUIRED);
  EXPECT_EQ(first.requests,
            R"({"k":{"method":"elicitation/create","params":)" + std::string(kForm) + "}}");
  EXPECT_EQ(first.state, "");
  EXPECT_EQ(first.answers, "");
  const ItemAnswer second = enter(R"({"k":{"action":"accept","content":{"name":"Ada"}}})");
  EXPECT_EQ(second.kind, Kind::result);
  EXPECT_EQ(answer_, R"({"action":"accept","content":{"name":"Ada"}})");
}

TEST_F(InputTest, AnAcceptedFormMustFitItsSchema) {
  asks_one(std::string(kElicit), std::string(kForm));
  EXPECT_TRUE(accepted(R"({"action":"accept","content":{"name":"Ada"}})"));
  EXPECT_FALSE(accepted(R"({"action":"accept","content":{"name":"A"}})"));
  EXPECT_FALSE(accepted(R"({"action":"accept","content":[]})"));
  EXPECT_FALSE(accepted(R"({"action":"accept"})"));
  EXPECT_TRUE(accepted(R"({"action":"decline"})"));
  EXPECT_TRUE(accepted(R"({"action":"cancel","content":{"name":"A"}})"));
  EXPECT_FALSE(accepted(R"({"action":"maybe"})"));
  EXPECT_FALSE(accepted("7"));
}

TEST_F(InputTest, AnAnswerOfTheWrongFormIsAskedForAgainAndNotCarriedOn) {
  asks_one(std::string(kElicit), std::string(kForm));
  const ItemAnswer again = enter(R"({"k":{"action":"accept","content":{}}})");
  EXPECT_EQ(again.kind, Kind::input_required);
  EXPECT_NE(again.requests.find("\"k\""), std::string::npos);
  EXPECT_EQ(again.answers, "");
}

TEST_F(InputTest, AUrlNeedsConsentAndNoContent) {
  asks_one(std::string(kElicit), std::string(kUrl));
  EXPECT_TRUE(accepted(R"({"action":"accept"})"));
  EXPECT_FALSE(accepted(R"({})"));
}

TEST_F(InputTest, ASampleIsAMessage) {
  asks_one(std::string(kModel), std::string(kSample));
  EXPECT_TRUE(accepted(R"({"role":"assistant","content":{"type":"text","text":"x"},"model":"m"})"));
  EXPECT_TRUE(accepted(R"({"role":"assistant","content":[{"type":"text","text":"x"}]})"));
  EXPECT_FALSE(accepted(R"({"role":"system","content":{"type":"text","text":"x"}})"));
  EXPECT_FALSE(accepted(R"({"role":"assistant","content":"x"})"));
  EXPECT_FALSE(accepted(R"({"role":"assistant","content":{"type":"text"},"model":1})"));
}

TEST_F(InputTest, RootsAreAListOfUris) {
  asks_one(std::string(kRoots), "");
  EXPECT_TRUE(accepted(R"({"roots":[]})"));
  EXPECT_TRUE(accepted(R"({"roots":[{"uri":"file:///a","name":"a"}]})"));
  EXPECT_FALSE(accepted(R"({"roots":[{"name":"a"}]})"));
  EXPECT_FALSE(accepted(R"({"roots":{}})"));
}

TEST_F(InputTest, ParamsThatNoClientCouldAnswerAreThePluginsFault) {
  const std::vector<std::pair<std::string_view, std::string_view>> wrong{
      {"tools/list", "{}"},
      {kElicit, "[]"},
      {kElicit, "{"},
      {kElicit, R"({"requestedSchema":{}})"},
      {kElicit, R"({"message":"m"})"},
      {kElicit, R"({"message":"m","requestedSchema":{"type":"strnig"}})"},
      {kElicit, R"({"message":"m","mode":"url"})"},
      {kElicit, R"({"message":"m","mode":"post"})"},
      {kModel, R"({"maxTokens":1})"},
      {kModel, R"({"messages":[],"maxTokens":0})"}};
  plugin("p").tool("t", [&](gantry_call* call) {
    for (const auto& [method, params] : wrong) {
      EXPECT_EQ(ask(call, "k", method, params), GANTRY_INVALID_ARGUMENT) << method << params;
    }
    for (const std::string& key : {std::string(), std::string("a b"), std::string(65, 'k')}) {
      EXPECT_EQ(ask(call, key, kRoots, ""), GANTRY_INVALID_ARGUMENT) << key;
    }
    return GANTRY_OK;
  });
  publish();
  enter({everything(), "", "", 0});
  ASSERT_EQ(faults().size(), wrong.size() + 3);
  EXPECT_NE(faults()[5].find("requestedSchema"), std::string::npos) << faults()[5];
}

TEST_F(InputTest, OnlyMissingAnswersAreRequestedAgainAndTheOthersAreCarried) {
  plugin("p").tool("t", [&](gantry_call* call) {
    ask(call, "a", kRoots, "");
    ask(call, "b", kModel, kSample);
    return status_ = ask(call, "c", kElicit, kUrl);
  });
  publish();
  const ItemAnswer answer = enter(R"({"a":{"roots":[]},"later":{"x":1},"c":5})");
  EXPECT_EQ(answer.requests,
            R"({"b":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":10}},)"
            R"("c":{"method":"elicitation/create","params":)" +
                std::string(kUrl) + "}}");
  EXPECT_EQ(answer.answers, R"({"a":{"roots":[]},"later":{"x":1}})")
      << "a later entry may ask for what this one did not";
}

TEST_F(InputTest, StateTravelsFromKeepToTheNextRound) {
  std::string state;
  plugin("p").tool("t", [&](gantry_call* call) {
    state = view(input_table().state(call));
    EXPECT_EQ(input_table().keep(call, b("dropped")), GANTRY_OK);
    EXPECT_EQ(input_table().keep(call, b("kept")), GANTRY_OK);
    EXPECT_EQ(input_table().keep(call, b(std::string((16u << 10) + 1, 'x'))), GANTRY_TOO_BIG);
    return GANTRY_INPUT_REQUIRED;
  });
  publish();
  const ItemAnswer answer = enter({everything(), "", "before", 1});
  EXPECT_EQ(state, "before");
  EXPECT_EQ(answer.kind, Kind::input_required) << "a state alone is reason enough";
  EXPECT_EQ(answer.state, "kept");
  EXPECT_EQ(answer.requests, "");
}

TEST_F(InputTest, AskingTheSameTwiceIsOneRequestAndAKeyNamesOneThing) {
  plugin("p").tool("t", [&](gantry_call* call) {
    EXPECT_EQ(ask(call, "k", kRoots, ""), GANTRY_INPUT_REQUIRED);
    EXPECT_EQ(ask(call, "k", kRoots, " { } "), GANTRY_INPUT_REQUIRED);
    EXPECT_EQ(ask(call, "k", kModel, kSample), GANTRY_INVALID_ARGUMENT);
    return GANTRY_INPUT_REQUIRED;
  });
  publish();
  EXPECT_EQ(enter({everything(), "", "", 0}).requests,
            R"({"k":{"method":"roots/list","params":{}}})");
}

TEST_F(InputTest, ACallHasSixteenRequestsAndSixtyFourKilobytes) {
  plugin("p").tool("many", [&](gantry_call* call) {
    for (int i = 0; i < 16; ++i) {
      EXPECT_EQ(ask(call, std::to_string(i), kRoots, ""), GANTRY_INPUT_REQUIRED);
    }
    return ask(call, "16", kRoots, "");
  });
  const std::string half =
      R"({"message":")" + std::string(40'000, 'x') + R"(","requestedSchema":{}})";
  plugin("q").tool("big", [&, half](gantry_call* call) {
    EXPECT_EQ(ask(call, "a", kElicit, half), GANTRY_INPUT_REQUIRED);
    EXPECT_EQ(ask(call, "huge", kElicit, half + half), GANTRY_TOO_BIG);
    return ask(call, "b", kElicit, half);
  });
  publish();
  EXPECT_EQ(enter({everything(), "", "", 0}, "tool", "many").kind, Kind::error);
  EXPECT_EQ(enter({everything(), "", "", 0}, "tool", "big").kind, Kind::error);
}

TEST_F(InputTest, AnUndeclaredCapabilityIsNamedIfTheCallEndsForIt) {
  struct Case {
    std::string_view method, params, capabilities;
  };
  for (const Case& c : {Case{kElicit, kForm, R"({"elicitation":{}})"},
                        Case{kElicit, kUrl, R"({"elicitation":{"url":{}}})"},
                        Case{kModel, kSample, R"({"sampling":{}})"},
                        Case{kModel, kSampleTools, R"({"sampling":{"tools":{}}})"},
                        Case{kRoots, "", R"({"roots":{}})"}}) {
    plugins_.clear();
    asks_one(std::string(c.method), std::string(c.params));
    const ItemAnswer answer = enter({{}, "", "", 0});
    EXPECT_EQ(status_, GANTRY_UNSUPPORTED);
    EXPECT_EQ(answer.kind, Kind::missing_capability);
    EXPECT_EQ(answer.requests, c.capabilities);
    EXPECT_NE(
        answer.message.find("The tool 't' needs capabilities that this client did not declare"),
        std::string::npos);
  }
}

TEST_F(InputTest, AllThatIsMissingIsNamedTogether) {
  plugin("p").tool("t", [&](gantry_call* call) {
    ask(call, "a", kElicit, kForm);
    ask(call, "b", kElicit, kUrl);
    ask(call, "c", kRoots, "");
    return ask(call, "d", kModel, kSample);
  });
  publish();
  const ItemAnswer answer = enter({{}, "", "", 0});
  EXPECT_EQ(answer.requests, R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}})");
  EXPECT_NE(answer.message.find("elicitation, elicitation.url, sampling, roots"),
            std::string::npos);
}

TEST_F(InputTest, AHandlerMayContinueWithoutAMissingCapability) {
  FakePlugin& p = plugin("p");
  p.tool("without", [&](gantry_call* call) {
    EXPECT_EQ(ask(call, "k", kRoots, ""), GANTRY_UNSUPPORTED);
    return api().write(call, b("text"), b("fine"));
  });
  p.tool("fails", [&](gantry_call* call) {
    ask(call, "k", kRoots, "");
    api().fail(call, b("invalid_argument"), b("no roots, no work"), b(""));
    return GANTRY_UNSUPPORTED;
  });
  publish();
  EXPECT_EQ(enter({{}, "", "", 0}, "tool", "without").kind, Kind::result);
  EXPECT_EQ(enter({{}, "", "", 0}, "tool", "fails").message, "no roots, no work");
}

TEST_F(InputTest, AClientOfPagesAloneLacksForms) {
  asks_one(std::string(kElicit), std::string(kForm));
  ClientCan can;
  can.elicit_url = true;
  const ItemAnswer answer = enter({can, "", "", 0});
  EXPECT_EQ(answer.requests, R"({"elicitation":{"form":{}}})");
  EXPECT_NE(answer.message.find("elicitation.form"), std::string::npos);
}

TEST_F(InputTest, SamplingWithoutToolsDoesNotAllowTools) {
  asks_one(std::string(kModel), std::string(kSampleTools));
  ClientCan can;
  can.sample = true;
  EXPECT_EQ(enter({can, "", "", 0}).requests, R"({"sampling":{"tools":{}}})");
}

TEST_F(InputTest, AnotherRoundWithoutReasonIsThePluginsFault) {
  plugin("p").tool("t", [&](gantry_call* call) {
    ask(call, "k", kRoots, "");
    return GANTRY_INPUT_REQUIRED;
  });
  publish();
  const ItemAnswer answer = enter(R"({"k":{"roots":[]}})");
  EXPECT_EQ(answer.error_code, "internal_error");
  ASSERT_EQ(faults().size(), 1u);
  EXPECT_NE(faults()[0].find("no unanswered request"), std::string::npos);
}

TEST_F(InputTest, AnAnswerDropsTheOpenRequests) {
  plugin("p").tool("t", [&](gantry_call* call) {
    ask(call, "k", kRoots, "");
    return api().write(call, b("text"), b("done"));
  });
  publish();
  const ItemAnswer answer = enter({everything(), "", "", 0});
  EXPECT_EQ(answer.kind, Kind::result);
  EXPECT_EQ(answer.requests, "");
}

TEST_F(InputTest, EightRoundsAreEnough) {
  asks_one(std::string(kRoots), "");
  EXPECT_EQ(enter({everything(), "", "", 7}).kind, Kind::input_required);
  const ItemAnswer answer = enter({everything(), "", "", 8});
  EXPECT_EQ(answer.kind, Kind::error);
  EXPECT_EQ(answer.message, "The tool 't' still asks for input after 8 rounds of it");
  EXPECT_EQ(enter({everything(), R"({"k":{"roots":[]}})", "", 8}).kind, Kind::result);
}

TEST_F(InputTest, PromptsAndResourcesMayAskCompletionsAndListsMayNot) {
  const auto body = [this](gantry_call* call) { return status_ = ask(call, "k", kRoots, ""); };
  FakePlugin& p = plugin("p");
  p.prompt("greet", body);
  p.completion("greet", body);
  p.resource("x://a", body);
  p.resource("x://{b}", body);
  p.list("x://{b}", body);
  publish();
  const Inputs inputs{everything(), "", "", 0};
  EXPECT_EQ(enter(inputs, "prompt", "greet").kind, Kind::input_required);
  EXPECT_EQ(enter(inputs, "resource", "x://a").kind, Kind::input_required);
  EXPECT_EQ(enter(inputs, "resource_template", "x://{b}").kind, Kind::input_required);
  EXPECT_EQ(enter(inputs, "completion", "greet").kind, Kind::error);
  EXPECT_EQ(status_, GANTRY_UNSUPPORTED);
  EXPECT_EQ(enter(inputs, "resource_list", "x://{b}").kind, Kind::error);
}

TEST_F(InputTest, NestedCallsCannotAskAndHaveNoState) {
  FakePlugin& p = plugin("p");
  p.tool("inner", [&](gantry_call* call) {
    EXPECT_EQ(ask(call, "k", kRoots, ""), GANTRY_UNSUPPORTED);
    EXPECT_EQ(input_table().keep(call, b("x")), GANTRY_UNSUPPORTED);
    EXPECT_EQ(view(input_table().state(call)), "");
    EXPECT_EQ(task_table().begin(call), GANTRY_UNSUPPORTED);
    return GANTRY_INPUT_REQUIRED;
  });
  p.tool("t", [&](gantry_call* call) -> gantry_status {
    std::string parts;
    EXPECT_EQ(nested(p, call, "tool", "inner", parts), GANTRY_FAILED);
    return api().write(call, b("text"), b(parts));
  });
  publish();
  const ItemAnswer answer = enter({everything(), "", "secret", 1});
  EXPECT_NE(answer.content.find("internal_error"), std::string::npos) << answer.content;
  EXPECT_EQ(faults().size(), 1u);
}

TEST_F(InputTest, ADeadCallIsNotAskedForAnythingMore) {
  plugin("p")
      .tool("t",
            [&](gantry_call* call) {
              while (!api().cancelled(call)) std::this_thread::sleep_for(1ms);
              status_ = ask(call, "k", kRoots, "");
              EXPECT_EQ(input_table().keep(call, b("x")), GANTRY_CANCELLED);
              EXPECT_EQ(task_table().begin(call), GANTRY_CANCELLED);
              return GANTRY_INPUT_REQUIRED;
            })
      .timeout = 400ms;
  publish();
  EXPECT_EQ(enter({everything(), "", "", 0}).error_code, "timeout");
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_EQ(status_, GANTRY_CANCELLED);
}

TEST_F(InputTest, AnAsynchronousCallMayEndInAnotherRoundToo) {
  std::promise<std::thread> worker;
  plugin("p").tool("t", [&](gantry_call* call) {
    worker.set_value(std::thread([this, call] {
      ask(call, "k", kRoots, "");
      api().finish(call, GANTRY_INPUT_REQUIRED);
    }));
    return GANTRY_PENDING;
  });
  publish();
  EXPECT_EQ(enter({everything(), "", "", 0}).kind, Kind::input_required);
  worker.get_future().get().join();
}

}  // namespace
}  // namespace gantry::host::input_test
