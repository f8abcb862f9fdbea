// Queries of gantry audit, and the tables of sessions and subscriptions.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tools/gantry/audit/query.hpp"
#include "tools/gantry/operate/operate.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using std::chrono::seconds;
using std::chrono::system_clock;

const system_clock::time_point kNow{seconds(1'795'719'600)};  // 2026-11-26T19:00:00Z

TEST(AuditQuery, TakesAgesAndTimes) {
  EXPECT_EQ(*moment_of("90s", kNow), "2026-11-26T18:58:30.000Z");
  EXPECT_EQ(*moment_of("30m", kNow), "2026-11-26T18:30:00.000Z");
  EXPECT_EQ(*moment_of("1h", kNow), "2026-11-26T18:00:00.000Z");
  EXPECT_EQ(*moment_of("2d", kNow), "2026-11-24T19:00:00.000Z");
  EXPECT_EQ(*moment_of("2026-11-26", kNow), "2026-11-26T00:00:00.000Z");
  EXPECT_EQ(*moment_of("2026-11-26T19:05:07Z", kNow), "2026-11-26T19:05:07.000Z");
  for (const char* bad :
       {"", "1", "h", "1w", "-1h", "1.5h", "yesterday", "2026-11", "99999999999d"}) {
    EXPECT_NE(moment_of(bad, kNow).message().find("--since takes"), std::string::npos) << bad;
  }
}

TEST(AuditQuery, WantsRecordsThatMatchItsMembers) {
  const auto record = parsed(R"({"time":"2026-11-26T19:00:00.000Z","tool":"query_class",
    "agent":"sales","success":false,"error_code":"access_denied"})");
  EXPECT_TRUE(is_wanted(record, {}));
  EXPECT_TRUE(is_wanted(record, {.from = "2026-11-26T19:00:00.000Z"}));
  EXPECT_FALSE(is_wanted(record, {.from = "2026-11-26T19:00:00.001Z"}));
  EXPECT_FALSE(is_wanted(record, {.tool = "query"}));
  EXPECT_FALSE(is_wanted(record, {.agent = "local"}));
  EXPECT_TRUE(is_wanted(record, {.denied = true}));
  EXPECT_TRUE(is_wanted(parsed(R"({"denial_kind":"tenant"})"), {.denied = true}));
  EXPECT_FALSE(is_wanted(parsed(R"({"error_code":"invalid_query"})"), {.denied = true}));
}

TEST(AuditQuery, BecomesParametersOfASearch) {
  EXPECT_EQ(search_of({.limit = 7}), R"({"limit":7})");
  EXPECT_EQ(search_of({.from = "F", .tool = "t", .agent = "a", .denied = true}),
            R"({"from":"F","tool":"t","agent":"a","outcome":"denied","limit":100})");
  EXPECT_EQ(search_of({.from = "F"}, "c9"), R"({"after":"c9","limit":100,"wait_ms":1000})");
}

TEST(AuditLine, NamesOutcomeAndHasNoControls) {
  const Color color;
  EXPECT_EQ(audit_line(parsed(R"({"time":"T","tool":"a\u001b[1m","agent":"x","success":true,
    "duration_ms":1.5,"result_size":9})"),
                       color)
                .find('\033'),
            std::string::npos);
  const auto line = audit_line(parsed(R"({"tool":"t","success":false})"), color);
  EXPECT_NE(line.find("failed"), std::string::npos);
}

TEST(OperateTables, ShowSessionsAndSubscriptions) {
  EXPECT_EQ(session_table(parsed(R"({"sessions":[{"id":"ab","principal":"p","revision":"2025-11-25",
    "age_s":7300,"idle_s":5,"running":1,"streams":2}]})"),
                          0),
            "ID  PRINCIPAL  REVISION    AGE  IDLE  CALLS  STREAMS\n"
            "ab  p          2025-11-25  2 h  5 s   1      2\n");
  EXPECT_EQ(session_table(parsed(R"({"sessions":[]})"), 0), "there are no sessions\n");
  EXPECT_EQ(subscription_table(parsed(R"({"subscriptions":[{"uri":"data://a","agent":"x",
    "principal":"p","kind":"listen","session":"ab","age_s":130}]})"),
                               0),
            "URI       AGENT  PRINCIPAL  KIND    SESSION  AGE\n"
            "data://a  x      p          listen  ab       2 min\n");
}

}  // namespace
}  // namespace gantry::cli
