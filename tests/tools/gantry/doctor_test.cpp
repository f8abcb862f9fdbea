// The checks of gantry doctor that run no program.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tools/gantry/doctor/checks.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::doctor {
namespace {

namespace fs = std::filesystem;

class Doctor : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(place_); }
  void TearDown() override { fs::remove_all(place_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(place_ / name, std::ios::binary) << text;
    return place_ / name;
  }
  static Findings database(const std::string& url) {
    Findings out;
    check_database_files(
        parsed(R"({"plugins":{"p":{"config":)" + object({{"database", url}}) + "}}}"), "", out);
    return out;
  }

  const fs::path place_ = fs::path(testing::TempDir()) / "gantry-doctor-test";
};

std::string header(char version) {
  std::string out("SQLite format 3\0", 16);
  out.resize(100, '\0');
  out[18] = out[19] = version;
  return out;
}

TEST(DoctorFindings, AreLinesAndJson) {
  const Findings found{{Verdict::ok, "a", "fine"}, {Verdict::fail, "b", "no\033", "do"}};
  EXPECT_EQ(lines_of(found, Color()), "ok    a: fine\nfail  b: no  — do\n");
  EXPECT_EQ(json_of({found[0]}),
            R"({"healthy":true,"checks":[{"verdict":"ok","name":"a","sentence":"fine"}]})");
  EXPECT_FALSE(is_healthy(found));
  EXPECT_TRUE(is_healthy({{Verdict::warn, "c", "hm"}}));
}

TEST_F(Doctor, LooksAtTheHeaderOfADatabase) {
  EXPECT_EQ(database(file("a.db", header(1)))[0].verdict, Verdict::ok);
  const auto wal = database(file("w.db", header(2)))[0];
  EXPECT_EQ(wal.verdict, Verdict::ok);
  EXPECT_NE(wal.sentence.find("WAL"), std::string::npos);
  EXPECT_FALSE(fs::exists(place_ / "w.db-shm"));
  EXPECT_NE(database(file("t.db", "text"))[0].sentence.find("no SQLite database"),
            std::string::npos);
  EXPECT_NE(database(place_ / "no.db")[0].sentence.find("does not exist"), std::string::npos);
  EXPECT_EQ(database(file("e.db", ""))[0].verdict, Verdict::warn);
  EXPECT_EQ(database("postgresql://x/y")[0].verdict, Verdict::ok);
  Findings none;
  check_database_files(parsed("{}"), "", none);
  EXPECT_EQ(none[0].verdict, Verdict::warn);
}

TEST_F(Doctor, FindsModelsAndAgents) {
  Findings found;
  const auto model = [&](const std::string& path) {
    check_models(parsed(R"({"plugins":{"p":{"config":)" + object({{"model", path}}) + "}}}"), "",
                 found);
    return found.back().verdict;
  };
  EXPECT_EQ(model(place_), Verdict::warn);
  file("a.json", "{}");
  EXPECT_EQ(model(place_), Verdict::ok);
  EXPECT_EQ(model(place_ / "no"), Verdict::fail);
  check_agents_file(parsed(object({{"agents", file("agents.json", R"({"agents":{"a":{}}})")}})), "",
                    found);
  EXPECT_EQ(found.back().verdict, Verdict::ok) << found.back().sentence;
  check_agents_file(parsed(object({{"agents", file("bad.json", "{")}})), "", found);
  EXPECT_EQ(found.back().verdict, Verdict::fail);
}

TEST_F(Doctor, ChecksTheModeOfTheState) {
  Findings found;
  const auto state = [&](mode_t mode) {
    ::chmod(place_.c_str(), mode);
    check_state(parsed(object({{"state", place_.string()}})), "", found);
    return found.back();
  };
  EXPECT_EQ(state(0700).verdict, Verdict::ok);
  EXPECT_EQ(state(0755).verdict, Verdict::warn);
  EXPECT_EQ(state(0777).verdict, Verdict::fail);
  EXPECT_EQ(found.back().advice, "chmod 0700 " + place_.string());
}

TEST(DoctorPlugins, TellStates) {
  Findings found;
  check_plugins_of(R"({"plugins":[{"name":"a","state":"serving","generation":2},
    {"name":"b","state":"serving","last_failure":"no ELF"},{"name":"c","state":"disabled"},
    {"name":"","file":"/x.so","state":"refused","reason":"why"}]})",
                   found);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].sentence, "serves, generation 2");
  EXPECT_EQ(found[1].verdict, Verdict::warn);
  EXPECT_EQ(found[2].verdict, Verdict::warn);
  EXPECT_EQ(found[3].verdict, Verdict::fail);
  EXPECT_EQ(found[3].name, "plugin /x.so");
  check_plugins_of("garbage", found);
  EXPECT_EQ(found.back().verdict, Verdict::fail);
}

}  // namespace
}  // namespace gantry::cli::doctor
