#include "host/rpc/admin/state_json.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace gantry::host::rpc::state_json_test {
namespace {

rapidjson::Document parsed(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text.c_str());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

TEST(StateJson, SaysEverythingThatIsSet) {
  PluginState state;
  state.name = "a\"b";
  state.version = "1.0.0";
  state.file = "/p/a.so";
  state.sha256 = "ff";
  state.generation = 7;
  state.state = "restarting";
  state.reason = "line\nbreak";
  state.last_failure = "no";
  state.in_worker = state.builtin = true;
  state.pid = 12;
  state.restarts = 3;
  state.draining = 1;
  state.stuck = 2;
  state.abandoned_calls = 5;
  const auto json = parsed(state_json(state));
  EXPECT_STREQ(json["name"].GetString(), "a\"b");
  EXPECT_EQ(json["generation"].GetInt(), 7);
  EXPECT_STREQ(json["state"].GetString(), "restarting");
  EXPECT_STREQ(json["isolation"].GetString(), "process");
  EXPECT_STREQ(json["reason"].GetString(), "line\nbreak");
  EXPECT_STREQ(json["last_failure"].GetString(), "no");
  EXPECT_STREQ(json["sha256"].GetString(), "ff");
  EXPECT_TRUE(json["builtin"].GetBool());
  EXPECT_EQ(json["pid"].GetInt(), 12);
  EXPECT_EQ(json["restarts"].GetInt(), 3);
  EXPECT_EQ(json["draining"].GetInt(), 1);
  EXPECT_EQ(json["stuck"].GetInt(), 2);
  EXPECT_EQ(json["abandoned_calls"].GetInt(), 5);
  EXPECT_EQ(state_json(state).find('\n'), std::string::npos);
}

TEST(StateJson, LeavesOutEmptyMembers) {
  PluginState state;
  state.name = "a";
  state.state = "serving";
  EXPECT_EQ(state_json(state),
            R"({"name":"a","generation":0,"state":"serving","isolation":"in-process",)"
            R"("builtin":false})");
}

TEST(StateJson, PutsTheDetailsOnOneLine) {
  PluginInfo info;
  info.state.name = "a";
  info.manifest = "{\n  \"name\": \"a\"\n}";
  info.offer = R"({"tools":["t"]})";
  const std::string text = info_json(info);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto json = parsed(text);
  EXPECT_STREQ(json["manifest"]["name"].GetString(), "a");
  EXPECT_STREQ(json["offer"]["tools"][0].GetString(), "t");
  EXPECT_TRUE(json["settings"].IsObject());
}

}  // namespace
}  // namespace gantry::host::rpc::state_json_test
