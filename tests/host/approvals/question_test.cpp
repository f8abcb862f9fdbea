// An approval as a person sees it, and the answers that count.
#include "host/approvals/question.hpp"

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

TEST(ApprovalQuestion, ShowsUnseenCharactersAsEscapes) {
  EXPECT_EQ(visible_json("{\"a\":\"x\u202Ey\u200B\u0085\uFEFF\U000E0041é😀\"}"),
            "{\"a\":\"x\\u202ey\\u200b\\u0085\\ufeff\\udb40\\udc41é😀\"}");
}

TEST(ApprovalQuestion, TakesOnlyTheWordsOfAnAnswer) {
  const auto answer = [](const std::string& json) {
    return approval_answer("{\"gantry-approval\":" + json + "}");
  };
  EXPECT_EQ(answer(R"({"action":"accept"})"), true);
  EXPECT_EQ(answer(R"({"action":"decline"})"), false);
  EXPECT_EQ(answer(R"({"action":"cancel"})"), false);
  for (const char* no :
       {"{}", "true", "\"accept\"", R"({"action":true})", R"({"action":"Accept"})"}) {
    EXPECT_FALSE(answer(no)) << no;
  }
  EXPECT_FALSE(approval_answer(""));
  EXPECT_FALSE(approval_answer(R"({"approval":{"action":"accept"}})"));
  EXPECT_EQ(without_approval_answer(R"({"gantry-approval":{"action":"accept"},"b":{}})"),
            R"({"b":{}})");
  EXPECT_EQ(without_approval_answer(R"({"gantry-approval":{"action":"accept"}})"), "");
}

TEST(ApprovalQuestion, NamesAgentUserToolArgumentsAndPreview) {
  Agent agent;
  agent.name = "sales";
  agent.user = "ann";
  ApprovalAsk ask;
  ask.agent = share(std::move(agent));
  ask.tool = "set";
  ask.arguments = R"({"a":1})";
  ask.preview = R"({"rows":2})";
  ask.plan_token = "secret";
  const std::string requests = approval_requests(ask);
  for (const char* part : {"'sales'", "'ann'", "'set'", R"({\"a\":1})", R"({\"rows\":2})",
                           R"("method":"elicitation/create")"}) {
    EXPECT_NE(requests.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(requests.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace gantry::host
