#include "core/methods.hpp"

#include <gmock/gmock.h>

namespace mutation {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kMethods =
    R"([{"name":"cancel","class":"Order","permission":"write","supports_dry_run":true},)"
    R"({"name":"close","class":"Order","permission":"admin"},)"
    R"({"name":"cancel","class":"Trip","permission":"readonly"}])";

TEST(Methods, AreFoundByClassAndName) {
  const auto method = find_method(kMethods, "Order", "cancel");
  ASSERT_TRUE(method);
  EXPECT_EQ(method->permission, "write");
  EXPECT_TRUE(method->supports_dry_run);
  EXPECT_FALSE(find_method(kMethods, "Trip", "cancel")->supports_dry_run);
  EXPECT_FALSE(find_method(kMethods, "Trip", "close"));
}

TEST(Methods, ThatDoNotExistNameThoseOfTheClass) {
  EXPECT_THAT(no_method("Order", "x", kMethods), HasSubstr("it has: cancel, close"));
  EXPECT_THAT(no_method("Other", "x", kMethods), HasSubstr("nor another"));
}

TEST(Methods, NeedTheClassPermissionOfTheirTier) {
  const auto lacks = [](std::string_view operations, std::string_view permission) {
    return lacks_permission("{\"operations\":" + std::string(operations) + "}",
                            {"Order", "m", std::string(permission)});
  };
  EXPECT_EQ(lacks(R"(["find"])", "readonly"), "");
  EXPECT_EQ(lacks(R"(["find","update"])", "write"), "");
  EXPECT_EQ(lacks(R"(["delete"])", "admin"), "");
  EXPECT_THAT(lacks(R"(["get","count"])", "readonly"), HasSubstr("'find'"));
  EXPECT_THAT(lacks(R"(["find","create","delete"])", "write"), HasSubstr("'update'"));
  EXPECT_THAT(lacks(R"(["find","update"])", "admin"), HasSubstr("'delete'"));
  EXPECT_EQ(
      lacks_permission(R"({"operations":["find"],"writes":["update"]})", {"Order", "m", "write"}),
      "");
  EXPECT_NE(lacks_permission("{}", {"Order", "m", "readonly"}), "");
}

TEST(Preview, HasItsRowsWhereItSaysThem) {
  EXPECT_EQ(rows_of(R"({"rows":3})"), 3);
  EXPECT_EQ(rows_of(R"({"rows":"3"})"), std::nullopt);
  EXPECT_EQ(rows_of(""), std::nullopt);
}

}  // namespace
}  // namespace mutation
