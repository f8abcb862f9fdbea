// The calls that wait for a person: which answers count, and when such a call is run.
#include "host/approvals/approvals.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

AgentPtr agent_with(std::optional<std::size_t> rows = std::nullopt) {
  Agent agent;
  agent.name = "sales";
  agent.tier = Tier::write;
  agent.approval.tiers = {Tier::write};
  agent.approval.rows = rows;
  return share(std::move(agent));
}

Approvals::Successor becomes(AgentPtr agent) {
  return [agent = std::move(agent)](std::string_view, const AgentPtr&) { return agent; };
}

ApprovalLimits limits(std::size_t most = 10'000, std::size_t most_per_principal = 100,
                      std::size_t bytes = 32u << 20) {
  return {.timeout = std::chrono::minutes(5),
          .most = most,
          .most_per_principal = most_per_principal,
          .bytes = bytes};
}

class ApprovalsTest : public ::testing::Test {
 protected:
  ApprovalAsk ask(std::string principal = "p") const {
    ApprovalAsk out;
    out.principal = std::move(principal);
    out.agent = agent_;
    out.tool = "set";
    out.plugin = "vault";
    out.generation = 3;
    out.arguments = R"({"a":1})";
    out.preview = R"({"rows":1})";
    out.plan_token = "t";
    return out;
  }
  std::string open(Approvals::Decided decided = nullptr) {
    const auto id = approvals_.open(ask(), std::move(decided));
    EXPECT_TRUE(id);
    approvals_.publish(*id);
    return *id;
  }
  Result<ApprovalPassPtr> take(const std::string& id, std::string_view principal = "p",
                               std::uint64_t generation = 3, std::string_view plugin = "vault") {
    return approvals_.take(id, {principal, *agent_, plugin, generation});
  }
  Decision decision(const std::string& id) {
    const auto standing = approvals_.look(id, "p");
    return standing ? standing->verdict.decision : Decision::withdrawn;
  }

  const AgentPtr agent_ = agent_with();
  Log log_{{.level = Level::off}};
  Metrics metrics_;
  Approvals approvals_{log_, metrics_, limits()};
};

TEST_F(ApprovalsTest, LetAnAcceptedCallRunOnceWithTheShownArguments) {
  const std::string id = open();
  EXPECT_FALSE(take(id)) << "it waits";
  EXPECT_TRUE(approvals_.answer(id, "p", true));
  const auto pass = take(id);
  ASSERT_TRUE(pass);
  EXPECT_EQ((*pass)->arguments(), R"({"a":1,"plan_token":"t"})");
  EXPECT_TRUE((*pass)->covers("vault", 3, "set", R"({"a":1,"plan_token":"t"})"));
  EXPECT_FALSE((*pass)->covers("vault", 3, "set", R"({"a":2,"plan_token":"t"})"));
  EXPECT_FALSE((*pass)->covers("vault", 4, "set", R"({"a":1,"plan_token":"t"})"));
  EXPECT_FALSE((*pass)->covers("vault", 3, "drop", R"({"a":1,"plan_token":"t"})"));
  EXPECT_FALSE((*pass)->covers("other", 3, "set", R"({"a":1,"plan_token":"t"})"));
  EXPECT_FALSE(take(id)) << "it runs";
  approvals_.finish(id);
  EXPECT_FALSE(take(id));
}

TEST_F(ApprovalsTest, CountTheFirstAnswerAlone) {
  const std::string id = open();
  EXPECT_TRUE(approvals_.answer(id, "p", false));
  EXPECT_FALSE(approvals_.answer(id, "p", true));
  EXPECT_EQ(approvals_.answer_as_operator(id, true, "op", "").code(), GANTRY_FAILED);
  EXPECT_EQ(decision(id), Decision::declined);
  EXPECT_FALSE(take(id));
}

TEST_F(ApprovalsTest, AcceptNoAnswerOfAnotherPrincipal) {
  const std::string id = open();
  EXPECT_FALSE(approvals_.answer(id, "q", true));
  EXPECT_EQ(approvals_.answer_as_operator(id, true, "p", "").code(), GANTRY_DENIED);
  EXPECT_EQ(decision(id), Decision::waiting);
  EXPECT_FALSE(approvals_.look(id, "q"));
  EXPECT_TRUE(approvals_.answer_as_operator(id, true, "op", "fine"));
  EXPECT_FALSE(take(id, "q"));
  EXPECT_TRUE(take(id));
}

TEST_F(ApprovalsTest, LetTheClientDeclineACallThatAnOperatorAccepted) {
  const std::string id = open();
  EXPECT_TRUE(approvals_.answer_as_operator(id, true, "op", ""));
  EXPECT_TRUE(approvals_.answer(id, "p", false));
  EXPECT_FALSE(take(id));
  EXPECT_EQ(decision(id), Decision::declined);
}

TEST_F(ApprovalsTest, RunNothingForAnotherGenerationOrOtherRights) {
  for (const bool plugin : {true, false}) {
    const std::string id = open();
    approvals_.answer(id, "p", true);
    EXPECT_FALSE(plugin ? take(id, "p", 3, "other") : take(id, "p", 4));
    EXPECT_EQ(decision(id), Decision::plugin_replaced);
    EXPECT_FALSE(take(id));
  }
  const std::string id = open();
  approvals_.answer(id, "p", true);
  const AgentPtr other = agent_with(7);
  EXPECT_FALSE(approvals_.take(id, {"p", *other, "vault", 3}));
  EXPECT_EQ(decision(id), Decision::rights_changed);
}

TEST_F(ApprovalsTest, EndWhenTheRightsChange) {
  const std::string same = open(), changed = open(), gone = open();
  approvals_.take_agents({}, becomes(agent_with()));
  EXPECT_EQ(decision(same), Decision::waiting);
  approvals_.take_agents({}, becomes(agent_with(7)));
  EXPECT_EQ(decision(changed), Decision::rights_changed);
  const std::string last = open();
  approvals_.take_agents({"p"}, becomes(nullptr));
  EXPECT_EQ(decision(last), Decision::rights_changed);
}

TEST_F(ApprovalsTest, TellTheOwnerOnceOfConcurrentAnswers) {
  std::atomic<int> told{0}, taken{0};
  for (int i = 0; i < 50; ++i) {
    const std::string id = open([&](const ApprovalVerdict&) { ++told; });
    std::vector<std::thread> threads;
    threads.emplace_back([&] { taken += approvals_.answer(id, "p", true) ? 1 : 0; });
    threads.emplace_back(
        [&] { taken += approvals_.answer_as_operator(id, true, "o", "") ? 1 : 0; });
    threads.emplace_back([&] { taken += approvals_.end(id, Decision::withdrawn) ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(told, 50);
  EXPECT_EQ(taken, 50);
  EXPECT_EQ(approvals_.waiting(), 0u);
}

TEST_F(ApprovalsTest, TimeOut) {
  ApprovalLimits short_time = limits();
  short_time.timeout = std::chrono::milliseconds(20);
  Approvals hasty(log_, metrics_, short_time);
  std::atomic<int> late{0};
  const auto id = hasty.open(ask(), [&](const ApprovalVerdict& verdict) {
    late += verdict.decision == Decision::timed_out ? 1 : 0;
  });
  const auto accepted = hasty.open(ask(), nullptr);
  hasty.publish(*id);
  hasty.publish(*accepted);
  hasty.answer(*accepted, "p", true);
  for (int i = 0; i < 500 && late == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(late, 1);
  EXPECT_FALSE(hasty.answer(*id, "p", true));
  for (int i = 0; i < 500; ++i) {
    if (hasty.look(*accepted, "p")->verdict.decision == Decision::timed_out) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(hasty.take(*accepted, {"p", *agent_, "vault", 3})) << "its client came too late";
}

TEST_F(ApprovalsTest, AreSeenByOperatorsWhileTheyWait) {
  const auto id = approvals_.open(ask(), nullptr);
  EXPECT_EQ(approvals_.list(), R"({"approvals":[]})") << "not published";
  EXPECT_FALSE(approvals_.answer_as_operator(*id, true, "op", ""));
  approvals_.publish(*id);
  EXPECT_NE(approvals_.list().find(*id), std::string::npos);
  EXPECT_EQ(approvals_.list().find("arguments"), std::string::npos);
  EXPECT_NE(approvals_.show(*id)->find(R"("preview":{"rows":1})"), std::string::npos);
  approvals_.end_all();
  EXPECT_EQ(approvals_.list(), R"({"approvals":[]})");
  EXPECT_FALSE(approvals_.show(*id));
  EXPECT_EQ(decision(*id), Decision::stopped);
}

TEST_F(ApprovalsTest, SayThatTheirListChanged) {
  std::vector<std::string> lists;
  approvals_.changed().connect(&lists, [&] { lists.push_back(approvals_.list()); });
  const std::string id = open();
  ASSERT_EQ(lists.size(), 1u);
  EXPECT_NE(lists[0].find(id), std::string::npos);
  EXPECT_TRUE(approvals_.answer(id, "p", true));
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[1], R"({"approvals":[]})");
  approvals_.changed().disconnect(&lists);
}

TEST_F(ApprovalsTest, AreBoundedInNumberAndBytes) {
  Approvals few(log_, metrics_, limits(3, 2, 40'000));
  EXPECT_TRUE(few.open(ask("a"), nullptr));
  EXPECT_TRUE(few.open(ask("a"), nullptr));
  EXPECT_EQ(few.open(ask("a"), nullptr).status().code(), GANTRY_BUSY);
  ApprovalAsk large = ask("b");
  large.arguments = "{\"a\":\"" + std::string(32'000, 'x') + "\"}";
  EXPECT_TRUE(few.open(large, nullptr));
  EXPECT_EQ(few.open(ask("c"), nullptr).status().code(), GANTRY_BUSY);
  Approvals other(log_, metrics_, limits(10'000, 100, 40'000));
  EXPECT_TRUE(other.open(large, nullptr));
  EXPECT_EQ(other.open(large, nullptr).status().code(), GANTRY_BUSY);
  large.arguments += std::string(1'000, ' ');
  EXPECT_EQ(other.open(large, nullptr).status().code(), GANTRY_TOO_BIG);
}

TEST_F(ApprovalsTest, LendAPassBackForARound) {
  const std::string id = open();
  approvals_.answer(id, "p", true);
  ASSERT_TRUE(take(id));
  approvals_.lend_back(id, std::chrono::minutes(1));
  EXPECT_TRUE(take(id));
  EXPECT_FALSE(take(id));
}

TEST_F(ApprovalsTest, PassCallsBelowTheAgentsRowsOnly) {
  ApprovalAsk counted = ask();
  counted.agent = agent_with(10);
  for (const auto& [preview, passes] : {std::pair{R"({"rows":10})", true},
                                        {R"({"rows":11})", false},
                                        {R"({"rows":-1})", false},
                                        {R"({"rows":"1"})", false},
                                        {R"({"rows":1.5})", false},
                                        {R"({})", false},
                                        {"", false}}) {
    counted.preview = preview;
    EXPECT_EQ(Approvals::pass_below(counted) != nullptr, passes) << preview;
  }
  counted.preview = R"({"rows":1})";
  counted.agent = agent_;
  EXPECT_EQ(Approvals::pass_below(counted), nullptr) << "the agent has no such bound";
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// 10,000 of about a kilobyte, also with what sanitizers add.
TEST_F(ApprovalsTest, KeepTenThousandInFortyMegabytes) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer's own memory would be counted";
#endif
  Approvals many(log_, metrics_, limits(10'000, 10'000));
  ApprovalAsk each = ask();
  each.arguments = "{\"a\":\"" + std::string(500, 'x') + "\"}";
  each.preview = "{\"rows\":1,\"after\":\"" + std::string(500, 'y') + "\"}";
  const std::size_t before = resident_bytes();
  for (int i = 0; i < 10'000; ++i) {
    const auto id = many.open(each, nullptr);
    ASSERT_TRUE(id);
    many.publish(*id);
  }
  EXPECT_EQ(many.waiting(), 10'000u);
  const std::size_t used = resident_bytes() - before;
  std::printf("%zu KB for 10,000\n", used >> 10);
  EXPECT_LE(used, 40u << 20);
}

}  // namespace
}  // namespace gantry::host
