// The examples of manifests: the host says the same of each as the schema does.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "host/plugin/manifest.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

int check(const char* folder, bool expected) {
  int count = 0;
  const fs::path all = fs::path(GANTRY_SOURCE_DIR) / "schemas" / "examples" / "plugin" / folder;
  for (const auto& entry : fs::directory_iterator(all)) {
    if (!entry.path().filename().string().starts_with("manifest.")) continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto manifest = parse_manifest(text);
    EXPECT_EQ(manifest.is_ok(), expected)
        << entry.path() << (manifest ? std::string() : ": " + manifest.message());
    ++count;
  }
  return count;
}

TEST(ManifestExamples, AreTakenWhenTheyAreGood) { EXPECT_GE(check("good", true), 4); }

TEST(ManifestExamples, AreRefusedWhenTheyAreBad) { EXPECT_GE(check("bad", false), 24); }

}  // namespace
}  // namespace gantry::host
