// schemas/plugin/manifest.schema.json accepts the good examples and refuses each bad one.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gantry/schema/validator.hpp>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in.good()) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

class ManifestSchema : public ::testing::Test {
 protected:
  static inline const fs::path kSchemas = fs::path(GANTRY_SOURCE_DIR) / "schemas";

  // Checks every example of `folder`; returns how many there are.
  static int check(const char* folder, bool expected) {
    const auto schema =
        gantry::schema::Validator::compile(text_of(kSchemas / "plugin" / "manifest.schema.json"));
    EXPECT_TRUE(schema.is_ok()) << schema.message();
    int count = 0;
    for (const auto& entry : fs::directory_iterator(kSchemas / "examples" / "plugin" / folder)) {
      if (!entry.path().filename().string().starts_with("manifest.")) continue;
      rapidjson::Document example;
      example.Parse(text_of(entry.path()).c_str());
      EXPECT_FALSE(example.HasParseError()) << entry.path();
      EXPECT_EQ(schema->validate(example), expected) << entry.path();
      ++count;
    }
    return count;
  }
};

TEST_F(ManifestSchema, TakesEveryGoodExample) { EXPECT_GE(check("good", true), 3); }

TEST_F(ManifestSchema, RefusesEveryBadExample) { EXPECT_GE(check("bad", false), 10); }

}  // namespace
