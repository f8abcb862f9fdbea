// The commands that ask a host, over a real control socket with fake plugins that record.
#include <cstdlib>

#include <gtest/gtest.h>

#include "host/control/paths.hpp"
#include "host/control/server.hpp"
#include "tests/host/control/scratch.hpp"
#include "tests/host/rpc/admin/fake.hpp"
#include "tools/gantry/run.hpp"

namespace gantry::cli {
namespace {

using host::control::Scratch;
using host::control::Server;

struct Outcome {
  int code;
  std::string out, err;
};

Outcome gantry(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "gantry");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = run(static_cast<int>(arguments.size()), arguments.data());
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

bool contains(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

struct HostsTest : testing::Test {
  HostsTest() { ::setenv("XDG_RUNTIME_DIR", scratch.path().c_str(), 1); }
  ~HostsTest() override { ::unsetenv("XDG_RUNTIME_DIR"); }

  std::unique_ptr<Server> serve(const std::string& name) {
    auto directory = host::control::make_runtime_directory();
    EXPECT_TRUE(directory) << directory.message();
    auto server = Server::start(*directory / name, commands, log);
    EXPECT_TRUE(server) << server.message();
    return std::move(*server);
  }

  const Scratch scratch;
  host::FakePlugins plugins;
  host::Log log{{.level = host::Level::off}};
  host::rpc::AdminCommands commands{plugins, log, {"1.0.0", "http://127.0.0.1:7/mcp"}};
};

TEST_F(HostsTest, ListFindsTheHostOfThisUser) {
  const auto server = serve("gantryd-1.sock");
  const Outcome list = gantry({"plugin", "list"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(list.out,
            "NAME   VERSION  GENERATION  STATE    ISOLATION   REMARKS\n"
            "alpha  1.2.3    4           serving  in-process\n"
            "beta   1.2.3    4           serving  in-process\n");
  const Outcome json = gantry({"plugin", "list", "--json"});
  EXPECT_TRUE(contains(json.out, "\"name\": \"alpha\"")) << json.out;
  EXPECT_EQ(json.out.front(), '{');
}

TEST_F(HostsTest, SaysWhenNoHostRuns) {
  const Outcome none = gantry({"plugin", "list"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(contains(none.err, "no host of this user runs")) << none.err;
  EXPECT_TRUE(contains(none.err, "--control")) << none.err;
  const std::string path = scratch / "unused.sock";
  const Outcome named = gantry({"plugin", "list", "--control", path.c_str()});
  EXPECT_EQ(named.code, 2);
  EXPECT_TRUE(contains(named.err, path)) << named.err;
  const std::string longer = scratch / std::string(120, 'x');
  EXPECT_TRUE(contains(gantry({"plugin", "list", "--control", longer.c_str()}).err, "107"));
}

TEST_F(HostsTest, NamesTheHostsWhenThereAreSeveral) {
  const auto one = serve("gantryd-1.sock"), two = serve("gantryd-2.sock");
  const Outcome both = gantry({"plugin", "list"});
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(contains(both.err, "--control " + one->path())) << both.err;
  EXPECT_TRUE(contains(both.err, "--control " + two->path())) << both.err;
  EXPECT_TRUE(contains(both.err, "http://127.0.0.1:7/mcp")) << both.err;
  EXPECT_EQ(gantry({"plugin", "list", "--control", two->path().c_str()}).code, 0);
}

TEST_F(HostsTest, EachCommandSendsItsOwnRequest) {
  const auto server = serve("gantryd-1.sock");
  const std::string file = scratch / "gamma.so";
  std::fclose(std::fopen(file.c_str(), "w"));
  const Outcome load = gantry({"plugin", "load", file.c_str()});
  EXPECT_EQ(load.code, 0) << load.err;
  EXPECT_TRUE(contains(load.out, "gamma")) << load.out;
  EXPECT_FALSE(contains(load.out, "alpha")) << load.out;
  EXPECT_EQ(gantry({"plugin", "reload", "alpha"}).code, 0);
  EXPECT_TRUE(contains(gantry({"plugin", "reload"}).out, "beta"));
  EXPECT_EQ(gantry({"plugin", "enable", "alpha"}).code, 0);
  EXPECT_EQ(gantry({"plugin", "disable", "alpha"}).code, 0);
  EXPECT_EQ(gantry({"plugin", "quarantine", "alpha"}).code, 0);
  EXPECT_EQ(gantry({"plugin", "quarantine", "alpha", "--lift"}).code, 0);
  EXPECT_EQ(gantry({"plugin", "unload", "alpha"}).out, "alpha is gone\n");
  EXPECT_EQ(plugins.asked(),
            (std::vector<std::string>{"load " + file, "reload alpha", "reload ", "enable alpha",
                                      "disable alpha", "quarantine alpha", "lift alpha",
                                      "unload alpha"}));
}

TEST_F(HostsTest, InfoShowsFactsAndObjects) {
  const auto server = serve("gantryd-1.sock");
  const Outcome info = gantry({"plugin", "info", "beta"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_TRUE(contains(info.out, "generation  4\n")) << info.out;
  EXPECT_TRUE(contains(info.out, "\noffer\n{")) << info.out;
  EXPECT_TRUE(contains(gantry({"plugin", "info", "beta", "--json"}).out, "\"offer\": {"));
}

TEST_F(HostsTest, ARefusalOfTheHostEndsWith1AndItsSentence) {
  const auto server = serve("gantryd-1.sock");
  const Outcome unknown = gantry({"plugin", "info", "missing"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_EQ(unknown.err, "gantry: there is no plugin 'missing'\n");
  plugins.next = Status::failed("beta needs it");
  const Outcome needed = gantry({"plugin", "unload", "alpha"});
  EXPECT_EQ(needed.code, 1);
  EXPECT_EQ(needed.err, "gantry: beta needs it\n");
}

TEST_F(HostsTest, WrongUsageEndsWith2) {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{},
        {"plugin"},
        {"plugins"},
        {"plugin", "unload"},
        {"plugin", "info", "a", "b"},
        {"plugin", "list", "--url", "ftp://x"},
        {"plugin", "list", "--key", "k"},
        {"plugin", "list", "--control", "a", "--url", "b"},
        {"plugin", "load", "/nowhere/x.so"}}) {
    const Outcome outcome = gantry(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("gantry: ")) << outcome.err;
  }
}

TEST_F(HostsTest, HelpNamesEveryCommand) {
  const Outcome help = gantry({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_TRUE(contains(help.out, "plugin")) << help.out;
  EXPECT_TRUE(contains(help.out, "Exit codes")) << help.out;
  const Outcome plugin = gantry({"plugin", "--help"});
  for (const auto word :
       {"list", "info", "load", "unload", "reload", "enable", "disable", "quarantine"}) {
    EXPECT_TRUE(contains(plugin.out, word)) << word;
  }
  EXPECT_TRUE(contains(gantry({"--version"}).out, "gantry "));
}

TEST_F(HostsTest, SaysThatNothingAnswersAtAUrl) {
  const Outcome silent = gantry({"plugin", "list", "--url", "http://127.0.0.1:1", "--key", "k"});
  EXPECT_EQ(silent.code, 2);
  EXPECT_TRUE(contains(silent.err, "http://127.0.0.1:1")) << silent.err;
}

}  // namespace
}  // namespace gantry::cli
