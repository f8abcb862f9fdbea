#include <gtest/gtest.h>

#include "host/config/flags.hpp"

namespace gantry::host {
namespace {

std::vector<PluginKeys> shop() {
  PluginKey store;
  store.key = "store", store.flag = "--store", store.type = "PLACE", store.help = "What is sold";
  store.scheme = "shelf", store.refusal = "only shelves are served";
  store.positional = "PLACE", store.refused = {"box:"};
  PluginKey rules;
  rules.key = "rules", rules.flag = "--rules", rules.type = "DIR", rules.help = "How it is sold";
  PluginKey silent;
  silent.key = "silent";
  return {{"shop", "gantryd --store here", "store", {store, rules, silent}}};
}

CommandLine line(std::vector<const char*> arguments, const std::vector<PluginKeys>& plugins) {
  arguments.insert(arguments.begin(), "gantryd");
  return read_command_line(static_cast<int>(arguments.size()), arguments.data(), "1", plugins);
}

TEST(PluginKeys, AreSetByTheirFlags) {
  const CommandLine got = line({"--rules", "a:b", "--store", "shelf:here"}, shop());
  ASSERT_EQ(got.action, CommandLine::Action::serve) << got.errors;
  EXPECT_EQ(got.settings.plugins.at("shop").config, R"({"store":"here","rules":"a:b"})");
  EXPECT_EQ(got.required_plugins, std::vector<std::string>{"shop"});
}

TEST(PluginKeys, WithoutTheirFlagsChangeNothing) {
  const CommandLine got = line({"--store", ""}, shop());
  EXPECT_TRUE(got.settings.plugins.empty());
  EXPECT_TRUE(got.required_plugins.empty());
}

TEST(PluginKeys, AreMadeTrueByFlagsWithoutValues) {
  PluginKey open;
  open.key = "open", open.flag = "--open", open.help = "Sell to all";
  const std::vector<PluginKeys> plugins{{"shop", "gantryd", "", {open}}};
  EXPECT_EQ(line({"--open"}, plugins).settings.plugins.at("shop").config, R"({"open":true})");
  EXPECT_TRUE(line({}, plugins).settings.plugins.empty());
}

TEST(PluginKeys, RefuseAnotherScheme) {
  const CommandLine got = line({"--store", "cupboard://here"}, shop());
  EXPECT_EQ(got.exit_code, 2);
  EXPECT_EQ(got.errors, "gantryd: --store cupboard://here: only shelves are served\n");
  EXPECT_EQ(line({"--store", "C:/here"}, shop()).settings.plugins.at("shop").config,
            R"({"store":"C:/here"})");
}

TEST(PluginKeys, RefuseBeginningsOfValues) {
  EXPECT_EQ(line({"--store", "box:here"}, shop()).errors,
            "gantryd: --store box:here: only shelves are served\n");
  EXPECT_EQ(line({"--store", "./box:here"}, shop()).action, CommandLine::Action::serve);
}

TEST(PluginKeys, AreSetByAPositionalArgument) {
  const CommandLine got = line({"shelf:here"}, shop());
  EXPECT_EQ(got.settings.plugins.at("shop").config, R"({"store":"here"})");
  EXPECT_EQ(got.required_plugins, std::vector<std::string>{"shop"});
  EXPECT_EQ(line({"here", "--store", "there"}, shop()).exit_code, 2);
  EXPECT_EQ(line({"here", "there"}, shop()).exit_code, 2);
}

TEST(PluginKeys, AreNearMisspeltFlags) {
  const std::string said = line({"--stroe", "here"}, shop()).errors;
  EXPECT_NE(said.find("did you mean '--store'?"), std::string::npos) << said;
}

TEST(PluginKeys, AreInTheHelp) {
  const std::string help = line({"--help"}, shop()).output;
  EXPECT_NE(help.find("--store PLACE"), std::string::npos) << help;
  EXPECT_NE(help.find("How it is sold"), std::string::npos) << help;
  EXPECT_NE(help.find("Try:  gantryd --store here\n      claude mcp"), std::string::npos) << help;
  EXPECT_EQ(help.find("silent"), std::string::npos) << help;
}

TEST(PluginKeys, AreNotNeeded) {
  EXPECT_NE(line({"--help"}, {}).output.find("Try:  claude mcp add"), std::string::npos);
  EXPECT_EQ(line({"--store", "here"}, {}).exit_code, 2);
}

}  // namespace
}  // namespace gantry::host
