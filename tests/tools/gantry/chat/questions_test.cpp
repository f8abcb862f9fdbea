// What tools ask the user, and results as the model reads them.
#include "tools/gantry/chat/questions.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tools/gantry/chat/result_text.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

class FakePerson final : public Person {
 public:
  Said confirm(const std::string& text) override {
    asked += text + "|";
    return said;
  }
  std::optional<std::string> line(const std::string& prompt) override {
    asked += prompt + "|";
    if (lines.empty()) return std::nullopt;
    const std::string out = lines.front();
    lines.erase(lines.begin());
    return out;
  }
  void remark(const std::string& text) override { asked += text + "|"; }

  Said said = Said::yes;
  std::vector<std::string> lines;
  std::string asked;
};

const std::string kApproval =
    R"({"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":)"
    R"("elicitation/create","params":{"message":"Run it?","requestedSchema":{"type":"object","properties":{}}}}}})";
const std::string kForm =
    R"({"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":)"
    R"({"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"},)"
    R"("age":{"type":"integer","title":"Age"}}}}}}})";

TEST(Questions, AnApprovalIsAcceptedOrDeclined) {
  FakePerson person;
  EXPECT_TRUE(is_waiting(parsed(kApproval)));
  EXPECT_EQ(answers_to(parsed(kApproval), person).text,
            R"({"k":{"action":"accept","content":{}}})");
  EXPECT_EQ(person.asked, "Run it?|");
  person.said = Said::no;
  EXPECT_EQ(answers_to(parsed(kApproval), person).text, R"({"k":{"action":"decline"}})");
  person.said = Said::stopped;
  const Answers stopped = answers_to(parsed(kApproval), person);
  EXPECT_EQ(stopped.text, R"({"k":{"action":"cancel"}})");
  EXPECT_TRUE(stopped.stopped);
}

TEST(Questions, AFormIsFilledAndAWrongFieldAskedAgain) {
  FakePerson person;
  person.lines = {"Ann", "many", "7"};
  EXPECT_EQ(answers_to(parsed(kForm), person).text,
            R"({"k":{"action":"accept","content":{"name":"Ann","age":7}}})");
  EXPECT_NE(person.asked.find("age needs an integer, got many"), std::string::npos) << person.asked;
  EXPECT_NE(person.asked.find("Age (integer): "), std::string::npos) << person.asked;
  person.lines = {"", "7"};
  EXPECT_EQ(answers_to(parsed(kForm), person).text,
            R"({"k":{"action":"accept","content":{"age":7}}})");
  person.lines = {};
  EXPECT_TRUE(answers_to(parsed(kForm), person).stopped);
}

TEST(Questions, RequestsThatAChatCannotAnswerAreDeclined) {
  FakePerson person;
  for (const char* request : {R"({"method":"roots/list"})",
                              R"({"method":"elicitation/create","params":{"mode":"url"}})"}) {
    EXPECT_EQ(
        answers_to(parsed(std::string(R"({"inputRequests":{"k":)") + request + "}}"), person).text,
        R"({"k":{"action":"decline"}})");
  }
  EXPECT_EQ(person.asked, "");
}

TEST(Questions, TheCallIsSentAgainWithStateAndAnswers) {
  EXPECT_EQ(with_answers(R"({"name":"n","arguments":{}})", parsed(kApproval), R"({"k":1})"),
            R"({"name":"n","arguments":{},"inputResponses":{"k":1},"requestState":"s"})");
  EXPECT_EQ(with_answers(R"({"name":"n","inputResponses":{"k":1},"requestState":"s"})",
                         parsed(R"({"requestState":"t"})"), "{}"),
            R"({"name":"n","requestState":"t"})")
      << "only what this round has";
}

TEST(ResultText, IsTheTextsOrTheStructuredContent) {
  EXPECT_EQ(result_text(parsed(R"({"result":{"content":[{"type":"text","text":"a"},)"
                               R"({"type":"image","mimeType":"image/png","data":"AAAA"}]}})"))
                .text,
            "a\n[image, image/png: not shown]");
  EXPECT_EQ(result_text(parsed(R"({"result":{"content":[],"structuredContent":{"n":1}}})")).text,
            R"({"n":1})");
}

TEST(ResultText, ErrorsAreResults) {
  const auto refused = result_text(parsed(R"({"error":{"code":-32602,"message":"no such tool"}})"));
  EXPECT_EQ(refused.text, "error -32602: no such tool");
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(result_text(parsed(R"({"result":{"content":[],"isError":true}})")).is_error);
  EXPECT_TRUE(result_text(parsed("{}")).is_error);
}

TEST(ResultText, IsCutAt64KiBWithANote) {
  const std::string whole(kMaxResult, 'x');
  const auto of = [](const std::string& text) {
    return result_text(parsed(R"({"result":{"content":[{"type":"text","text":")" + text + "\"}]}}"))
        .text;
  };
  EXPECT_EQ(of(whole), whole);
  const std::string cut = of(whole + "y");
  EXPECT_EQ(cut.substr(0, kMaxResult), whole);
  EXPECT_NE(cut.find("the first 65536 of 65537 bytes"), std::string::npos);
  EXPECT_EQ(cut.find('y', kMaxResult), cut.find("bytes", kMaxResult) + 1) << "only the note's";
}

}  // namespace
}  // namespace gantry::cli::chat
