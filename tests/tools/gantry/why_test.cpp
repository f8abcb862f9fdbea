// The layer that refused a call, and the files that records are read from.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/host/base/files.hpp"
#include "tools/gantry/agent/layers.hpp"
#include "tools/gantry/audit/audit_files.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

std::string layer(const char* json) { return layer_of(parsed(json)).name; }

TEST(Why, TakesTheDenialCauseBeforeTheDenialKind) {
  EXPECT_EQ(layer(R"({"error_code":"access_denied","denial_kind":"hidden_class",
                      "denial_cause":"class_filter"})"),
            "class_filter");
  EXPECT_EQ(layer(R"({"error_code":"access_denied","denial_kind":"hidden_class",
                      "denial_cause":"absent"})"),
            "class_absent");
  EXPECT_EQ(layer(R"({"error_code":"access_denied","denial_kind":"hidden_class"})"),
            "class_hidden");
  EXPECT_EQ(layer(R"({"error_code":"access_denied","denial_kind":"hidden_class",
                      "denial_cause":"view_of_ruled"})"),
            "view_of_ruled");
  EXPECT_EQ(layer(R"({"error_code":"access_denied"})"), "access");
  EXPECT_EQ(layer(R"({"error_code":"not_found","denial_cause":"acl"})"), "acl");
  EXPECT_EQ(layer(R"({"error_code":"access_denied","denial_kind":"tenant_scope",
                      "denial_cause":"row_rule"})"),
            "row");
  EXPECT_EQ(layer(R"({"error_code":"approval_required","denial_cause":"approval"})"), "approval");
  EXPECT_EQ(layer(R"({"error_code":"x","plugin":"p","denial_cause":"of_its_own"})"), "of_its_own");
}

TEST(Why, NamesTheLayerOfEveryErrorCode) {
  EXPECT_EQ(layer(R"({"error_code":"tool_filtered"})"), "tools");
  EXPECT_EQ(layer(R"({"error_code":"permission_denied"})"), "tier");
  EXPECT_EQ(layer(R"({"error_code":"rate_limited"})"), "rate_limit");
  EXPECT_EQ(layer(R"({"error_code":"unknown_tool"})"), "unknown_tool");
  EXPECT_EQ(layer(R"({"error_code":"invalid_argument"})"), "arguments");
  EXPECT_EQ(layer(R"({"error_code":"brand_new"})"), "brand_new");
}

TEST(Why, ReadsTheFileAndItsRotatedOnesLatestFirst) {
  const host::TemporaryDirectory directory;
  const std::string file = directory.path() / "audit";
  host::write_all(file + ".2", R"({"error_code":"a","correlation_id":"id"})"
                               "\n");
  host::write_all(file + ".1", R"({"error_code":"b","correlation_id":"id"})"
                               "\n"
                               R"({"success":true,"correlation_id":"id"})"
                               "\n"
                               R"({"dropped":3} id)"
                               "\n"
                               R"({"error_code":"c","audit_id":"id"})"
                               "\n");
  host::write_all(file, R"({"error_code":"d","correlation_id":"idx"})"
                        "\n");
  host::write_all(file + ".4", R"({"error_code":"e","correlation_id":"id"})"
                               "\n");
  const auto codes = [&](std::size_t most) {
    std::string out;
    const auto found = failed_calls(file, "id", most);
    EXPECT_TRUE(found) << found.message();
    for (const auto& record : *found) out += text_at(record, "error_code");
    return out;
  };
  EXPECT_EQ(codes(20), "cba");
  EXPECT_EQ(codes(2), "cb");
  const auto none = failed_calls(file + ".none", "id", 20);
  ASSERT_FALSE(none);
  EXPECT_NE(none.message().find(file + ".none"), std::string::npos);
  host::write_all(file + ".4", "root:x:0\n");
  const auto other = failed_calls(file + ".4", "id", 20);
  EXPECT_EQ(other.message(), file + ".4 is no audit file: none of its lines is a record");
  host::write_all(file + ".4", "");
  EXPECT_TRUE(failed_calls(file + ".4", "id", 20)) << "none yet";
}

}  // namespace
}  // namespace gantry::cli
