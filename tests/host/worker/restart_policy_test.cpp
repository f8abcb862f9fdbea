#include "host/worker/restart_policy.hpp"

#include <gtest/gtest.h>

#include "tests/host/auth/fake_clock.hpp"

namespace gantry::host::restart_policy_test {
namespace {

using namespace std::chrono_literals;

struct Restart : testing::Test {
  static WorkerLimits limits(int failures, std::chrono::milliseconds within) {
    WorkerLimits out;
    out.failures = failures;
    out.within = within;
    return out;
  }
  FakeClock clock;
};

TEST_F(Restart, IsAtOnceTheFirstTimeAndThenEverLater) {
  RestartPolicy policy(limits(0, 60s), clock);
  EXPECT_EQ(policy.failed().wait, 0ms);
  for (const auto wait :
       {100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12800ms, 25600ms, 30000ms, 30000ms}) {
    EXPECT_EQ(policy.failed().wait, wait);
    clock.advance(wait);
  }
}

TEST_F(Restart, IsAtOnceAgainAfterAQuietMinute) {
  RestartPolicy policy(limits(0, 60s), clock);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(policy.failed().quarantined);
  clock.advance(59'999ms);
  EXPECT_GT(policy.failed().wait, 0ms);
  clock.advance(60s);
  EXPECT_EQ(policy.failed().wait, 0ms);
}

TEST_F(Restart, IsAtOnceForAWorkerThatAnswered) {
  RestartPolicy policy(limits(0, 60s), clock);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(policy.failed().quarantined);
  policy.answered();
  EXPECT_EQ(policy.failed().wait, 0ms);
  EXPECT_EQ(policy.failed().wait, 100ms) << "it answered nothing since";
}

TEST_F(Restart, EndsInQuarantineAlsoWhenItAnswersBetween) {
  RestartPolicy policy(limits(3, 10s), clock);
  for (const bool last : {false, false, true}) {
    policy.answered();
    EXPECT_EQ(policy.failed().quarantined, last);
  }
}

TEST_F(Restart, EndsInQuarantineAfterTooManyFailures) {
  RestartPolicy policy(limits(3, 10s), clock);
  EXPECT_FALSE(policy.failed().quarantined);
  clock.advance(5s);
  EXPECT_FALSE(policy.failed().quarantined);
  clock.advance(5s);
  EXPECT_TRUE(policy.failed().quarantined);
}

TEST_F(Restart, ForgetsFailuresThatAreOlder) {
  RestartPolicy policy(limits(3, 10s), clock);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(policy.failed().quarantined);
    clock.advance(5001ms);
  }
}

TEST_F(Restart, KnowsNoQuarantineWhenNoneIsAsked) {
  RestartPolicy policy(limits(0, 60s), clock);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(policy.failed().quarantined);
}

}  // namespace
}  // namespace gantry::host::restart_policy_test
