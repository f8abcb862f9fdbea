// Class methods: what enters them, which arguments they take, previews, approval and tiers.
#include "tests/host/calls/harness.hpp"

namespace gantry::host::methods_test {
namespace {

constexpr const char* kEntry = R"({"object_id":"7","object":{},"arguments":{"why":"x"}})";
constexpr const char* kCall =
    R"({"class_name":"Order","method_name":"cancel","object_id":"7","arguments":{"why":"x"}})";

// A built-in call_method that enters Order.cancel with `entry_`.
struct MethodsTest : CallsTest {
  void SetUp() override {
    CallLimits limits;
    limits.open_gates = contract::kWriteTools;
    make(limits);
    FakePlugin& orders = plugin("orders");
    method_ = &orders.method("Order", "cancel", [this](gantry_call* call) { return cancel(call); });
    method_->tier = Tier::write;
    method_->gates = contract::kWriteTools;
    method_->input_schema = R"({"type":"object","properties":{"why":{"type":"string"}}})";
    caller_ = &plugin("caller");
    caller_->make_builtin();
    caller_->tool("call_method", [this](gantry_call* call) { return enter(*caller_, call); });
    stranger_ = &plugin("stranger");
    stranger_->tool("sneak", [this](gantry_call* call) { return enter(*stranger_, call); });
    agent([](Agent& agent) { agent.tier = Tier::write; });
  }
  template <class Change>
  void agent(Change change) {
    Agent made;
    change(made);
    agent_ = share(std::move(made));
  }
  // With the items as they are now.
  void publish_again() {
    registry_.set_plugins({}, {});
    publish();
  }
  gantry_status cancel(gantry_call* call) {
    ++runs_;
    writes_up_to_ = view(api().property(call, b("writes_up_to")));
    previews_up_to_ = view(api().property(call, b("previews_up_to")));
    api().json_begin(call);
    api().json_raw(call, b(R"({"done":true})"));
    return api().json_end(call);
  }
  gantry_status enter(FakePlugin& from, gantry_call* call) {
    if (enter_) return enter_(call);
    parts_.clear();
    status_ = nested(from, call, "method", "Order.cancel", parts_, "", entry_);
    return api().write(call, b("text"), b("x"));
  }
  // The parts that the entering plugin got.
  std::string entered(const std::string& entry) {
    entry_ = entry;
    run("call_method", kCall);
    return parts_;
  }

  ItemSpec* method_ = nullptr;
  FakePlugin *caller_ = nullptr, *stranger_ = nullptr;
  FakePlugin::Body enter_;  // in place of entering Order.cancel
  std::string entry_ = kEntry, parts_, writes_up_to_, previews_up_to_;
  gantry_status status_ = GANTRY_OK;
  int runs_ = 0;
};

TEST_F(MethodsTest, AreEnteredByTheBuiltInToolAlone) {
  publish();
  EXPECT_EQ(entered(kEntry), R"(json={"done":true};)");
  EXPECT_EQ(runs_, 1);
  run("sneak");
  EXPECT_EQ(status_, GANTRY_UNSUPPORTED);
  EXPECT_EQ(runs_, 1);
}

TEST_F(MethodsTest, NeedTheirGateTierAndPlaceInTheLists) {
  publish();
  agent([](Agent&) {});
  EXPECT_NE(entered(kEntry).find("permission_denied"), std::string::npos) << parts_;
  agent([](Agent& agent) {
    agent.tier = Tier::write;
    agent.methods.except = {"Order.cancel"};
  });
  EXPECT_NE(entered(kEntry).find("tool_filtered"), std::string::npos) << parts_;
  agent([](Agent& agent) {
    agent.tier = Tier::write;
    agent.methods.only = {"cancel"};
  });
  EXPECT_EQ(entered(kEntry), R"(json={"done":true};)");
  EXPECT_EQ(runs_, 1);
}

TEST_F(MethodsTest, BehindAClosedGateNameIt) {
  method_->gates = contract::kSchemaOps;
  publish();
  EXPECT_NE(entered(kEntry).find(R"("missing":["GANTRY_ALLOW_SCHEMA_OPS"])"), std::string::npos)
      << parts_;
  EXPECT_EQ(runs_, 0);
}

TEST_F(MethodsTest, RefuseAnArgumentTheyDoNotTakeByItsName) {
  publish();
  const std::string refused = entered(R"({"object_id":"7","arguments":{"approver":1,"why":"x"}})");
  EXPECT_NE(refused.find("does not take the argument 'approver'"), std::string::npos) << refused;
  EXPECT_EQ(refused.find("why"), std::string::npos) << "the list stays untold: " << refused;
  EXPECT_NE(entered(R"({"object_id":"7","arguments":{"why":1}})").find("invalid_argument"),
            std::string::npos);
  EXPECT_EQ(runs_, 0);
}

TEST_F(MethodsTest, TakeThePermittedKeysInPlaceOfTheirParameters) {
  method_->permitted_keys = {"approver"};
  publish();
  EXPECT_NE(entered(kEntry).find("the argument 'why'"), std::string::npos) << parts_;
  EXPECT_EQ(entered(R"({"object_id":"7","arguments":{"approver":1}})"), R"(json={"done":true};)");
}

TEST_F(MethodsTest, NeedAnObjectUnlessTheyBelongToTheClass) {
  publish();
  EXPECT_NE(entered(R"({"arguments":{}})").find("needs the object_id"), std::string::npos);
  method_->on_class = true;
  publish_again();
  EXPECT_NE(entered(kEntry).find("call it without object_id"), std::string::npos) << parts_;
  EXPECT_EQ(entered(R"({"arguments":{}})"), R"(json={"done":true};)");
}

TEST_F(MethodsTest, WithoutAPreviewAreNotEnteredAndTheCallIsShown) {
  publish();
  const std::string shown = entered(R"({"object_id":"7","arguments":{"why":"x"},"dry_run":true})");
  constexpr std::string_view kShown =
      R"(json={"class_name":"Order","method":"cancel","object_id":"7","dry_run":true,)"
      R"("supports_real_dry_run":false,"would_call":{"class":"Order","method":"cancel",)"
      R"("type":"instance","object_id":"7","args":{"why":"x"}},"note":"The method )";
  EXPECT_EQ(shown.substr(0, kShown.size()), kShown);
  EXPECT_EQ(runs_, 0);
}

TEST_F(MethodsTest, WithAPreviewAreEnteredForIt) {
  method_->supports_dry_run = true;
  publish();
  EXPECT_EQ(entered(R"({"object_id":"7","arguments":{},"dry_run":true})"),
            R"(json={"done":true};)");
}

TEST_F(MethodsTest, GiveAnObjectOrTextAndNothingBroken) {
  FakePlugin& texts = plugin("texts");
  texts.method("Order", "say",
               [](gantry_call* call) { return api().write(call, b("text"), b("said")); });
  FakePlugin& broken = plugin("broken");
  broken.method("Order", "break", [](gantry_call* call) {
    api().json_begin(call);
    api().json_raw(call, b("{"));
    return api().json_end(call);
  });
  std::string said, wrong;
  publish();
  const auto entered_as = [&](const char* name, std::string& out) {
    enter_ = [this, name, &out](gantry_call* call) {
      return nested(*caller_, call, "method", name, out, "", R"({"object_id":"7"})");
    };
    run("call_method", kCall);
  };
  entered_as("Order.say", said);
  EXPECT_EQ(said, "text=said;");
  entered_as("Order.break", wrong);
  EXPECT_NE(wrong.find("internal_error"), std::string::npos) << wrong;
}

TEST_F(MethodsTest, NeedAnApprovalByTheirOwnTierOrName) {
  publish();
  agent([](Agent& agent) {
    agent.tier = Tier::write;
    agent.approval.tiers = {Tier::write};
  });
  EXPECT_EQ(run("call_method", kCall).kind, ItemAnswer::Kind::approval_required);
  agent([](Agent& agent) {
    agent.tier = Tier::write;
    agent.approval.methods = {"Order.cancel"};
  });
  EXPECT_EQ(run("call_method", kCall).kind, ItemAnswer::Kind::approval_required);
  agent([](Agent& agent) {
    agent.tier = Tier::write;
    agent.approval.methods = {"Order.other"};
    agent.approval.tiers = {Tier::admin};
  });
  EXPECT_EQ(run("call_method", kCall).kind, ItemAnswer::Kind::result);
  EXPECT_EQ(runs_, 1);
}

TEST_F(MethodsTest, ThatAnotherToolReachesInsideAreUnapproved) {
  FakePlugin& other = plugin("other");
  std::string parts;
  other.tool("wrap", [&](gantry_call* call) {
    nested(other, call, "tool", "call_method", parts, "", kCall);
    return GANTRY_OK;
  });
  publish();
  agent([](Agent& agent) {
    agent.tier = Tier::write;
    agent.approval.tiers = {Tier::write};
  });
  run("wrap");
  EXPECT_EQ(status_, GANTRY_DENIED);
  EXPECT_NE(parts_.find("needs a person's approval"), std::string::npos) << parts_;
  EXPECT_EQ(runs_, 0);
}

TEST_F(MethodsTest, PreviewUpToTheirTierWithoutAnApproval) {
  agent([](Agent& agent) {
    agent.tier = Tier::admin;
    agent.approval.tiers = {Tier::write};
  });
  method_->supports_dry_run = true;
  publish();
  entry_ = R"({"object_id":"7","arguments":{},"dry_run":true})";
  run("call_method",
      R"({"class_name":"Order","method_name":"cancel","object_id":"7","arguments":{"dry_run":true}})");
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(writes_up_to_, "readonly");
  EXPECT_EQ(previews_up_to_, "write");
}

TEST_F(MethodsTest, WriteOnlyUpToTheirTier) {
  agent([](Agent& agent) { agent.tier = Tier::admin; });
  publish();
  entered(kEntry);
  EXPECT_EQ(writes_up_to_, "write");
  method_->tier = Tier::readonly;
  method_->gates = contract::kNoGates;
  publish_again();
  entered(kEntry);
  EXPECT_EQ(writes_up_to_, "readonly");
}

TEST_F(MethodsTest, ListTheirToolOnlyForAnAgentThatMayCallOne) {
  publish();
  const SnapshotPtr snapshot = registry_.current();
  const Item& tool = *snapshot->tool_by_name.at("call_method");
  EXPECT_TRUE(calls_->lists(*snapshot, *agent_, tool));
  agent([](Agent&) {});
  EXPECT_FALSE(calls_->lists(*snapshot, *agent_, tool));
}

}  // namespace
}  // namespace gantry::host::methods_test
