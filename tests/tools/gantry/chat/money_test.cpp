// Prices, costs, retries and names.
#include <gtest/gtest.h>

#include "tools/gantry/chat/meter.hpp"
#include "tools/gantry/chat/names.hpp"
#include "tools/gantry/chat/prices.hpp"
#include "tools/gantry/chat/wire/retry.hpp"

namespace gantry::cli::chat {
namespace {

constexpr const char* kToday = "2026-11-26";

Prices prices(const std::string& models) {
  auto out = Prices::read(R"({"models":[)" + models + "]}");
  EXPECT_TRUE(out) << out.message();
  return out ? *out : Prices();
}

TEST(Prices, TheLongestMatchCounts) {
  const Prices known = Prices::builtin();
  EXPECT_NEAR(known.find("openai", "gpt-4o", kToday)->input, 2.5e-6, 1e-12);
  EXPECT_NEAR(known.find("openai", "gpt-4o-mini-2024-07-18", kToday)->input, 0.15e-6, 1e-12);
  EXPECT_NEAR(known.find("anthropic", "claude-opus-4-5-20251101", kToday)->output, 25e-6, 1e-12);
  EXPECT_FALSE(known.find("openai", "gpt-5.7", kToday)) << "gpt-5 ends within a word";
  EXPECT_FALSE(known.find("anthropic", "gpt-4o", kToday));
  EXPECT_FALSE(known.find("local", "gpt-4o", kToday));
}

TEST(Prices, HaveDates) {
  const Prices known = Prices::builtin();
  EXPECT_NEAR(known.find("anthropic", "claude-sonnet-5", "2026-08-31")->output, 10e-6, 1e-12);
  EXPECT_NEAR(known.find("anthropic", "claude-sonnet-5", "2026-09-01")->output, 15e-6, 1e-12);
}

TEST(Prices, HaveTiers) {
  const auto price = Prices::builtin().find("openai", "gpt-5.6-sol", kToday);
  ASSERT_TRUE(price);
  EXPECT_NEAR(cost_of(*price, {272'000, 0, 0, 1000}), 272'000 * 5e-6 + 1000 * 30e-6, 1e-9);
  EXPECT_NEAR(cost_of(*price, {272'001, 0, 0, 1000}), 272'001 * 10e-6 + 1000 * 45e-6, 1e-9);
  EXPECT_NEAR(cost_of(*price, {300'000, 100'000, 0, 0}), 200'000 * 10e-6 + 100'000 * 1e-6, 1e-9);
}

TEST(Prices, CachedInputHasItsOwn) {
  const Prices given =
      prices(R"({"provider":"p","match":"m","input":4,"output":8,"cache_read":1,"cache_write":5})");
  EXPECT_NEAR(cost_of(*given.find("p", "m", kToday), {100, 60, 30, 10}),
              (10 * 4 + 60 * 1 + 30 * 5 + 10 * 8) / 1e6, 1e-12);
  const Prices plain = prices(R"({"provider":"p","match":"m","input":4,"output":8})");
  EXPECT_NEAR(cost_of(*plain.find("p", "m", kToday), {100, 60, 30, 10}), (100 * 4 + 10 * 8) / 1e6,
              1e-12);
}

TEST(Prices, AreReadInTheUnitOfTheFile) {
  const auto given =
      Prices::read(R"({"per":1000,"models":[{"provider":"p","match":"m-","input":1,"output":2}]})");
  ASSERT_TRUE(given);
  EXPECT_NEAR(given->find("p", "m-x", kToday)->input, 1e-3, 1e-12);
}

TEST(Prices, AWrongFileIsNamedWithItsEntry) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "models"},
           {R"({"per":0,"models":[]})", "per"},
           {R"({"models":[1]})", "models[0] is no object"},
           {R"({"models":[{"match":"m","input":1,"output":1}]})", "provider"},
           {R"({"models":[{"provider":"p","match":"m","input":-1,"output":1}]})", "number input"},
           {R"({"models":[{"provider":"p","match":"m","input":1}]})", "number output"},
           {R"({"models":[{"provider":"p","match":"m","input":1,"output":1,"cache_read":"a"}]})",
            "cache_read"},
           {R"({"models":[{"provider":"p","match":"m","input":1,"output":1,"above":{}}]})",
            "above"}}) {
    const auto read = Prices::read(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.message().find(said), std::string::npos) << read.message();
  }
}

TEST(Meter, CountsEachRequestAndSaysUnknownModelsOnce) {
  std::vector<std::string> unknown;
  Meter meter("openai", prices(R"({"provider":"openai","match":"mine","input":1,"output":1})"),
              kToday, [&unknown](const std::string& model) { unknown.push_back(model); });
  meter.add("mine", {1'000'000, 0, 0, 0});
  meter.add("gpt-4o", {1'000'000, 0, 0, 0});
  meter.add("other", {7, 0, 0, 1});
  meter.add("other", {7, 0, 0, 1});
  meter.add("other", {});
  EXPECT_NEAR(meter.all().dollars, 1 + 2.5, 1e-9);
  EXPECT_EQ(unknown, std::vector<std::string>{"other"});
  EXPECT_EQ(meter.context_used(), 8U) << "of the last request, not of all";
  const std::string table = meter.table();
  EXPECT_NE(table.find("2        gpt-4o  1,000,000"), std::string::npos) << table;
  EXPECT_NE(table.find("$3.5000"), std::string::npos) << table;
  EXPECT_EQ(table.find("\n5 "), std::string::npos) << "a request without usage is no row";
}

TEST(Meter, TheFileComesBeforeTheBuiltInPrices) {
  Meter meter("openai", prices(R"({"provider":"openai","match":"gpt","input":7,"output":1})"),
              kToday, {});
  EXPECT_NEAR(meter.price_of("gpt-4o")->input, 7e-6, 1e-12);
}

Failure failed(long status, HttpHeaders headers = {}, WireError error = {},
               bool anthropic = false) {
  return {status, std::move(headers), std::move(error), anthropic};
}

long long delay(const Failure& failure, int attempt = 0, double jitter = 0) {
  const auto out = retry_delay(failure, attempt, 1'000'000'000, jitter);
  return out ? out->count() : -1;
}

TEST(Retry, OnlyPassingFailuresAreTriedAgain) {
  for (const long status : {0L, 408L, 409L, 429L, 500L, 502L, 503L, 529L}) {
    EXPECT_EQ(delay(failed(status)), 500) << status;
  }
  for (const long status : {400L, 401L, 403L, 404L, 413L, 422L}) {
    EXPECT_EQ(delay(failed(status)), -1) << status;
  }
}

TEST(Retry, TwiceWithGrowingDelaysAndJitter) {
  EXPECT_EQ(delay(failed(500), 1), 1000);
  EXPECT_EQ(delay(failed(500), 2), -1);
  EXPECT_EQ(delay(failed(500), 1, 1), 750);
}

TEST(Retry, ObeysTheProvidersHeaders) {
  EXPECT_EQ(delay(failed(429, {{"retry-after-ms", "120"}, {"retry-after", "9"}})), 120);
  EXPECT_EQ(delay(failed(429, {{"retry-after", "2"}})), 2000);
  EXPECT_EQ(delay(failed(429, {{"retry-after", "Sun, 09 Sep 2001 01:46:50 GMT"}})), 10'000);
  EXPECT_EQ(delay(failed(429, {{"retry-after", "121"}})), 500) << "too long to be obeyed";
  EXPECT_EQ(delay(failed(429, {{"retry-after", "soon"}})), 500);
  EXPECT_EQ(delay(failed(500, {{"x-should-retry", "false"}})), -1);
  EXPECT_EQ(delay(failed(400, {{"x-should-retry", "true"}})), 500);
}

TEST(Retry, NotWhenMoneyIsOut) {
  EXPECT_EQ(delay(failed(429, {{"retry-after", "1"}}, {"", "insufficient_quota", ""})), -1);
  EXPECT_EQ(delay(failed(429, {}, {"insufficient_quota", "", ""})), -1);
  EXPECT_EQ(delay(failed(429, {}, {"rate_limit_error", "", ""}, true)), -1)
      << "Anthropic says when a limit passes";
  EXPECT_EQ(delay(failed(429, {{"retry-after", "1"}}, {"rate_limit_error", "", ""}, true)), 1000);
  EXPECT_EQ(delay(failed(529, {}, {"overloaded_error", "", ""}, true)), 500);
}

TEST(Names, StayWhereTheyCan) {
  Names names;
  EXPECT_EQ(names.add("query_class"), "query_class");
  EXPECT_EQ(names.own("query_class"), "query_class");
  EXPECT_EQ(names.own("other"), "");
}

TEST(Names, MapBothWaysWithoutCollisions) {
  Names names;
  EXPECT_EQ(names.add("git.log"), "git_log");
  const std::string second = names.add("git/log");
  EXPECT_EQ(second, "git_log_" + second.substr(8));
  EXPECT_EQ(second.size(), 16U);
  EXPECT_EQ(names.own("git_log"), "git.log");
  EXPECT_EQ(names.own(second), "git/log");
  const std::string longest = names.add(std::string(65, 'a'));
  EXPECT_EQ(longest.size(), 64U);
  EXPECT_EQ(longest.substr(0, 56), std::string(55, 'a') + "_");
  EXPECT_EQ(names.add(std::string(64, 'a')), std::string(64, 'a'));
  EXPECT_EQ(names.add("größe"), "gr____e") << "a byte is a character here";
}

}  // namespace
}  // namespace gantry::cli::chat
