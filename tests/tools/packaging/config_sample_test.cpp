// The configuration file of the packages.
#include "tools/packaging/config_sample.hpp"

#include <gtest/gtest.h>

namespace gantry::packaging {
namespace {

constexpr const char* kSchema = R"({"description": "All of it.", "properties": {
  "listen": {"type": "string", "description": "Where."},
  "level": {"enum": ["a", "b"], "description": "How much."},
  "http": {"type": "object", "properties": {"size": {"$ref": "#/$defs/size"}}},
  "plugins": {"description": "Each.", "additionalProperties": {"properties": {
    "enabled": {"type": "boolean"}}}}},
  "$defs": {"size": {"type": "integer"}}})";
constexpr const char* kDefaults = R"({"listen": "here", "level": "a", "http": {"size": 7},
  "plugins": {"NAME": {"enabled": true}}})";

TEST(ConfigSample, ShowsEachKeyWithItsDefaultBehindSlashes) {
  const auto text = config_sample(kSchema, kDefaults, {});
  ASSERT_TRUE(text) << text.message();
  EXPECT_NE(text->find("  // Where.\n  // \"listen\": \"here\",\n"), text->npos) << *text;
  EXPECT_NE(text->find("  // How much. One of \"a\", \"b\".\n  // \"level\": \"a\",\n"),
            text->npos);
  EXPECT_NE(text->find("  \"http\": {\n    // \"size\": 7,\n  },\n"), text->npos);
}

TEST(ConfigSample, APluginOfOnesOwnIsBehindSlashesAsAWhole) {
  const auto text = config_sample(kSchema, kDefaults, {});
  ASSERT_TRUE(text) << text.message();
  EXPECT_NE(text->find("    // \"NAME\": {\n      // \"enabled\": true,\n    // },\n"), text->npos)
      << *text;
}

TEST(ConfigSample, ShowsTheConfigurationOfBuiltInPlugins) {
  const auto text = config_sample(
      kSchema, kDefaults, {{"data", R"({"properties": {"depth": {"type": "integer", "default": 3},
      "file": {"type": "string"}}})"}});
  ASSERT_TRUE(text) << text.message();
  EXPECT_NE(text->find("        // \"depth\": 3,\n        // \"file\": \"\",\n"), text->npos)
      << *text;
}

TEST(ConfigSample, RefusesTextsThatAreNoJson) {
  EXPECT_FALSE(config_sample("{", kDefaults, {}));
  EXPECT_FALSE(config_sample(kSchema, "[]", {}));
  EXPECT_NE(config_sample(kSchema, kDefaults, {{"data", "{}"}}).message().find("data"),
            std::string::npos);
}

}  // namespace
}  // namespace gantry::packaging
