// The true cause of a denial, which a plugin tells the host alone.
#include "sdk/contract/call_writes.hpp"
#include "tests/host/calls/harness.hpp"

namespace gantry::host::denial_test {
namespace {

gantry_status write_cause(gantry_call* call, const std::string& cause) {
  return api().write(call, b(std::string(contract::kDenialPart)), b(cause));
}

gantry_status refuse(gantry_call* call, const std::string& cause) {
  EXPECT_EQ(write_cause(call, cause), GANTRY_OK);
  return api().fail(call, b("access_denied"), b("No."), b(R"({"kind":"hidden_class"})"));
}

TEST_F(CallsTest, ACauseComesWithTheAnswerAndIsNoPartOfIt) {
  plugin("p").tool("t", [](gantry_call* call) { return refuse(call, "class_filter"); });
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(answer.denial_cause, "class_filter");
  EXPECT_EQ(answer.details, R"({"kind":"hidden_class"})");
  EXPECT_EQ(answer.message, "No.");
  EXPECT_EQ(answer.content, "");
}

TEST_F(CallsTest, ACauseOfANestedCallReachesTheHostAndNotTheCaller) {
  plugin("provider").service("x.y/1", [](gantry_call* call) {
    EXPECT_EQ(write_cause(call, "hidden"), GANTRY_OK);
    api().write(call, b("rows"), b("[]"));
    return refuse(call, "absent");  // the last one counts
  });
  FakePlugin& user = plugin("user").needs("x.y/1");
  std::string parts;
  user.tool("t", [&](gantry_call* call) {
    EXPECT_EQ(nested(user, call, "service", "x.y/1", parts), GANTRY_FAILED);
    return api().fail(call, b("access_denied"), b("No."), {});
  });
  publish();
  EXPECT_EQ(run("t").denial_cause, "absent");
  EXPECT_EQ(parts.find("absent"), std::string::npos) << parts;
  EXPECT_EQ(parts.find("hidden\""), std::string::npos) << parts;
}

TEST_F(CallsTest, ACauseIsAWord) {
  plugin("p").tool("t", [](gantry_call* call) {
    for (const std::string& wrong :
         {std::string(), std::string("Two words"), std::string("a\n"), std::string(65, 'a')}) {
      EXPECT_EQ(write_cause(call, wrong), GANTRY_INVALID_ARGUMENT) << wrong;
    }
    return api().fail(call, b("access_denied"), b("No."), {});
  });
  publish();
  EXPECT_EQ(run("t").denial_cause, "");
}

TEST_F(CallsTest, ACauseStaysWithItsCall) {
  plugin("p").tool("t", [](gantry_call* call) { return refuse(call, "acl"); });
  plugin("q").tool(
      "u", [](gantry_call* call) { return api().fail(call, b("access_denied"), b("No."), {}); });
  publish();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run("t").denial_cause, "acl");
    EXPECT_EQ(run("u").denial_cause, "");
  }
}

}  // namespace
}  // namespace gantry::host::denial_test
