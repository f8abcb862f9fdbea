// Doors, forms of parameters and commands that answer later.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <thread>

#include "host/rpc/admin/audit_search.hpp"
#include "host/rpc/admin/commands.hpp"
#include "host/rpc/admin/operator_methods.hpp"
#include "host/rpc/admin/settings_methods.hpp"
#include "tests/host/rpc/admin/fake.hpp"

namespace gantry::host::rpc::methods_test {
namespace {

using namespace std::chrono_literals;

struct MethodsTest : testing::Test {
  AdminAnswer run(const AdminMethods& methods, std::string_view name,
                  const std::string& params = "{}", Door door = Door::socket) {
    AdminFacts facts;
    facts.more = methods;
    const AdminCommands commands(plugins, log, facts);
    rapidjson::Document document;
    document.Parse(params.c_str());
    return commands.run(name, &document, {"ann", door});
  }
  static AdminMethod echo(std::vector<std::string_view> parameters) {
    return {.name = "a.b",
            .parameters = std::move(parameters),
            .run = [](const AdminParams&, const AdminCaller&) -> Result<std::string> {
              return std::string("{}");
            }};
  }

  FakePlugins plugins;
  Log log{{.level = Level::off}};
};

TEST_F(MethodsTest, TakeParametersOfTheirForms) {
  struct Row {
    const char *form, *good, *bad, *word;
  };
  for (const Row& row :
       {Row{"p:time", "\"2026-11-26T19:20:00.5Z\"", "\"yesterday\"", "time such as"},
        Row{"p:time", "\"2026-11-26T19:20:00Z\"", "\"2026-11-26T19:20:00\"", "time such as"},
        Row{"p:number(1,10)", "10", "11", "from 1 to 10"},
        Row{"p:number(0,5)", "0", "-1", "from 0 to 5"},
        Row{"p:number(0,5)", "1", "1.5", "from 0 to 5"}, Row{"p:object", "{}", "[]", "object"},
        Row{"p:flag", "true", "1", "true or false"}, Row{"p:texts", "[\"a\"]", "[1]", "text"},
        Row{"p", "\"x\"", "\"\"", "not empty"}, Row{"p:note", "\"x\"", "7", "text"}}) {
    const AdminMethods methods{echo({row.form})};
    EXPECT_FALSE(run(methods, "a.b", std::string("{\"p\":") + row.good + "}").error) << row.form;
    const AdminAnswer bad = run(methods, "a.b", std::string("{\"p\":") + row.bad + "}");
    ASSERT_TRUE(bad.error) << row.form << row.bad;
    EXPECT_NE(bad.error->message.find(row.word), std::string::npos) << bad.error->message;
    EXPECT_TRUE(run(methods, "a.b").error) << "it is needed";
  }
  EXPECT_FALSE(run({echo({"p?"})}, "a.b").error);
}

TEST_F(MethodsTest, OfWritesAskThePluginWithTheNameOfTheOperator) {
  std::vector<WritesRequest> asked;
  const AdminMethods methods = write_methods([&asked](const WritesRequest& request) {
    asked.push_back({request.arguments, {}, request.undoes});
    return Result<std::string>(std::string("{}"));
  });
  EXPECT_FALSE(run(methods, "writes.list").error);
  EXPECT_FALSE(
      run(methods, "writes.list", R"({"limit":3,"agent":"a\"","class_name":"c","cursor":"9"})")
          .error);
  EXPECT_FALSE(run(methods, "writes.show", R"({"id":"w"})").error);
  EXPECT_FALSE(run(methods, "writes.undo", R"({"id":"w"})", Door::http).error);
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(asked[0].arguments, R"({"op":"list"})");
  EXPECT_EQ(asked[1].arguments,
            R"({"op":"list","limit":3,"agent":"a\"","class_name":"c","cursor":"9"})");
  EXPECT_EQ(asked[2].arguments, R"({"op":"show","id":"w"})");
  EXPECT_EQ(asked[3].arguments, R"({"op":"undo","id":"w","by":"ann"})");
  EXPECT_TRUE(asked[3].undoes && !asked[2].undoes);
  for (const char* wrong : {R"({"limit":0})", R"({"limit":1001})", R"({"id":"w"})"}) {
    EXPECT_TRUE(run(methods, "writes.list", wrong).error) << wrong;
  }
  EXPECT_TRUE(run(methods, "writes.undo").error);
  EXPECT_EQ(asked.size(), 4u);
}

TEST_F(MethodsTest, StayBehindTheirDoors) {
  AdminMethod socket = echo({}), http = echo({});
  socket.doors = AdminMethod::Doors::socket_only;
  http.doors = AdminMethod::Doors::http_only;
  EXPECT_FALSE(run({socket}, "a.b", "{}", Door::socket).error);
  EXPECT_EQ(run({socket}, "a.b", "{}", Door::http).error->status, 403);
  EXPECT_FALSE(run({http}, "a.b", "{}", Door::http).error);
  EXPECT_EQ(run({http}, "a.b", "{}", Door::socket).error->status, 403);
}

TEST_F(MethodsTest, RunWaitsForAnAnswerThatComesLater) {
  std::thread later;
  const AdminMethod method{
      .name = "a.b",
      .pace = AdminMethod::Pace::later,
      .start = [&later](const AdminParams&, const AdminCaller&, AdminMethod::Done done) {
        later = std::thread([done = std::move(done)] {
          std::this_thread::sleep_for(50ms);
          done({"{\"late\":1}", {}});
        });
        return AdminMethod::Cancel();
      }};
  EXPECT_EQ(run({method}, "a.b").result, "{\"late\":1}");
  later.join();
}

struct AuditSearchTest : MethodsTest {
  void write(std::string_view tool) {
    audit.write({.tool = tool, .outcome = {.success = true, .duration_ms = 1}});
  }
  std::string search(const std::string& params) {
    const AdminAnswer answer = run(found.methods(), "audit.search", params);
    return answer.error ? answer.error->message : answer.result;
  }
  static std::string cursor_of(const std::string& result) {
    rapidjson::Document json;
    json.Parse(result.c_str());
    return json["cursor"].GetString();
  }

  Audit audit{log};
  AuditSearch found{audit};
};

TEST_F(AuditSearchTest, GivesTheNewestFirstAndFollowsInOrder) {
  for (const char* tool : {"one", "two", "three"}) write(tool);
  const std::string newest = search(R"({"limit":2})");
  EXPECT_LT(newest.find("\"three\""), newest.find("\"two\"")) << newest;
  EXPECT_EQ(newest.find("\"one\""), std::string::npos);
  EXPECT_NE(newest.find("\"more\":true"), std::string::npos);
  write("four");
  write("five");
  const std::string next = search(R"({"after":")" + cursor_of(newest) + "\"}");
  EXPECT_LT(next.find("\"four\""), next.find("\"five\"")) << next;
  EXPECT_EQ(next.find("\"three\""), std::string::npos);
}

TEST_F(AuditSearchTest, WaitsForARecordThatFits) {
  const std::string cursor = cursor_of(search("{}"));
  std::thread writer([this] {
    std::this_thread::sleep_for(50ms);
    write("other");
    std::this_thread::sleep_for(150ms);
    write("wanted");
  });
  const auto begun = std::chrono::steady_clock::now();
  const std::string result =
      search(R"({"after":")" + cursor + R"(","tool":"wanted","wait_ms":20000})");
  writer.join();
  EXPECT_NE(result.find("\"wanted\""), std::string::npos) << result;
  EXPECT_EQ(result.find("\"other\""), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 15s) << "the record wakes the search";
}

TEST_F(AuditSearchTest, StopAnswersThoseThatWait) {
  const std::string params = R"({"after":")" + cursor_of(search("{}")) + R"(","wait_ms":25000})";
  AdminMethods methods = found.methods();
  methods.front().start = [this, start = methods.front().start](const auto&... given) {
    AdminMethod::Cancel cancel = start(given...);
    found.stop();
    return cancel;
  };
  const AdminAnswer stopped = run(methods, "audit.search", params);
  ASSERT_TRUE(stopped.error) << stopped.result;
  EXPECT_NE(stopped.error->message.find("shutting down"), std::string::npos);
  EXPECT_NE(search(params).find("\"records\":[]"), std::string::npos);
}

TEST_F(MethodsTest, SettingsHideValuesThatMayBeSecret) {
  Settings settings;
  settings.log_level = "warn";
  settings.http.guard.require_header = "X-Pass: hush";
  settings.plugins["p"].config = R"({"url":"postgresql://u:hush@h/db","rows":5})";
  const std::string text =
      run(settings_methods({.now = [settings] { return settings; },
                            .config_file = {},
                            .environment = {{"GANTRY_ADMIN_KEY", "hush"},
                                            {"GANTRY_ALLOW_WRITE_TOOLS", "true"}}}),
          "settings.show")
          .result;
  EXPECT_EQ(text.find("hush"), std::string::npos) << text;
  for (const char* row :
       {R"({"key":"log_level","value":"warn","source":"flag","restart":true})",
        R"({"key":"plugins.p.config.rows","value":5,"source":"flag","restart":false})",
        R"({"key":"discovery","value":"auto","source":"default","restart":true})",
        R"({"key":"GANTRY_ALLOW_WRITE_TOOLS","value":"true","source":"env","restart":true})"}) {
    EXPECT_NE(text.find(row), std::string::npos) << row << "\n" << text;
  }
}

}  // namespace
}  // namespace gantry::host::rpc::methods_test
