// `gantry plugin check` on plugins that break one rule each, and on one that breaks none.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>

#include "program.hpp"

namespace gantry::cli {
namespace {

std::string unfit(const std::string& way) {
  return std::string(GANTRY_BINARY_DIR) + "/fixtures/unfit/" + way + ".so";
}

struct Case {
  const char* way;
  const char* check;     // that has the fault
  const char* sentence;  // a part of it
};

class Unfit : public ::testing::TestWithParam<Case> {};

// The faults of one check, one a line.
std::string faults_of(const rapidjson::Document& report, const std::string& check) {
  std::string faults;
  for (const auto& one : report["checks"].GetArray()) {
    if (one["name"].GetString() != check) continue;
    for (const auto& finding : one["findings"].GetArray()) {
      if (std::string_view(finding["level"].GetString()) != "fault") continue;
      faults += std::string(finding["text"].GetString()) + "\n";
    }
  }
  return faults;
}

TEST_P(Unfit, FailsItsCheck) {
  const Case& wrong = GetParam();
  const Ran ran = run_gantry(std::string("plugin check --json --timeout 6 --only ") + wrong.check +
                             " " + unfit(wrong.way));
  EXPECT_EQ(ran.code, 1) << ran.output;
  rapidjson::Document report;
  report.Parse(ran.output.c_str());
  ASSERT_FALSE(report.HasParseError()) << ran.output;
  EXPECT_FALSE(report["ok"].GetBool());
  const std::string faults = faults_of(report, wrong.check);
  EXPECT_NE(faults.find(wrong.sentence), std::string::npos) << ran.output;
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Unfit,
    ::testing::Values(Case{"constructor_crashes", "life", "crashed: signal 6"},
                      Case{"constructor_hangs", "life", "did not end within 6 s"},
                      Case{"create_hangs", "life", "did not end within 6 s"},
                      Case{"second_start_fails", "life", "not a second time"},
                      Case{"thread_stays", "life", "threads are still running after stop()"},
                      Case{"file_stays", "life", "/dev/zero; close it in stop()"},
                      Case{"takes_signals", "life", "handler of signal 10"},
                      Case{"changes_umask", "life", "changed the umask"},
                      Case{"stop_crashes", "life", "crashed: signal 6"},
                      Case{"stop_hangs", "life", "did not end within 6 s"},
                      Case{"thread_local_stays", "unload", "stays in memory after destroy()"},
                      Case{"self_check_fails", "self-check", "out of order"},
                      Case{"answers_every_kind", "unknown", "GANTRY_UNSUPPORTED"},
                      Case{"answers_every_name", "unknown", "GANTRY_NOT_FOUND"},
                      Case{"call_crashes", "tool:t", "crashed: signal 11"},
                      Case{"call_exits", "tool:t", "never calls exit()"},
                      Case{"call_throws", "tool:t", "exception"},
                      Case{"call_hangs", "cancel", "still running long after its deadline"},
                      Case{"changes_directory", "tool:t", "working directory was changed"},
                      Case{"result_does_not_fit", "tool:t", "does not fit the output schema"},
                      Case{"answers_without_input", "tool:t", "asks for the input 'sure'"},
                      Case{"no_result", "tool:t", "gave no structured result"},
                      Case{"json_left_open", "tool:t", "without json_end()"},
                      Case{"finishes_twice", "tool:t", "finish() twice"},
                      Case{"never_finishes", "stop", "not finished when stop() returned"},
                      Case{"never_finishes", "cancel", "still running long after its deadline"},
                      Case{"not_reentrant", "reentrant", "crashed: signal 6"}),
    [](const auto& one) {
      std::string name = std::string(one.param.way) + "_" + one.param.check;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
      return name;
    });

TEST(Check, FindsNothingWrongWithoutAFault) {
  const Ran ran = run_gantry("plugin check " + unfit("none"));
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_NE(ran.output.find("0 faults, 0 warnings"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("ok       tool:t"), std::string::npos) << ran.output;
}

TEST(Check, ACrashFailsOnlyItsCheck) {
  const Ran ran = run_gantry("plugin check --timeout 6 " + unfit("call_crashes"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.output.find("ok       life"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("ok       unknown"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("FAULT    tool:t"), std::string::npos) << ran.output;
  for (const char* check : {"unload", "cancel", "stop"}) {
    const auto at = ran.output.find("FAULT    " + std::string(check) + ":");
    ASSERT_NE(at, std::string::npos) << check << "\n" << ran.output;
    const auto fault = ran.output.find("fault: ", at);
    EXPECT_NE(ran.output.substr(fault, 200).find("; the last call was of the tool 't'"),
              std::string::npos)
        << ran.output;
  }
}

TEST(Check, NamesTheFaultOfAFileWithoutRunningIt) {
  for (const auto& [file, sentence] : std::initializer_list<std::pair<std::string, const char*>>{
           {"broken/no_note", "has no manifest"},
           {"broken/wrong_abi", "built for ABI 2"},
           {"broken/bad_schema", "inputSchema"},
           {"broken/no_entry", "exports no gantry_plugin_v1"},
           {"broken/entry_is_function", "is not a data object"},
           {"broken/other_revision", "gantry.call/9, which no host of this version has"},
           {"broken/nowhere", "cannot be opened"}}) {
    const Ran ran = run_gantry("plugin check " GANTRY_BINARY_DIR "/fixtures/" + file + ".so");
    EXPECT_EQ(ran.code, 1) << file;
    EXPECT_NE(ran.output.find(sentence), std::string::npos) << ran.output;
  }
}

TEST(Check, WarnsOfFurtherExportedNames) {
  const Ran ran = run_gantry("plugin check " GANTRY_BINARY_DIR "/fixtures/good/two_exports.so");
  EXPECT_NE(ran.output.find("warning: it exports fixture_second"), std::string::npos) << ran.output;
}

TEST(Check, RefusesAWrongCommandLine) {
  EXPECT_EQ(run_gantry("plugin check").code, 2);
  EXPECT_EQ(run_gantry("plugin check --config 7 " + unfit("none")).code, 2);
  EXPECT_EQ(run_gantry("plugin check --arguments t " + unfit("none")).code, 2);
}

TEST(Test, ShowsTheOfferAndTheAnswersOfAPlugin) {
  const Ran list = run_gantry("plugin test " + unfit("none"));
  EXPECT_EQ(list.code, 0) << list.output;
  EXPECT_NE(list.output.find("tool  t"), std::string::npos) << list.output;
  const Ran call = run_gantry("plugin test " + unfit("none") + " t '{}'");
  EXPECT_EQ(call.code, 0) << call.output;
  EXPECT_NE(call.output.find("\"n\": 1"), std::string::npos) << call.output;
  EXPECT_EQ(run_gantry("plugin test " + unfit("none") + " missing").code, 2);
  EXPECT_EQ(run_gantry("plugin test " + unfit("result_does_not_fit") + " t").code, 1);
}

}  // namespace
}  // namespace gantry::cli
