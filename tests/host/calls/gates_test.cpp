// The operator's gates: which items they close, and their place in the order of checks.
#include "tests/host/calls/harness.hpp"

namespace gantry::host::gates_test {
namespace {

using contract::GateSet;
using contract::kNoGates;
using contract::kRawCrud;
using contract::kSchemaOps;
using contract::kWriteTools;
using contract::united;

struct GatesTest : CallsTest {
  void serve(GateSet open, Agent agent) {
    CallLimits limits;
    limits.open_gates = open;
    make(limits);
    agent_ = share(std::move(agent));
    FakePlugin& made = plugin("p");
    ItemSpec& raw = made.tool("raw", [this](gantry_call* call) { return ran(call); });
    raw.gates = united(kWriteTools, kRawCrud);
    raw.tier = Tier::write;
    made.tool("plain", [this](gantry_call* call) { return ran(call); }).tier = Tier::write;
    publish();
  }
  gantry_status ran(gantry_call* call) {
    ++runs_;
    return api().write(call, b("text"), b("ran"));
  }
  static Agent writer() {
    Agent agent;
    agent.tier = Tier::write;
    return agent;
  }
  int runs_ = 0;
};

TEST_F(GatesTest, ToolRunsOnlyBehindOpenGatesAndTheRefusalNamesTheMissingOnes) {
  const auto refusal = [this](GateSet open) {
    plugins_.clear();
    serve(open, writer());
    return run("raw");
  };
  const ItemAnswer both = refusal(kNoGates);
  EXPECT_EQ(both.error_code, "access_denied");
  EXPECT_EQ(both.details,
            R"({"kind":"gate","missing":["GANTRY_ALLOW_WRITE_TOOLS","GANTRY_ALLOW_RAW_CRUD"]})");
  EXPECT_NE(both.message.find("GANTRY_ALLOW_WRITE_TOOLS and GANTRY_ALLOW_RAW_CRUD"),
            std::string::npos)
      << both.message;
  EXPECT_EQ(refusal(kWriteTools).details, R"({"kind":"gate","missing":["GANTRY_ALLOW_RAW_CRUD"]})");
  EXPECT_EQ(refusal(united(kRawCrud, kSchemaOps)).details,
            R"({"kind":"gate","missing":["GANTRY_ALLOW_WRITE_TOOLS"]})");
  EXPECT_EQ(runs_, 0);
  EXPECT_EQ(refusal(united(kRawCrud, kWriteTools)).kind, ItemAnswer::Kind::result);
  EXPECT_EQ(runs_, 1);
}

TEST_F(GatesTest, ToolWithoutGatesNeedsItsTierAlone) {
  serve(kNoGates, writer());
  EXPECT_EQ(run("plain").kind, ItemAnswer::Kind::result);
}

TEST_F(GatesTest, AreCheckedBeforeTierListsAndApproval) {
  Agent agent;
  agent.tools.except = {"raw"};
  agent.approval.tiers = {Tier::write};
  serve(kNoGates, agent);
  EXPECT_EQ(run("raw").error_code, "access_denied");
  plugins_.clear();
  serve(united(kRawCrud, kWriteTools), agent);
  EXPECT_EQ(run("raw").error_code, "permission_denied");
  plugins_.clear();
  agent.tier = Tier::write;
  serve(united(kRawCrud, kWriteTools), agent);
  EXPECT_EQ(run("raw").error_code, "tool_filtered");
  plugins_.clear();
  agent.tools.except = {};
  serve(united(kRawCrud, kWriteTools), agent);
  EXPECT_EQ(run("raw", "[]").error_code, "invalid_argument");
  EXPECT_EQ(run("raw").kind, ItemAnswer::Kind::approval_required);
  EXPECT_EQ(runs_, 0);
}

TEST_F(GatesTest, CloseNestedCallsToo) {
  CallLimits limits;
  make(limits);
  agent_ = share(writer());
  FakePlugin& made = plugin("p");
  made.tool("raw", [this](gantry_call* call) { return ran(call); }).gates = kRawCrud;
  std::string parts;
  made.tool("outer", [&](gantry_call* call) {
    EXPECT_EQ(nested(made, call, "tool", "raw", parts), GANTRY_DENIED);
    return GANTRY_OK;
  });
  publish();
  run("outer");
  EXPECT_EQ(runs_, 0);
  EXPECT_NE(parts.find(R"("missing":["GANTRY_ALLOW_RAW_CRUD"])"), std::string::npos) << parts;
}

TEST_F(GatesTest, ClosedItemsAreInNoList) {
  serve(kWriteTools, writer());
  const SnapshotPtr snapshot = registry_.current();
  for (const ItemPtr& item : snapshot->tools) {
    EXPECT_EQ(calls_->lists(*snapshot, *agent_, *item), item->spec.name == "plain");
  }
}

}  // namespace
}  // namespace gantry::host::gates_test
