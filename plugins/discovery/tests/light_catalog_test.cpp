#include "core/light_catalog.hpp"

#include <gtest/gtest.h>

namespace discovery {
namespace {

constexpr const char* kItems = R"([{"name":"a","category":"query","description":"First. Second."},)"
                               R"({"name":"b","category":"mine","description":"Only one"},)"
                               R"({"name":"c","category":"query","description":"Third."}])";

TEST(LightCatalog, GivesOneSentenceATool) {
  EXPECT_EQ(light_catalog(kItems, ""),
            R"({"tools":[{"name":"a","category":"query","description":"First."},)"
            R"({"name":"b","category":"mine","description":"Only one"},)"
            R"({"name":"c","category":"query","description":"Third."}],)"
            R"("categories":{"query":"2 tools: reading rows and objects","mine":"1 tool"}})");
}

TEST(LightCatalog, ACategoryIsFoundInAnyCaseAndKeepsAllCategories) {
  EXPECT_EQ(light_catalog(kItems, "MINE"),
            R"({"tools":[{"name":"b","category":"mine","description":"Only one"}],)"
            R"("categories":{"query":"2 tools: reading rows and objects","mine":"1 tool"}})");
  EXPECT_EQ(light_catalog(kItems, "nope").substr(0, 13), R"({"tools":[],")");
}

}  // namespace
}  // namespace discovery
