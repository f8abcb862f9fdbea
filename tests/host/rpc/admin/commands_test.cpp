#include "host/rpc/admin/commands.hpp"

#include <unistd.h>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/host/rpc/admin/fake.hpp"

namespace gantry::host::rpc {
namespace {

struct AdminCommandsTest : testing::Test {
  AdminAnswer run(std::string_view method, const std::string& params = "") {
    rapidjson::Document document;
    if (!params.empty()) document.Parse(params.c_str());
    return commands.run(method, params.empty() ? nullptr : &document, {"ann"});
  }
  std::string names(const AdminAnswer& answer) {
    EXPECT_FALSE(answer.error) << answer.error->message;
    rapidjson::Document json;
    json.Parse(answer.result.c_str());
    std::string out;
    for (const auto& plugin : json["plugins"].GetArray()) out += plugin["name"].GetString();
    return out;
  }

  FakePlugins plugins;
  Log log{{.level = Level::off}};
  Audit audit{log};
  AdminCommands commands{plugins, log, {"9.8.7", "http://127.0.0.1:1/mcp", &audit}};
};

TEST_F(AdminCommandsTest, ListPluginsAndTheHost) {
  EXPECT_EQ(names(run("plugin.list")), "alphabeta");
  EXPECT_EQ(names(run("plugin.list", "{}")), "alphabeta");
  EXPECT_EQ(run("host.info").result, R"({"version":"9.8.7","pid":)" + std::to_string(::getpid()) +
                                         R"(,"endpoint":"http://127.0.0.1:1/mcp"})");
  EXPECT_TRUE(plugins.asked().empty());
}

TEST_F(AdminCommandsTest, ShowOnePluginInDetail) {
  const AdminAnswer answer = run("plugin.info", R"({"name":"beta"})");
  ASSERT_FALSE(answer.error);
  EXPECT_NE(answer.result.find(R"("offer":{"tools":["t"]})"), std::string::npos) << answer.result;
  const AdminAnswer unknown = run("plugin.info", R"({"name":"gamma"})");
  ASSERT_TRUE(unknown.error);
  EXPECT_EQ(unknown.error->status, 404);
  EXPECT_NE(unknown.error->message.find("gamma"), std::string::npos);
}

TEST_F(AdminCommandsTest, RunTheCommandOfTheirName) {
  EXPECT_EQ(names(run("plugin.load", R"({"file":"/p/../p/gamma.so"})")), "gamma");
  EXPECT_EQ(names(run("plugin.reload", R"({"name":"alpha"})")), "alpha");
  EXPECT_EQ(names(run("plugin.reload")), "alphabetagamma");
  EXPECT_EQ(names(run("plugin.enable", R"({"name":"alpha"})")), "alpha");
  EXPECT_EQ(names(run("plugin.disable", R"({"name":"alpha"})")), "alpha");
  EXPECT_EQ(names(run("plugin.quarantine", R"({"name":"beta"})")), "beta");
  EXPECT_EQ(names(run("plugin.quarantine", R"({"name":"beta","lift":true})")), "beta");
  EXPECT_EQ(names(run("plugin.quarantine", R"({"name":"beta","lift":false})")), "beta");
  EXPECT_EQ(names(run("plugin.unload", R"({"name":"beta"})")), "");
  EXPECT_EQ(plugins.asked(),
            (std::vector<std::string>{"load /p/gamma.so", "reload alpha", "reload ", "enable alpha",
                                      "disable alpha", "quarantine beta", "lift beta",
                                      "quarantine beta", "unload beta"}));
}

TEST_F(AdminCommandsTest, RefuseUnknownMethodsAndParameters) {
  struct Row {
    const char *method, *params, *word;
    int code;
  };
  for (const Row& row :
       {Row{"plugin.lists", "", "plugin.lists", kMethodNotFound},
        Row{"plugin.info", "", "'name'", kInvalidParams},
        Row{"plugin.info", "[]", "object", kInvalidParams},
        Row{"plugin.info", R"({"name":""})", "'name'", kInvalidParams},
        Row{"plugin.info", R"({"name":7})", "'name'", kInvalidParams},
        Row{"plugin.info", R"({"name":"a\u0000b"})", "NUL", kInvalidParams},
        Row{"plugin.list", R"({"name":"a"})", "'name'", kInvalidParams},
        Row{"plugin.load", R"({"file":"gamma.so"})", "absolute", kInvalidParams},
        Row{"plugin.load", R"({"name":"alpha"})", "'name'", kInvalidParams},
        Row{"plugin.info", R"({"name":"alpha","name":"beta"})", "twice", kInvalidParams},
        Row{"plugin.quarantine", R"({"name":"a","lift":1})", "'lift'", kInvalidParams},
        Row{"plugin.unload", R"({"name":"a","lift":true})", "'lift'", kInvalidParams}}) {
    const AdminAnswer answer = run(row.method, row.params);
    ASSERT_TRUE(answer.error) << row.method << row.params;
    EXPECT_EQ(answer.error->code, row.code) << row.method << row.params;
    EXPECT_NE(answer.error->message.find(row.word), std::string::npos) << answer.error->message;
    EXPECT_EQ(answer.result, "");
  }
  EXPECT_TRUE(plugins.asked().empty());
}

TEST_F(AdminCommandsTest, AskForThePermissionsOfAnAgent) {
  EXPECT_EQ(run("agent.permit", R"({"agent":"a"})").error->status, 404) << "nothing can answer";
  std::vector<PermitQuestion> asked;
  AdminFacts facts;
  facts.permit = [&asked](const PermitQuestion& question) -> Result<std::string> {
    asked.push_back(question);
    if (question.agent == "b") return Status::not_found("there is no profile 'b'");
    return std::string(R"({"verdicts":[]})");
  };
  const AdminCommands some(plugins, log, facts);
  const auto ask = [&some](const char* text) {
    rapidjson::Document params;
    params.Parse(text);
    return some.run("agent.permit", &params, {"test"});
  };
  EXPECT_EQ(ask(R"({"agent":"a","tool":"t","classes":["c","d"],"every":true})").result,
            R"({"verdicts":[]})");
  EXPECT_EQ(ask(R"({"agent":"b"})").error->message, "there is no profile 'b'");
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].tool, "t");
  EXPECT_EQ(asked[0].classes, (std::vector<std::string>{"c", "d"}));
  EXPECT_TRUE(asked[0].every);
  EXPECT_TRUE(asked[1].classes.empty() && asked[1].tool.empty() && !asked[1].every);
  for (const char* bad : {R"({"agent":"a","classes":"c"})", R"({"agent":"a","classes":[""]})",
                          R"({"agent":"a","every":1})", R"({"tool":"t"})"}) {
    EXPECT_EQ(ask(bad).error->status, 400) << bad;
  }
  EXPECT_EQ(asked.size(), 2U);
  EXPECT_EQ(commands.pace("agent.permit"), AdminMethod::Pace::blocks) << "it waits for plugins";
}

TEST_F(AdminCommandsTest, PassOnWhyAPluginWasRefused) {
  struct Row {
    Status status;
    int http;
  };
  for (const Row& row :
       {Row{Status::failed("it crashed"), 409}, Row{Status::denied("not on the list"), 403},
        Row{Status::not_found("who?"), 404}, Row{Status::invalid("bad"), 400},
        Row{{GANTRY_STOPPING, "going"}, 503}, Row{{GANTRY_BUSY, "busy"}, 503}}) {
    plugins.next = row.status;
    const AdminAnswer answer = run("plugin.load", R"({"file":"/p/x.so"})");
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->status, row.http);
    EXPECT_EQ(answer.error->message, row.status.message());
  }
}

TEST_F(AdminCommandsTest, KnowWhichOfThemMayBlock) {
  for (const char* quick : {"plugin.list", "plugin.info", "made.up"})
    EXPECT_EQ(commands.pace(quick), AdminMethod::Pace::quick) << quick;
  for (const char* slow : {"plugin.load", "plugin.reload"})
    EXPECT_EQ(commands.pace(slow), AdminMethod::Pace::blocks) << slow;
}

TEST(AdminLog, NamesClientCommandAndOutcome) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  FakePlugins plugins;
  {
    Log log({.json = true, .fd = ends[1]});
    const AdminCommands commands(plugins, log, {});
    rapidjson::Document params;
    params.Parse(R"({"name":"alpha"})");
    commands.run("plugin.disable", &params, {"ann"});
    plugins.next = Status::failed("still needed");
    commands.run("plugin.unload", &params, {"bob"});
  }
  char text[4096];
  const ssize_t size = ::read(ends[0], text, sizeof text);
  ::close(ends[0]);
  ::close(ends[1]);
  const std::string lines(text, static_cast<std::size_t>(size));
  for (const auto word : {R"("method":"plugin.disable")", R"("plugin":"alpha")", R"("by":"ann")",
                          R"("outcome":"done")", R"("by":"bob")", R"("outcome":"refused")",
                          R"("reason":"still needed")"}) {
    EXPECT_NE(lines.find(word), std::string::npos) << word << "\n" << lines;
  }
}

}  // namespace
}  // namespace gantry::host::rpc
