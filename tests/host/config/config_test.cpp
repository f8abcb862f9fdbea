#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "host/config/flags.hpp"
#include "host/config/read.hpp"

namespace gantry::host {
namespace {

std::string refusal(std::string_view text) {
  const auto settings = read_settings(text, "f.json");
  return settings ? "accepted" : settings.message();
}

CommandLine line(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "gantryd");
  return read_command_line(static_cast<int>(arguments.size()), arguments.data(), "1.2.3",
                           builtin_plugin_keys());
}

TEST(Settings, TakeCommentsAndTrailingCommas) {
  const auto settings = read_settings(
      "// mine\n{\n /* x */ \"log_level\": \"warn\",\n \"limits\": {\"max_calls\": "
      "\"unlimited\"},\n}\n",
      "f");
  ASSERT_TRUE(settings) << settings.message();
  EXPECT_EQ(settings->log_level, "warn");
  EXPECT_EQ(settings->limits.calls.max_running, 0);
  EXPECT_EQ(settings->limits.streams.requests, 100);
}

TEST(Settings, NameFileLineAndAllowedValues) {
  const std::string unknown =
      refusal("{\n  \"log_level\": \"warn\",\n  \"lissten\": \"127.0.0.1:0\"\n}\n");
  EXPECT_EQ(unknown.rfind("f.json:3: ", 0), 0u) << unknown;
  EXPECT_NE(unknown.find("lissten"), std::string::npos);
  EXPECT_NE(unknown.find("'listen'"), std::string::npos) << unknown;
  const std::string value = refusal("{\n\n  \"log_level\": \"loud\"\n}\n");
  EXPECT_EQ(value.rfind("f.json:3: ", 0), 0u) << value;
  EXPECT_NE(value.find("warn"), std::string::npos);
  const std::string deep =
      refusal("{\n \"http\": {\n  \"allowed_origins\": [\n   \"a\",\n   7\n  ]\n }\n}");
  EXPECT_EQ(deep.rfind("f.json:5: ", 0), 0u) << deep;
  const std::string nested = refusal("{\n \"limits\": {\n  \"max_cals\": 1\n }\n}");
  EXPECT_EQ(nested.rfind("f.json:3: ", 0), 0u) << nested;
}

TEST(Settings, ReportEveryFault) {
  const std::string both = refusal("{\n\"log_level\": 1,\n\"limits\": {\"max_calls\": 0}\n}");
  EXPECT_NE(both.find("f.json:2: "), std::string::npos) << both;
  EXPECT_NE(both.find("f.json:3: "), std::string::npos) << both;
}

TEST(Settings, RefuseInvalidJson) {
  EXPECT_EQ(refusal("{\n  \"listen\": \n}\n").rfind("f.json:3: not JSON", 0), 0u);
  EXPECT_EQ(refusal("").rfind("f.json:1: ", 0), 0u);
  EXPECT_NE(refusal("{\n\"state\": \"a\",\n\"state\": \"b\"}")
                .find("f.json:3: the key 'state' stands twice"),
            std::string::npos);
  EXPECT_NE(refusal("[1]"), "accepted");
}

TEST(Settings, CheckTheAddress) {
  for (const auto good : {"127.0.0.1:0", "localhost:65535", "[::1]:80", "0.0.0.0:1", "8080"})
    EXPECT_TRUE(parse_address(good)) << good;
  for (const auto bad :
       {"", "65536", "80x", ":80", "h:", "h:x", "h:65536", "h:-1", "::1:80", "[]:80", "h:80x"})
    EXPECT_FALSE(parse_address(bad)) << bad;
  EXPECT_EQ(parse_address("[::1]:80")->host, "::1");
  EXPECT_EQ(parse_address("8080")->host, "127.0.0.1");
  EXPECT_EQ(parse_address("8080")->port, 8080);
  EXPECT_NE(refusal("{\n\"listen\": 9000}").find("HOST:PORT"), std::string::npos);
  EXPECT_EQ(refusal("{\n\"listen\": \"nowhere\"}").rfind("f.json:2: listen", 0), 0u);
}

TEST(Flags, SetHostsOriginsAndInstructions) {
  const CommandLine got = line({"--allow-host", "a.example", "--allow-host", "b.example",
                                "--allow-origin", "https://c.example", "--instructions", "Hello"});
  ASSERT_EQ(got.action, CommandLine::Action::serve) << got.errors;
  EXPECT_EQ(got.settings.http.guard.allowed_hosts,
            (std::vector<std::string>{"a.example", "b.example"}));
  EXPECT_EQ(got.settings.http.guard.allowed_origins, std::vector<std::string>{"https://c.example"});
  EXPECT_EQ(got.settings.instructions, "Hello");
  EXPECT_EQ(line({"--allow-host", "a, b"}).exit_code, 2);
  EXPECT_EQ(line({"--allow-origin", ""}).exit_code, 2);
  EXPECT_NE(line({"--instructions", "@/nowhere/at.all"}).errors.find("/nowhere/at.all"),
            std::string::npos);
}

TEST(Flags, RefuseStdioBesideAnAddress) {
  EXPECT_NE(line({"--stdio", "--listen", "1"}).errors.find("exclude each other"),
            std::string::npos);
  EXPECT_TRUE(line({"--stdio"}).settings.stdio);
}

TEST(Flags, NameTheNearestFlag) {
  const std::string said = line({"--lissten=1"}).errors;
  EXPECT_NE(said.find("did you mean '--listen'?"), std::string::npos) << said;
  EXPECT_EQ(line({"--zzzzzzzzzz"}).errors.find("did you mean"), std::string::npos);
}

TEST(Settings, ComeBackFromTheirPrint) {
  const std::string text =
      R"({"listen":"127.0.0.1:1","plugins":{"p":{"config":{"a":[1,{"b":"c"}]},"secrets":{"t":{"env":"E"},"u":{"file":"/f"}}}},"limits":{"max_request_streams":"unlimited"},"http":{"allowed_hosts":["h"]}})";
  const auto first = read_settings(text, "f");
  ASSERT_TRUE(first) << first.message();
  const std::string printed = print_settings(*first);
  const auto again = read_settings(printed, "printed");
  ASSERT_TRUE(again) << again.message();
  EXPECT_EQ(print_settings(*again), printed);
  EXPECT_EQ(again->plugins.at("p").config, R"({"a":[1,{"b":"c"}]})");
  EXPECT_EQ(again->plugins.at("p").secrets.at("u").file, "/f");
}

TEST(Settings, SayWhichFilesAreTrusted) {
  const std::string text =
      R"({"trust":{"require":"both","sha256":["ABCDabcd0123456789abcdef0123456789abcdef0123456789abcdef01234567"],"keys":["/etc/gantry/us.pub"],"builtin_plugins":true,"check_permissions":false}})";
  const auto settings = read_settings(text, "f");
  ASSERT_TRUE(settings) << settings.message();
  const auto again = read_settings(print_settings(*settings), "printed");
  ASSERT_TRUE(again) << again.message();
  for (const auto& each : {*settings, *again}) {
    EXPECT_EQ(each.trust.rule, TrustRule::both);
    EXPECT_EQ(each.trust.sha256.size(), 1u);
    EXPECT_EQ(each.trust.keys, std::vector<std::string>{"/etc/gantry/us.pub"});
    EXPECT_TRUE(each.trust.builtin_plugins);
    EXPECT_FALSE(each.trust.check_permissions);
  }
}

TEST(Settings, SetAPluginsIsolationAndRights) {
  const std::string text =
      R"({"plugins":{"p":{"isolate":"process","enabled":false,"allow":{"files":{"read":["/r"],"write":["/w","/x"]},"network":true},"walls":"none","worker":{"memory_bytes":67108864,"cpu_seconds":2,"descriptors":33,"threads":34,"disk_bytes":35,"log_bytes_per_second":36,"calls":3,"kill_after_ms":4,"failures":5,"within_ms":6}},"q":{}}})";
  const auto settings = read_settings(text, "f");
  ASSERT_TRUE(settings) << settings.message();
  const auto again = read_settings(print_settings(*settings), "printed");
  ASSERT_TRUE(again) << again.message();
  for (const auto& each : {*settings, *again}) {
    const PluginSettings& plugin = each.plugins.at("p");
    EXPECT_EQ(plugin.isolate, Isolate::process);
    EXPECT_FALSE(plugin.enabled);
    EXPECT_EQ(plugin.worker.files.read, std::vector<std::filesystem::path>{"/r"});
    EXPECT_EQ(plugin.worker.files.write, (std::vector<std::filesystem::path>{"/w", "/x"}));
    EXPECT_TRUE(plugin.worker.network);
    EXPECT_FALSE(plugin.worker.processes);
    EXPECT_FALSE(plugin.worker.walls);
    EXPECT_EQ(plugin.worker.threads, 34);
    EXPECT_EQ(plugin.worker.disk_bytes, 35u);
    EXPECT_EQ(plugin.worker.log_bytes, 36u);
    EXPECT_EQ(plugin.worker.memory_bytes, 67'108'864u);
    EXPECT_EQ(plugin.worker.cpu, std::chrono::seconds(2));
    EXPECT_EQ(plugin.worker.descriptors, 33);
    EXPECT_EQ(plugin.worker.calls, 3);
    EXPECT_EQ(plugin.worker.kill_after, std::chrono::milliseconds(4));
    EXPECT_EQ(plugin.worker.failures, 5);
    EXPECT_EQ(plugin.worker.within, std::chrono::milliseconds(6));
    EXPECT_EQ(each.plugins.at("q").isolate, Isolate::automatic);
    EXPECT_TRUE(each.plugins.at("q").enabled);
  }
}

TEST(Settings, ReadGrantsAsAListOfWordsToo) {
  const auto settings = read_settings(
      R"({"plugins":{"p":{"allow":["network"]},"q":{"allow":["processes","network"]}}})", "f");
  ASSERT_TRUE(settings) << settings.message();
  EXPECT_TRUE(settings->plugins.at("p").worker.network);
  EXPECT_FALSE(settings->plugins.at("p").worker.processes);
  EXPECT_TRUE(settings->plugins.at("q").worker.processes);
  EXPECT_TRUE(settings->plugins.at("q").worker.walls);
}

// A key is a member, a row of the visitor and a property of the schema.
void compare(const rapidjson::Value& printed, const rapidjson::Value& properties,
             const std::string& where) {
  EXPECT_EQ(printed.MemberCount(), properties.MemberCount()) << where;
  for (const auto& property : properties.GetObject()) {
    EXPECT_TRUE(printed.HasMember(property.name)) << where << property.name.GetString();
  }
}

TEST(Settings, MatchTheSchemaExactly) {
  rapidjson::Document printed, schema;
  Settings settings;
  settings.plugins["p"];
  printed.Parse(print_settings(settings).c_str());
  schema.Parse(config_schema().data(), config_schema().size());
  const auto& properties = schema["properties"];
  compare(printed, properties, "");
  for (const char* group : {"http", "limits", "trust"})
    compare(printed[group], properties[group]["properties"], group);
  const auto& plugin = properties["plugins"]["additionalProperties"]["properties"];
  compare(printed["plugins"]["p"], plugin, "plugins.p");
  compare(printed["plugins"]["p"]["allow"], plugin["allow"]["properties"], "plugins.p.allow");
  compare(printed["plugins"]["p"]["allow"]["files"],
          plugin["allow"]["properties"]["files"]["properties"], "plugins.p.allow.files");
  compare(printed["plugins"]["p"]["worker"], plugin["worker"]["properties"], "plugins.p.worker");
}

TEST(Settings, AcceptTheGoodExamplesAndRefuseTheBad) {
  const std::filesystem::path root =
      std::filesystem::path(GANTRY_SOURCE_DIR) / "schemas/host/examples";
  int seen = 0;
  for (const bool good : {true, false}) {
    for (const auto& file : std::filesystem::directory_iterator(root / (good ? "good" : "bad"))) {
      const auto settings = read_settings_file(file.path());
      EXPECT_EQ(settings.is_ok(), good) << file.path() << settings.message();
      ++seen;
    }
  }
  EXPECT_GE(seen, 5);
}

TEST(Flags, WinOverTheFile) {
  const std::string file = testing::TempDir() + "/flags.json";
  std::FILE* out = std::fopen(file.c_str(), "w");
  std::fputs(
      R"({"listen":"127.0.0.1:1","log_level":"warn","plugin_files":["a.so"],"plugins":{"data":{"config":{"database":"old","x":1}}}})",
      out);
  std::fclose(out);
  const CommandLine got = line({"--config", file.c_str(), "--listen", "127.0.0.1:2", "--plugin",
                                "b.so", "--plugin", "c.so", "--plugins", "d", "--db",
                                "sqlite:new.db", "--model", "m", "--control", "/run/c.sock"});
  ASSERT_EQ(got.action, CommandLine::Action::serve) << got.errors;
  EXPECT_EQ(got.settings.listen, "127.0.0.1:2");
  EXPECT_EQ(got.settings.log_level, "warn");
  EXPECT_EQ(got.settings.plugin_files, (std::vector<std::string>{"a.so", "b.so", "c.so"}));
  EXPECT_EQ(got.settings.control, "/run/c.sock");
  EXPECT_EQ(got.settings.plugin_directories, std::vector<std::string>{"d"});
  EXPECT_EQ(got.settings.plugins.at("data").config, R"({"x":1,"database":"new.db","model":"m"})");
  EXPECT_EQ(got.required_plugins, std::vector<std::string>{"data"});
}

TEST(Flags, AreRefusedByName) {
  for (const auto& [arguments, word] :
       std::vector<std::pair<std::vector<const char*>, std::string>>{
           {{"--lissten", "x"}, "lissten"},
           {{"--log-level", "loud"}, "loud"},
           {{"--log-format", "xml"}, "xml"},
           {{"--listen", "nowhere"}, "nowhere"},
           {{"--db", "postgresql://h/d"}, "postgresql://h/d"},
           {{"--agent", "root"}, "root"},
           {{"--config", "/nowhere/g.json"}, "/nowhere/g.json"},
           {{"shop.db", "stray"}, "stray"}}) {
    const CommandLine got = line(arguments);
    EXPECT_EQ(got.action, CommandLine::Action::leave) << word;
    EXPECT_EQ(got.exit_code, 2) << word;
    EXPECT_EQ(got.output, "");
    EXPECT_NE(got.errors.find(word), std::string::npos) << got.errors;
  }
}

TEST(Flags, AskForWordsOnly) {
  EXPECT_EQ(line({"--version"}).output, "gantryd 1.2.3\n");
  const CommandLine help = line({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const auto word : {"--config",
                          "--db",
                          "--model",
                          "--plugins",
                          "--plugin",
                          "--builtin-plugins",
                          "--listen",
                          "--stdio",
                          "--state",
                          "--agent",
                          "--control",
                          "--log-level",
                          "--log-format",
                          "--check-config",
                          "--print-config",
                          "--version",
                          "GANTRY_API_KEY",
                          "GANTRY_ADMIN_KEY",
                          "Exit codes",
                          "short for plugins.data.config.database",
                          "short for plugins.data.config.model",
                          "Try:  gantryd shop.db\n      claude mcp add"}) {
    EXPECT_NE(help.output.find(word), std::string::npos) << word;
  }
  const CommandLine print = line({"--print-config", "--listen", "127.0.0.1:4711"});
  EXPECT_EQ(print.exit_code, 0);
  EXPECT_EQ(read_settings(print.output, "p")->listen, "127.0.0.1:4711");
  EXPECT_EQ(line({"--check-config"}).action, CommandLine::Action::check);
}

}  // namespace
}  // namespace gantry::host
