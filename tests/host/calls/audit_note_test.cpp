// What plugins add to the audit record, and the calls of sub-agents, as the listener hears of them.
#include <future>

#include "sdk/contract/call_writes.hpp"
#include "tests/host/calls/harness.hpp"

namespace gantry::host::audit_note_test {
namespace {

gantry_status note(gantry_call* call, const std::string& text) {
  return api().write(call, b(std::string(contract::kAuditPart)), b(text));
}

TEST_F(CallsTest, NotesOfTheWholeCallComeWithTheAnswerAndAreNoPartOfIt) {
  plugin("provider").service("x.y/1", [](gantry_call* call) {
    EXPECT_EQ(note(call, "{\"sql\" :\n\"a  b\"}"), GANTRY_OK);
    return api().write(call, b("rows"), b("[]"));
  });
  FakePlugin& user = plugin("user").needs("x.y/1");
  std::string parts;
  user.tool("t", [&](gantry_call* call) {
    EXPECT_EQ(note(call, R"({"n":1})"), GANTRY_OK);
    EXPECT_EQ(nested(user, call, "service", "x.y/1", parts), GANTRY_OK);
    return api().write(call, b("text"), b("done"));
  });
  user.tool("bare", [](gantry_call* call) { return api().write(call, b("text"), b("done")); });
  user.tool("refused", [](gantry_call* call) {
    EXPECT_EQ(note(call, "{}"), GANTRY_OK);
    return api().fail(call, b("access_denied"), b("No."), {});
  });
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(answer.notes, R"([{"n":1},{"sql":"a  b"}])");
  EXPECT_EQ(answer.content.find("sql"), std::string::npos);
  EXPECT_EQ(parts, "rows=[];");
  EXPECT_EQ(run("bare").notes, "");
  EXPECT_EQ(run("refused").notes, "[{}]");
}

TEST_F(CallsTest, ANoteIsAnObjectAndAllOfThemAreBounded) {
  plugin("p").tool("t", [](gantry_call* call) {
    for (const char* wrong : {"", "[]", "{", "7", "{\"a\":1} x"}) {
      EXPECT_EQ(note(call, wrong), GANTRY_INVALID_ARGUMENT) << wrong;
    }
    const auto sized = [](std::size_t bytes) {
      return R"({"a":")" + std::string(bytes - 8, 'x') + "\"}";
    };
    EXPECT_EQ(note(call, sized(contract::kMostAuditBytes + 1)), GANTRY_TOO_BIG);
    EXPECT_EQ(note(call, sized(contract::kMostAuditBytes - 9)), GANTRY_OK);
    EXPECT_EQ(note(call, sized(9)), GANTRY_TOO_BIG);
    EXPECT_EQ(note(call, sized(8)), GANTRY_OK);
    return api().write(call, b("text"), b("done"));
  });
  publish();
  EXPECT_EQ(run("t").notes.size(), contract::kMostAuditBytes + 2);
}

class Hearing final : public CallListener {
 public:
  void progress(double, double, std::string_view) override {}
  void log(int, std::string_view, std::string_view) override {}
  void sub_agent_called(const SubAgentCall& call) override {
    heard_.push_back(std::string(call.plugin) + "." + std::string(call.tool) + " depth " +
                     std::to_string(call.agent.depth) + (call.ran ? " ran " : " refused ") +
                     std::string(call.error_code) + " " + std::to_string(call.bytes));
    ids_.push_back(call.agent.id + "<" + call.agent.parent_id);
  }
  void done(ItemAnswer&&) override { over_.set_value(); }
  void wait() { over_.get_future().wait(); }

  std::vector<std::string> heard_, ids_;

 private:
  std::promise<void> over_;
};

TEST_F(CallsTest, ToolsThatASubAgentCallsAreReported) {
  FakePlugin& p = plugin("p");
  p.tool("leaf", [](gantry_call* call) { return api().write(call, b("text"), b("12345")); });
  p.tool("failing",
         [](gantry_call* call) { return api().fail(call, b("not_found"), b("No."), {}); });
  p.tool("middle", [&p](gantry_call* call) {
    std::string parts;
    (void)nested(p, call, "tool", "leaf", parts, "{}");  // of a sub-agent's sub-agent
    (void)nested(p, call, "tool", "failing", parts);     // as this sub-agent
    return api().write(call, b("text"), b("x"));
  });
  p.tool("top", [&p](gantry_call* call) {
    std::string parts;
    (void)nested(p, call, "tool", "leaf", parts);  // as the client's own agent
    (void)nested(p, call, "tool", "middle", parts, "{}");
    (void)nested(p, call, "tool", "leaf", parts, R"({"tools":{"except":["leaf"]}})");
    return api().write(call, b("text"), b("x"));
  });
  publish();
  auto hearing = std::make_shared<Hearing>();
  start("top", hearing);
  hearing->wait();
  EXPECT_EQ(hearing->heard_,
            (std::vector<std::string>{"p.leaf depth 2 ran  5", "p.failing depth 1 ran not_found 0",
                                      "p.middle depth 1 ran  1",
                                      "p.leaf depth 1 refused tool_filtered 0"}));
  ASSERT_EQ(hearing->ids_.size(), 4u);
  const std::string middle = hearing->ids_[2].substr(0, hearing->ids_[2].find('<'));
  EXPECT_EQ(hearing->ids_[2], middle + "<");
  EXPECT_TRUE(hearing->ids_[0].ends_with("<" + middle)) << hearing->ids_[0];
  EXPECT_EQ(hearing->ids_[1], hearing->ids_[2]);
}

}  // namespace
}  // namespace gantry::host::audit_note_test
