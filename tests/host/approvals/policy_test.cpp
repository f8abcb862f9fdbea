// Which calls need an approval, and how they preview.
#include "host/approvals/policy.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace gantry::host {
namespace {

constexpr const char* kSchema =
    R"({"type":"object","properties":{"a":{},"dry_run":{"type":"boolean"},"plan_token":{"type":"string"}}})";

ItemSpec tool(const std::string& name, Tier tier, const std::string& schema = kSchema) {
  ItemSpec out;
  out.kind = "tool";
  out.name = name;
  out.tier = tier;
  out.input_schema = schema;
  return out;
}

ApprovalNeed need(const Approval& approval, const ItemSpec& item, const char* arguments) {
  Agent agent;
  agent.tier = Tier::admin;
  agent.approval = approval;
  rapidjson::Document document;
  document.Parse(arguments);
  return approval_need(agent, item, item.tier, document);
}

TEST(ApprovalPolicy, AsksForTiersAndToolsAsListed) {
  Approval asked;
  EXPECT_EQ(need(asked, tool("set", Tier::admin), "{}"), ApprovalNeed::none);
  asked.tiers = {Tier::write};
  EXPECT_EQ(need(asked, tool("set", Tier::write), "{}"), ApprovalNeed::always);
  EXPECT_EQ(need(asked, tool("set", Tier::readonly), "{}"), ApprovalNeed::none);
  EXPECT_EQ(need(asked, tool("set", Tier::admin), "{}"), ApprovalNeed::none);
  asked.tiers = {};
  asked.tools = {"get"};
  EXPECT_EQ(need(asked, tool("get", Tier::readonly), "{}"), ApprovalNeed::always);
  ItemSpec prompt = tool("get", Tier::readonly);
  prompt.kind = "prompt";
  EXPECT_EQ(need(asked, prompt, "{}"), ApprovalNeed::none);
}

TEST(ApprovalPolicy, AsksForRowsOfToolsThatWrite) {
  Approval asked;
  asked.rows = 3;
  EXPECT_EQ(need(asked, tool("set", Tier::write), "{}"), ApprovalNeed::above_rows);
  EXPECT_EQ(need(asked, tool("get", Tier::readonly), "{}"), ApprovalNeed::none);
  asked.tools = {"set"};
  EXPECT_EQ(need(asked, tool("set", Tier::write), "{}"), ApprovalNeed::always);
}

TEST(ApprovalPolicy, FindsAgentsThatWriteWithoutApproval) {
  Agent agent;
  EXPECT_FALSE(writes_unasked(agent)) << "it writes nothing";
  agent.tier = Tier::write;
  EXPECT_TRUE(writes_unasked(agent));
  agent.approval.tools = {"delete_object"};
  agent.approval.rows = 3;
  EXPECT_TRUE(writes_unasked(agent)) << "by other tools, and up to three rows";
  agent.approval.tiers = {Tier::write};
  EXPECT_FALSE(writes_unasked(agent));
  agent.tier = Tier::admin;
  EXPECT_TRUE(writes_unasked(agent)) << "what needs admin";
  agent.approval.tiers = {Tier::write, Tier::admin};
  EXPECT_FALSE(writes_unasked(agent));
}

TEST(ApprovalPolicy, AsksForMethodsByNameAndClass) {
  const ItemSpec call = tool("call_method", Tier::readonly, R"({"type":"object"})");
  const char* const approve = R"({"class_name":"Order","method_name":"approve"})";
  for (const auto& [name, asks] : {std::pair{"approve", true},
                                   {"Order.approve", true},
                                   {"Invoice.approve", false},
                                   {"cancel", false}}) {
    Approval asked;
    asked.methods = {name};
    EXPECT_EQ(need(asked, call, approve) == ApprovalNeed::always, asks) << name;
  }
  Approval asked;
  asked.methods = {"approve"};
  EXPECT_EQ(need(asked, call,
                 R"({"class_name":"Order","method_name":"approve","arguments":{"dry_run":true}})"),
            ApprovalNeed::none);
}

TEST(ApprovalPolicy, AsksNotForAPreviewOfAToolThatHasOne) {
  Approval asked;
  asked.tiers = {Tier::write};
  EXPECT_EQ(need(asked, tool("set", Tier::write), R"({"dry_run":true})"), ApprovalNeed::none);
  for (const char* no : {R"({"dry_run":false})", R"({"dry_run":1})", R"({"dry_run":"true"})"}) {
    EXPECT_EQ(need(asked, tool("set", Tier::write), no), ApprovalNeed::always) << no;
  }
  // A tool without the argument would run.
  const ItemSpec plain = tool("set", Tier::write, R"({"type":"object","title":"dry_run"})");
  EXPECT_EQ(need(asked, plain, R"({"dry_run":true})"), ApprovalNeed::always);
}

TEST(ApprovalPolicy, MakesArgumentsWithoutChangingOthers) {
  const ItemSpec set = tool("set", Tier::write);
  const char* const given =
      R"({"a":12345678901234567890123.10,"plan_token":"mine","dry_run":false})";
  EXPECT_EQ(preview_arguments(set, given), R"({"a":12345678901234567890123.10,"dry_run":true})");
  EXPECT_EQ(with_plan_token(given, "t\""),
            R"({"a":12345678901234567890123.10,"plan_token":"t\""})");
  EXPECT_EQ(preview_arguments(set, "{}"), R"({"dry_run":true})");
  EXPECT_FALSE(preview_arguments(tool("set", Tier::write, R"({"type":"object"})"), given));
  EXPECT_EQ(
      preview_arguments(tool("call_method", Tier::readonly), R"({"m":1,"arguments":{"x":2}})"),
      R"({"m":1,"arguments":{"x":2,"dry_run":true}})");
}

}  // namespace
}  // namespace gantry::host
