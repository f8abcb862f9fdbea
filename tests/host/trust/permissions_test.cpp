#include "host/trust/permissions.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.hpp"

namespace gantry::host::trust::permissions_test {
namespace {

namespace fs = std::filesystem;

std::string sentence(const Status& status) { return status ? "" : status.message(); }

class Permissions : public ::testing::Test {
 protected:
  Permissions() {
    fs::create_directory(folder_.path() / "plugins");
    ::chmod(plugins().c_str(), 0755);
    file_ = folder_.write("plugins/a.so", "x");
    ::chmod(file_.c_str(), 0644);
  }
  fs::path plugins() const { return folder_.path() / "plugins"; }

  Folder folder_;
  fs::path file_;
};

TEST_F(Permissions, OfOneselfAloneAreFine) {
  EXPECT_EQ(sentence(check_directory(plugins())), "");
  EXPECT_EQ(sentence(check_file(file_)), "");
}

TEST_F(Permissions, ADirectoryOthersCanWriteToIsRefusedWithTheCommandThatMendsIt) {
  ::chmod(plugins().c_str(), 0777);
  const Status status = check_directory(plugins());
  EXPECT_EQ(status.code(), GANTRY_DENIED);
  EXPECT_NE(sentence(status).find("chmod go-w " + plugins().string()), std::string::npos)
      << sentence(status);
  EXPECT_NE(sentence(status).find("mode 0777"), std::string::npos) << sentence(status);
  EXPECT_FALSE(check_file(file_));
}

TEST_F(Permissions, TheStickyBitKeepsOthersFromTheFiles) {
  ::chmod(plugins().c_str(), 01777);
  EXPECT_EQ(sentence(check_directory(plugins())), "");
  EXPECT_EQ(sentence(check_file(file_)), "");
}

TEST_F(Permissions, ADirectoryAboveCountsToo) {
  ::chmod(folder_.path().c_str(), 0777);
  EXPECT_NE(sentence(check_directory(plugins())).find(folder_.path().string() + " (mode"),
            std::string::npos);
  EXPECT_FALSE(check_file(file_));
  ::chmod(folder_.path().c_str(), 0700);
}

TEST_F(Permissions, AFileOthersCanWriteToIsRefused) {
  ::chmod(file_.c_str(), 0666);
  EXPECT_NE(sentence(check_file(file_)).find("the file " + file_.string()), std::string::npos);
}

TEST_F(Permissions, EveryLinkOnTheWayIsLookedAt) {
  fs::create_directory(folder_.path() / "open");
  fs::create_symlink(file_, folder_.path() / "open" / "b.so");
  fs::create_symlink("open/b.so", folder_.path() / "c.so");
  EXPECT_EQ(sentence(check_file(folder_.path() / "c.so")), "");
  ::chmod((folder_.path() / "open").c_str(), 0777);
  EXPECT_NE(sentence(check_file(folder_.path() / "c.so")).find("/open"), std::string::npos);
}

TEST_F(Permissions, ALinkToItselfAndAMissingFileAreSentences) {
  fs::create_symlink("round.so", folder_.path() / "round.so");
  EXPECT_FALSE(check_file(folder_.path() / "round.so"));
  EXPECT_FALSE(check_file(folder_.path() / "none.so"));
  EXPECT_FALSE(check_directory(folder_.path() / "none"));
}

TEST_F(Permissions, AnotherUsersDirectoryIsRefusedWithTheirName) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  ASSERT_EQ(::chown(plugins().c_str(), 1, static_cast<gid_t>(-1)), 0);
  const std::string text = sentence(check_directory(plugins()));
  EXPECT_NE(text.find("(uid 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("chown 0 " + plugins().string()), std::string::npos) << text;
}

TEST_F(Permissions, AGroupWithOthersInItIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can choose any group";
  ASSERT_EQ(::chown(plugins().c_str(), static_cast<uid_t>(-1), 12), 0);
  ::chmod(plugins().c_str(), 0775);
  EXPECT_FALSE(check_directory(plugins()));
  ASSERT_EQ(::chown(plugins().c_str(), static_cast<uid_t>(-1), 0), 0);  // root's own group
  ::chmod(plugins().c_str(), 0775);
  EXPECT_EQ(sentence(check_directory(plugins())), "");
}

}  // namespace
}  // namespace gantry::host::trust::permissions_test
