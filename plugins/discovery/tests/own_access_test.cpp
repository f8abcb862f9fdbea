#include "core/own_access.hpp"

#include <gmock/gmock.h>

namespace discovery {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTools =
    R"([{"name":"get_all_schemas"},{"name":"query_class"},{"name":"count_objects"}])";

TEST(OwnAccess, TellsTierToolsClassesAndLimits) {
  const Surface surface{
      R"({"name":"sales","permissions":"readonly","user":"u1","tenant_id":"t","limits":{"rows":5,"calls":60,"seconds":30}})",
      kTools,
      R"({"total":2,"built_in":[{"name":"_User","fields":3}],"custom":[{"name":"o","description":"d","fields":7}]})",
      "4096"};
  EXPECT_EQ(own_access(surface),
            R"({"agent":"sales","permissions":"readonly",)"
            R"("tools":["get_all_schemas","query_class","count_objects"],)"
            R"("classes":[{"name":"_User","fields":3},{"name":"o","fields":7}],)"
            R"("limits":{"bytes":4096,"rows":5,"calls":60,"seconds":30}})");
}

TEST(OwnAccess, HasNoClassesWithoutADatabase) {
  EXPECT_EQ(own_access({R"({"name":"local","permissions":"readonly"})", "[]", "", ""}),
            R"({"agent":"local","permissions":"readonly","tools":[],"limits":{}})");
}

TEST(ToolVerdict, SaysWhichToolsMayBeCalledInstead) {
  EXPECT_EQ(verdict_answer({"count_objects", ""}, tool_verdict(R"({"allowed":true})", kTools)),
            R"({"tool":"count_objects","allowed":true})");
  EXPECT_EQ(
      verdict_answer({"x", ""}, tool_verdict(R"({"allowed":false,"reason":"No tool"})", kTools)),
      R"({"tool":"x","allowed":false,"reason":"No tool",)"
      R"("suggestion":"You may call: get_all_schemas, query_class, count_objects"})");
  EXPECT_EQ(tool_verdict(R"({"allowed":false,"reason":"No"})", "[]").suggestion, "");
  EXPECT_FALSE(tool_verdict("{}", kTools).allowed) << "an explanation that cannot be read";
}

TEST(ToolVerdict, NamesTwentyToolsAndCountsTheRest) {
  std::string many = "[";
  for (int i = 0; i < 23; ++i) many += std::string(i > 0 ? "," : "") + R"({"name":"t"})";
  EXPECT_THAT(tool_verdict(R"({"allowed":false})", many + "]").suggestion, HasSubstr(" +3 more"));
}

constexpr const char* kHidden =
    R"({"error_code":"access_denied","error":"Class 'x' is not accessible","details":{"kind":"hidden_class"}})";
constexpr const char* kForbidden =
    R"({"error_code":"access_denied","error":"The permissions …","details":{"kind":"class_permission"}})";

TEST(ClassDenial, OfAHiddenClassPointsToTheVisibleOnes) {
  const auto denial = class_denial(kHidden, "", kTools);
  ASSERT_TRUE(denial);
  EXPECT_FALSE(denial->allowed);
  EXPECT_EQ(denial->reason, "Class 'x' is not accessible");
  EXPECT_EQ(denial->suggestion, "get_all_schemas lists the classes that you may use");
  EXPECT_EQ(class_denial(kHidden, "", R"([{"name":"query_class"}])")->suggestion, "");
}

TEST(ClassDenial, NamesListedToolsOfTheOperationsThatRemain) {
  EXPECT_EQ(class_denial(kForbidden, R"(["get","count"])", kTools)->suggestion,
            "For this class you may call: count_objects");
  EXPECT_EQ(class_denial(kForbidden, "", kTools)->suggestion, "");
}

TEST(ClassDenial, IsNoOtherError) {
  EXPECT_FALSE(class_denial(R"({"error_code":"timeout","error":"late"})", "", kTools));
  EXPECT_FALSE(class_denial("", "", kTools));
}

TEST(ClassVerdict, PassesOperationsAndFieldsOn) {
  EXPECT_EQ(
      verdict_answer({"", "o"}, class_verdict(R"({"operations":["find"],"fields":["a","b"]})")),
      R"({"class_name":"o","allowed":true,"operations":["find"],"fields":["a","b"]})");
  EXPECT_EQ(verdict_answer({"", "o"}, class_verdict(R"({"sql":{"name":"\"o\""}})")),
            R"({"class_name":"o","allowed":true,"sql":{"name":"\"o\""}})");
}

}  // namespace
}  // namespace discovery
