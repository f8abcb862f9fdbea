#include "host/observe/audit.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/host/base/files.hpp"
#include "tests/host/observe/collected.hpp"

namespace gantry::host {
namespace {

AuditRecord full_record() {
  AuditRecord record{.tool = "t", .plugin = "p", .generation = 2, .args_keys = R"(["a"])"};
  record.agent = {.name = "local",
                  .id = "local:1",
                  .auth_type = "none",
                  .master = true,
                  .permissions = "readonly",
                  .tools_only = R"(["t"])",
                  .methods_except = R"(["Order.void"])",
                  .filters = R"(["Order.status"])"};
  record.outcome = {.success = false, .error_code = "timeout", .bytes = 4'000, .duration_ms = 3.25};
  return record;
}

rapidjson::Document parsed(const std::string& text) {
  rapidjson::Document out;
  out.Parse(text.c_str());
  EXPECT_FALSE(out.HasParseError()) << text;
  return out;
}

std::unique_ptr<AuditFile> file_at(const fs::path& path, Log& log) {
  auto file = AuditFile::open({.path = path}, log);
  EXPECT_TRUE(file) << file.message();
  return std::move(*file);
}

TEST(Audit, NamesTheCallAndNoValue) {
  Collected out;
  Log log({.level = Level::info, .json = true, .fd = out.fd()});
  Audit(log).write(full_record());
  log.flush();
  const auto line = parsed(out.text());
  EXPECT_STREQ(line["message"].GetString(), "call");
  EXPECT_STREQ(line["args_keys"][0].GetString(), "a");
  EXPECT_STREQ(line["error_code"].GetString(), "timeout");
  EXPECT_FALSE(line["success"].GetBool());
  EXPECT_EQ(line["result_size"].GetInt(), 4'000);
  EXPECT_STREQ(line["agent_id"].GetString(), "local:1");
  EXPECT_TRUE(line["master"].GetBool());
  EXPECT_FALSE(line["ran"].GetBool());
  EXPECT_EQ(line["est_input_tokens"].GetInt(), 1'000);
  EXPECT_STREQ(line["tools_only"][0].GetString(), "t");
  EXPECT_STREQ(line["methods_except"][0].GetString(), "Order.void");
  EXPECT_STREQ(line["filters"][0].GetString(), "Order.status");
  for (const char* absent :
       {"tenant", "classes_only", "tools_except", "methods_only", "parent_agent_id", "notes",
        "denial_kind", "denial_cause", "correlation_id", "est_cost_usd"}) {
    EXPECT_FALSE(line.HasMember(absent)) << absent;
  }
}

TEST(Audit, HasTheParentOfASubAgentAndNotesOfPlugins) {
  Collected out;
  Log log({.level = Level::info, .json = true, .fd = out.fd()});
  AuditRecord record = full_record();
  record.notes = R"([{"sql":"SELECT ?"}])";
  record.agent.parent_id = "local";
  record.agent.depth = 1;
  Audit(log).write(record);
  log.flush();
  const auto line = parsed(out.text());
  EXPECT_STREQ(line["notes"][0]["sql"].GetString(), "SELECT ?");
  EXPECT_STREQ(line["parent_agent_id"].GetString(), "local");
  EXPECT_EQ(line["depth"].GetInt(), 1);
}

TEST(Audit, IsInTheLogUpToTheLevelWarn) {
  for (const Level level : {Level::trace, Level::warn, Level::error, Level::off}) {
    Collected out;
    Log log({.level = level, .fd = out.fd()});
    log.write(Level::info, "passing");
    Audit(log).write({.tool = "t", .outcome = {.success = true}});
    log.flush();
    EXPECT_EQ(out.text().find("call tool=t") != std::string::npos, level <= Level::warn);
    EXPECT_EQ(out.text().find("passing") != std::string::npos, level == Level::trace);
  }
}

TEST(Audit, GoesToTheFileAloneAtEveryLogLevel) {
  const TemporaryDirectory directory;
  Collected out;
  Log log({.level = Level::info, .fd = out.fd()});
  Audit audit(log, {.file = file_at(directory.path() / "audit", log)});
  AuditRecord record = full_record();
  record.tool = "t\n\x7f\xc2\x9bq";
  audit.write(record);
  audit.flush();
  log.flush();
  EXPECT_EQ(out.text(), "");
  const std::string text = read_all(directory.path() / "audit");
  EXPECT_EQ(text.find_first_of("\x7f\x9b"), std::string::npos);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto line = parsed(text);
  EXPECT_STREQ(line.MemberBegin()->name.GetString(), "time");
  EXPECT_STREQ(line["tool"].GetString(), "t\n\x7f\xc2\x9bq");
}

TEST(Audit, TheFeedShowsTheLineOfTheFile) {
  const TemporaryDirectory directory;
  Log log({.level = Level::off});
  Audit audit(log, {.file = file_at(directory.path() / "audit", log), .usd_per_million_tokens = 3});
  AuditRecord record = full_record();
  record.agent.tenant = "aabbccdd";
  record.approval = {.decision = "accepted", .by = "ops", .waited_ms = 12};
  record.correlation_id = "c\n\x7f";
  record.outcome.denial_kind = "hidden_class";
  record.outcome.denial_cause = "hidden";
  audit.write(record);
  audit.write({.tool = "u", .outcome = {.success = true}});
  audit.flush();
  std::string lines;
  for (const FeedRecord& each : audit.feed().all()) lines += *each.json + "\n";
  EXPECT_EQ(lines, read_all(directory.path() / "audit"));
  EXPECT_EQ(audit.series().seconds().size(), 0u) << "nothing has ended a second";
}

TEST(Audit, EstimatesTheCostWhereItHasAPrice) {
  Collected out;
  Log log({.level = Level::info, .json = true, .fd = out.fd()});
  Audit(log, {.usd_per_million_tokens = 3}).write(full_record());
  log.flush();
  EXPECT_DOUBLE_EQ(parsed(out.text())["est_cost_usd"].GetDouble(), 0.003);
}

TEST(Audit, FindsFailedCallsByEitherIdAndNoOthers) {
  Log log({.level = Level::off});
  Audit audit(log, {.kept = 3});
  AuditRecord record = full_record();
  record.correlation_id = "one";
  record.outcome.denial_cause = "class_filter";
  audit.write(record);
  const auto found = parsed(audit.find("one"));
  ASSERT_EQ(found.Size(), 1u);
  EXPECT_STREQ(found[0]["denial_cause"].GetString(), "class_filter");
  const std::string audit_id = found[0]["audit_id"].GetString();
  EXPECT_EQ(audit.find(audit_id), audit.find("one"));
  EXPECT_EQ(audit.find(""), "[]");
  record.outcome.success = true;
  record.correlation_id = "good";
  audit.write(record);
  record.outcome = {.error_code = "input_required"};
  audit.write(record);
  EXPECT_EQ(audit.find("good"), "[]");
  record.outcome = {.error_code = "busy"};
  record.correlation_id = "later";
  for (int i = 0; i < 3; ++i) audit.write(record);
  EXPECT_EQ(audit.find("one"), "[]");
  EXPECT_EQ(parsed(audit.find("later")).Size(), 3u);
}

}  // namespace
}  // namespace gantry::host
