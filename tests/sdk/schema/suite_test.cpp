// Every published case of JSON Schema 2020-12.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <gantry/schema/validator.hpp>

namespace gantry::schema {
namespace {

namespace fs = std::filesystem;
using Group = std::pair<std::string, std::string>;  // file, description

rapidjson::Document read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.str().c_str());
  return document;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Groups that need documents of another server, or another dialect: we refuse those.
const std::set<Group>& refused_groups() {
  static const std::set<Group> groups{
      {"dynamicRef.json", "strict-tree schema, guards against misspelled properties"},
      {"dynamicRef.json", "tests for implementation dynamic anchor and reference link"},
      {"dynamicRef.json", "$ref and $dynamicAnchor are independent of order - $defs first"},
      {"dynamicRef.json", "$ref and $dynamicAnchor are independent of order - $ref first"},
      {"dynamicRef.json", "$ref to $dynamicRef finds detached $dynamicAnchor"},
      {"vocabulary.json", "schema that uses custom metaschema with with no validation vocabulary"},
      {"vocabulary.json", "ignore unrecognized optional vocabulary"},
  };
  return groups;
}

bool is_refused(const std::string& file, const std::string& description) {
  return file == "refRemote.json" || refused_groups().contains({file, description});
}

struct Tally {
  int right = 0;
  int wrong = 0;
};

void run_cases(const Validator& validator, const rapidjson::Value& group, Tally& tally,
               std::string& wrong) {
  for (const auto& test : group["tests"].GetArray()) {
    const bool expected = test["valid"].GetBool();
    const bool good = validator.validate(test["data"]);
    const bool explained = validator.errors(test["data"]).empty() == good;
    if (good == expected && explained) {
      ++tally.right;
      continue;
    }
    ++tally.wrong;
    wrong += std::string("  ") + group["description"].GetString() + " / " +
             test["description"].GetString() + (explained ? "" : " (errors() disagrees)") + "\n";
  }
}

class Suite : public testing::TestWithParam<fs::path> {};

TEST_P(Suite, EveryRequiredCaseIsRight) {
  const std::string file = GetParam().filename().string();
  const auto document = read(GetParam());
  ASSERT_TRUE(document.IsArray());
  Tally tally;
  for (const auto& group : document.GetArray()) {
    const std::string description = group["description"].GetString();
    const auto validator = Validator::compile(group["schema"]);
    if (is_refused(file, description)) {
      ASSERT_FALSE(validator) << description;
      EXPECT_NE(validator.message().find("2020-12"), std::string::npos) << validator.message();
      ++tally.right;
      continue;
    }
    ASSERT_TRUE(validator) << description << ": " << validator.message();
    std::string wrong;
    run_cases(*validator, group, tally, wrong);
    EXPECT_EQ(wrong, "");
  }
  EXPECT_GT(tally.right, 0);
}

INSTANTIATE_TEST_SUITE_P(Required, Suite, testing::ValuesIn(files_of(SUITE_DIR)),
                         [](const auto& param) {
                           std::string name = param.param.stem().string();
                           std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
                           return name;
                         });

// Known deviations in optional cases: other dialects are refused, and numbers beyond the JSON
// parser's range have the value that it gives them. All other optional cases pass.
const std::set<std::string>& optional_exceptions() {
  static const std::set<std::string> files{"cross-draft.json", "dependencies-compatibility.json",
                                           "format-assertion.json"};
  return files;
}

TEST(SuiteOptional, IsRightExceptWhereTheDialectOrVocabularyIsNotOurs) {
  Tally all;
  for (const fs::path& file : files_of(fs::path(SUITE_DIR) / "optional")) {
    const auto document = read(file);
    if (!document.IsArray()) {
      std::cout << file.filename().string() << ": numbers no double can hold, not run\n";
      continue;
    }
    Tally tally;
    std::string wrong;
    for (const auto& group : document.GetArray()) {
      const auto validator = Validator::compile(group["schema"]);
      if (validator) {
        run_cases(*validator, group, tally, wrong);
      } else {
        tally.wrong += static_cast<int>(group["tests"].Size());
        wrong += "  " + validator.message() + "\n";
      }
    }
    std::cout << file.filename().string() << ": " << tally.right << " right, " << tally.wrong
              << " not\n";
    if (!optional_exceptions().contains(file.filename().string())) {
      EXPECT_EQ(wrong, "") << file;
    }
    all.right += tally.right;
    all.wrong += tally.wrong;
  }
  std::cout << "optional: " << all.right << " right, " << all.wrong << " not\n";
  EXPECT_GT(all.right, 100);
}

}  // namespace
}  // namespace gantry::schema
