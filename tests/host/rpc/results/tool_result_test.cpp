#include "host/rpc/results/tool_result.hpp"

#include <gtest/gtest.h>

#include "host/rpc/results/content.hpp"
#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc::tool_result_test {
namespace {

constexpr std::string_view kMeta =
    R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"gantry"}})";

Answer finish(ItemAnswer answer, std::string_view revision) {
  return tool_result(std::move(answer), "\"i\"", "t", revision, kMeta);
}

rapidjson::Document result(ItemAnswer answer, std::string_view revision) {
  return json(finish(std::move(answer), revision).body);
}

ItemAnswer structured(std::string value) {
  ItemAnswer answer;
  answer.structured = std::move(value);
  return answer;
}

ItemAnswer failed(ItemAnswer::Kind kind) {
  ItemAnswer answer;
  answer.kind = kind;
  answer.error_code = "invalid_argument";
  answer.message = "limit: expected integer";
  return answer;
}

// What the cap on answers promises: the structured result counts once, its twin doubles at most.
TEST(Finish, SendsAtMostThreeTimesTheCountedBytes) {
  constexpr std::size_t kBytes = 100'000, kAround = 1'000;
  for (const std::string_view piece : {"\"\",", "\"\\\\\",", "1,", "\"\\u0001\","}) {
    std::string value = "[";
    while (value.size() < kBytes) value += piece;
    value.back() = ']';
    const std::size_t sent = finish(structured(value), "2026-07-28").body.size();
    EXPECT_LE(sent, 3 * value.size() + kAround) << piece;
    EXPECT_GT(sent, 2 * value.size()) << piece;
  }
}

TEST(Finish, GivesEachRevisionTheMembersItKnows) {
  struct Row {
    std::string_view revision;
    bool structured, modern;
  };
  for (const Row& row : {Row{"2024-11-05", false, false}, Row{"2025-03-26", false, false},
                         Row{"2025-06-18", true, false}, Row{"2025-11-25", true, false},
                         Row{"2026-07-28", true, true}}) {
    const auto message = result(structured(R"({"a":"b\"c"})"), row.revision);
    EXPECT_STREQ(message["id"].GetString(), "i");
    const auto& got = message["result"];
    EXPECT_EQ(got.HasMember("structuredContent"), row.structured) << row.revision;
    EXPECT_EQ(got.HasMember("resultType"), row.modern) << row.revision;
    EXPECT_EQ(got.HasMember("_meta"), row.modern) << row.revision;
    EXPECT_FALSE(got.HasMember("ttlMs"));
    ASSERT_EQ(got["content"].Size(), 1u) << row.revision;
    EXPECT_STREQ(got["content"][0]["text"].GetString(), R"({"a":"b\"c"})");
    EXPECT_FALSE(got["isError"].GetBool());
  }
}

TEST(Finish, GivesLegacyPeersOnlyObjectsAsStructure) {
  for (const auto value : {"[1,2]", "7", "\"x\"", "null"}) {
    EXPECT_FALSE(result(structured(value), "2025-11-25")["result"].HasMember("structuredContent"))
        << value;
    EXPECT_TRUE(result(structured(value), "2026-07-28")["result"].HasMember("structuredContent"))
        << value;
    EXPECT_STREQ(
        result(structured(value), "2025-11-25")["result"]["content"][0]["text"].GetString(), value);
  }
}

TEST(Finish, SplicesTheStructureVerbatim) {
  const std::string value = "{ \"n\" : 12345678901234567890123, \"f\":1.10 }";
  EXPECT_NE(finish(structured(value), "2026-07-28").body.find("\"structuredContent\":" + value),
            std::string::npos);
}

TEST(Finish, KeepsTheToolsOwnBlocksAfterTheTwin) {
  ItemAnswer answer = structured("{}");
  answer.content = R"({"type":"text","text":"hello"})";
  const auto message = result(std::move(answer), "2026-07-28");
  ASSERT_EQ(message["result"]["content"].Size(), 2u);
  EXPECT_STREQ(message["result"]["content"][1]["text"].GetString(), "hello");
}

TEST(Finish, AnswersWithoutAnythingAsAnEmptyList) {
  EXPECT_EQ(result({}, "2026-07-28")["result"]["content"].Size(), 0u);
}

TEST(Finish, PassesTheToolsOwnErrorFlag) {
  ItemAnswer answer;
  answer.is_error = true;
  EXPECT_TRUE(result(std::move(answer), "2025-11-25")["result"]["isError"].GetBool());
}

TEST(Finish, SendsErrorsAsJsonInText) {
  ItemAnswer answer = failed(ItemAnswer::Kind::error);
  answer.details = R"({"kind":"x"})";
  const auto message = result(std::move(answer), "2026-07-28");
  EXPECT_TRUE(message["result"]["isError"].GetBool());
  EXPECT_FALSE(message["result"].HasMember("structuredContent"));
  const auto twin = json(message["result"]["content"][0]["text"].GetString());
  EXPECT_STREQ(twin["error_code"].GetString(), "invalid_argument");
  EXPECT_STREQ(twin["error"].GetString(), "limit: expected integer");
  EXPECT_STREQ(twin["details"]["kind"].GetString(), "x");
  EXPECT_FALSE(twin.HasMember("cancelled"));
}

TEST(Finish, SendsErrorsAsStructureWhereTheyFit) {
  ItemAnswer answer = failed(ItemAnswer::Kind::error);
  answer.error_fits_schema = true;
  EXPECT_TRUE(result(answer, "2025-06-18")["result"].HasMember("structuredContent"));
  EXPECT_FALSE(result(answer, "2025-03-26")["result"].HasMember("structuredContent"));
}

TEST(Finish, MarksCancelledCalls) {
  ItemAnswer answer = failed(ItemAnswer::Kind::error);
  answer.cancelled = true;
  const auto twin =
      json(result(std::move(answer), "2025-11-25")["result"]["content"][0]["text"].GetString());
  EXPECT_TRUE(twin["cancelled"].GetBool());
}

TEST(Finish, MakesArgumentErrorsOfTheFormOfTheRevision) {
  for (const auto revision : {"2024-11-05", "2025-03-26", "2025-06-18"}) {
    const auto message = result(failed(ItemAnswer::Kind::invalid_arguments), revision);
    EXPECT_EQ(message["error"]["code"].GetInt(), kInvalidParams) << revision;
    EXPECT_STREQ(message["error"]["message"].GetString(), "limit: expected integer");
  }
  for (const auto revision : {"2025-11-25", "2026-07-28"}) {
    EXPECT_TRUE(result(failed(ItemAnswer::Kind::invalid_arguments), revision)["result"]["isError"]
                    .GetBool());
  }
}

TEST(Finish, MapsTheOtherEndsToProtocolErrors) {
  const Answer unknown = finish(failed(ItemAnswer::Kind::unknown_item), "2026-07-28");
  EXPECT_EQ(unknown.status, 200);
  EXPECT_EQ(json(unknown.body)["error"]["code"].GetInt(), kInvalidParams);
  EXPECT_STREQ(json(unknown.body)["error"]["message"].GetString(), "Unknown tool: t");
  const Answer busy = finish(failed(ItemAnswer::Kind::busy), "2026-07-28");
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(json(busy.body)["error"]["code"].GetInt(), kServerError);
  EXPECT_STREQ(json(busy.body)["error"]["message"].GetString(), "server busy");
  const Answer internal = finish(failed(ItemAnswer::Kind::internal), "2026-07-28");
  EXPECT_EQ(json(internal.body)["error"]["code"].GetInt(), kInternalError);
  EXPECT_STREQ(json(internal.body)["error"]["message"].GetString(), "Internal error");
}

TEST(Content, BecomesTextWhereThePeerKnowsNothingBetter) {
  const std::string link = R"({"type":"resource_link","uri":"a://b","name":"B"})";
  const std::string audio = R"({"type":"audio","data":"AA==","mimeType":"audio/wav"})";
  EXPECT_EQ(content_for("2026-07-28", std::string(link)), link);
  EXPECT_EQ(content_for("2025-06-18", std::string(link)), link);
  EXPECT_EQ(content_for("2025-03-26", std::string(link)), R"({"type":"text","text":"B: a://b"})");
  EXPECT_EQ(content_for("2025-03-26", std::string(audio)), audio);
  EXPECT_EQ(content_for("2024-11-05", audio + "," + link),
            R"({"type":"text","text":"[audio: audio/wav]"},{"type":"text","text":"B: a://b"})");
  const std::string plain = R"({"type":"text","text":"audio is not a kind here"})";
  EXPECT_EQ(content_for("2024-11-05", std::string(plain)), plain);
}

}  // namespace
}  // namespace gantry::host::rpc::tool_result_test
