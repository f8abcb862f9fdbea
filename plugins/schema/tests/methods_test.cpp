#include "core/methods.hpp"

#include <gmock/gmock.h>

namespace schema_tools {
namespace {

constexpr std::string_view kMethods =
    R"([{"name":"cancel","description":"Cancels.","plugin":"orders","permission":"write",)"
    R"("class":"Order","type":"instance","supports_dry_run":true,"parameters":{"type":"object"}},)"
    R"({"name":"tidy","plugin":"orders","permission":"admin","class":"Order","type":"class",)"
    R"("supports_dry_run":false,"parameters":{"type":"object"},"permitted_keys":["a"]}])";
constexpr std::string_view kListed =
    R"("methods":[{"name":"cancel","type":"instance","permission":"write",)"
    R"("description":"Cancels.","supports_dry_run":true,"parameters":{"type":"object"}},)"
    R"({"name":"tidy","type":"class","permission":"admin","supports_dry_run":false,)"
    R"("parameters":{"type":"object"},"permitted_keys":["a"]}],)";

TEST(Methods, StandBeforeTheIndexesOfTheirClass) {
  EXPECT_EQ(with_methods(R"({"class_name":"Order","fields":[],"indexes":[]})", kMethods),
            R"({"class_name":"Order","fields":[],)" + std::string(kListed) + R"("indexes":[]})");
}

TEST(Methods, ComeToTheirClassAmongSeveral) {
  EXPECT_EQ(with_methods(R"({"classes":[{"class_name":"City","indexes":[]},)"
                         R"({"class_name":"Order","indexes":[]}],"hints":{}})",
                         kMethods),
            R"({"classes":[{"class_name":"City","indexes":[]},{"class_name":"Order",)" +
                std::string(kListed) + R"("indexes":[]}],"hints":{}})");
}

TEST(Methods, ThatAreNotThereChangeNothing) {
  constexpr std::string_view kMeta = R"({"class_name":"City", "indexes":[]})";
  EXPECT_EQ(with_methods(kMeta, "[]"), kMeta);
  EXPECT_EQ(with_methods(R"({"class_name":"City","indexes":[]})", kMethods),
            R"({"class_name":"City","indexes":[]})");
}

}  // namespace
}  // namespace schema_tools
