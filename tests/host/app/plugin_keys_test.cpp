#include "host/app/plugin_keys.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

// A directory of its own for each test, with a database and a model in it, and a state directory.
class BuiltinPluginKeys : public testing::Test {
 protected:
  BuiltinPluginKeys() {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    root_ = fs::path(testing::TempDir()) / ("plugin_keys_" + name);
    fs::remove_all(root_);
    for (const char* directory : {"files/model", "state"})
      fs::create_directories(root_ / directory);
    root_ = fs::canonical(root_);
    touch("files/shop.db");
    settings_.control = "none";
  }
  ~BuiltinPluginKeys() override { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  void touch(const std::string& name) const { std::ofstream(path(name)) << "x"; }
  void configure(const std::string& config) { settings_.plugins["data"].config = config; }
  PluginSettings completed() const {
    return with_plugin_keys(settings_, builtin_plugin_keys(), path("state")).plugins.at("data");
  }

  fs::path root_;
  Settings settings_;
};

TEST_F(BuiltinPluginKeys, AreFilledInWhereADatabaseIsServed) {
  configure(R"({"database":"sqlite:)" + path("files/shop.db") + R"("})");
  const PluginSettings data = completed();
  EXPECT_EQ(data.config, R"({"database":"sqlite:)" + path("files/shop.db") + R"(","exports":")" +
                             path("state/exports") +
                             R"(","download_path":"/exports/","writes_directory":")" +
                             path("state/writes") + R"("})");
  EXPECT_EQ(data.worker.files.read, Paths{path("files")});
  EXPECT_EQ(data.worker.files.write, (Paths{path("state/exports"), path("state/writes")}));
  struct stat status {};
  ASSERT_EQ(::stat(path("state/exports").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(BuiltinPluginKeys, KeepTheOperatorsValues) {
  const std::string config = R"({"database":")" + path("files/shop.db") + R"(","model":")" +
                             path("files/model") + R"(","exports":")" + path("out") +
                             R"(","download_path":"","writes_directory":")" + path("writes") +
                             R"("})";
  configure(config);
  settings_.plugins["data"].worker.files.read = {"/srv"};
  const PluginSettings data = completed();
  EXPECT_EQ(data.config, config);
  EXPECT_EQ(data.worker.files.read, (Paths{"/srv", path("files"), path("files/model")}));
  EXPECT_EQ(data.worker.files.write, (Paths{path("out"), path("writes")}));
}

TEST_F(BuiltinPluginKeys, NameNoDownloadsOnStandardInput) {
  configure(R"({"database":"x"})");
  settings_.stdio = true;
  EXPECT_EQ(completed().config.find("download_path"), std::string::npos);
}

TEST_F(BuiltinPluginKeys, GiveTheJournalOfWritesAKeyOfTheStateDirectory) {
  configure(R"({"database":"x"})");
  const PluginSettings data = completed();
  ASSERT_TRUE(data.secrets.contains("writes"));
  EXPECT_EQ(data.secrets.at("writes").file, path("state/writes-key"));
  EXPECT_EQ(fs::file_size(path("state/writes-key")), 32u);
  EXPECT_EQ(fs::status(path("state/writes-key")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  settings_.plugins["data"].secrets["writes"] = {"OWN", {}};
  EXPECT_EQ(completed().secrets.at("writes").environment, "OWN");
  touch("state/writes-key");  // one byte: no key
  settings_.plugins["data"].secrets.clear();
  EXPECT_FALSE(completed().secrets.contains("writes"));
}

TEST_F(BuiltinPluginKeys, ChangeNothingWithoutADatabase) {
  configure(R"({"pushdown":false})");
  const PluginSettings data = completed();
  EXPECT_EQ(data.config, R"({"pushdown":false})");
  EXPECT_TRUE(data.worker.files.read.empty() && data.worker.files.write.empty());
  EXPECT_FALSE(fs::exists(path("state/exports")));
  EXPECT_FALSE(fs::exists(path("state/writes-key")));
}

TEST_F(BuiltinPluginKeys, GrantSingleFilesBesideTheState) {
  for (const char* file : {"shop.db", "shop.db-wal", "other"}) touch(file);
  configure(R"({"database":")" + path("shop.db") + R"("})");
  EXPECT_EQ(completed().worker.files.read, (Paths{path("shop.db"), path("shop.db-wal")}));
}

TEST_F(BuiltinPluginKeys, GrantNothingThatIsNotThere) {
  configure(R"({"database":")" + path("none.db") + R"(","model":7})");
  EXPECT_TRUE(completed().worker.files.read.empty());
}

TEST_F(BuiltinPluginKeys, AreForTheirPluginOnly) {
  settings_.plugins["other"].config = R"({"database":"x"})";
  const Settings out = with_plugin_keys(settings_, builtin_plugin_keys(), path("state"));
  EXPECT_EQ(out.plugins.size(), 1u);
  EXPECT_EQ(out.plugins.at("other").config, R"({"database":"x"})");
}

}  // namespace
}  // namespace gantry::host
