// `gantry plugin keygen`, `sign` and `verify`, and minisign on their keys and signatures.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "program.hpp"

namespace gantry::cli {
namespace {

class Sign : public ::testing::Test {
 protected:
  Sign() {
    std::string name = (std::filesystem::temp_directory_path() / "gantry-sign-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    write("p.so", "bytes of a plugin");
  }
  ~Sign() override { std::filesystem::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void make_key() const {
    const Ran made = run_gantry("plugin keygen --no-password " + at("us"));
    ASSERT_EQ(made.code, 0) << made.output;
  }

  std::filesystem::path folder_;
};

TEST_F(Sign, ASignedFileIsVerified) {
  make_key();
  const Ran put = run_gantry("plugin sign " + at("p.so") + " --key " + at("us.key"));
  EXPECT_EQ(put.code, 0) << put.output;
  const Ran good = run_gantry("plugin verify " + at("p.so") + " --key " + at("us.pub"));
  EXPECT_EQ(good.code, 0) << good.output;
  EXPECT_NE(good.output.find("file:p.so"), std::string::npos) << good.output;
  write("p.so", "bytes of another");
  const Ran bad = run_gantry("plugin verify " + at("p.so") + " --key " + at("us.pub"));
  EXPECT_EQ(bad.code, 1) << bad.output;
  EXPECT_NE(bad.output.find("does not fit the file"), std::string::npos) << bad.output;
}

TEST_F(Sign, MinisignVerifiesIt) {
  if (std::system("minisign -v >/dev/null 2>&1") != 0) GTEST_SKIP() << "minisign is not installed";
  make_key();
  ASSERT_EQ(run_gantry("plugin sign " + at("p.so") + " --key " + at("us.key")).code, 0);
  const std::string command = "minisign -V -q -p " + at("us.pub") + " -m " + at("p.so");
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(Sign, TheSecretKeyIsForItsOwnerAndNeverReplacedByAccident) {
  make_key();
  struct stat info {};
  ASSERT_EQ(::stat(at("us.key").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  const Ran again = run_gantry("plugin keygen --no-password " + at("us"));
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.output.find("--force"), std::string::npos) << again.output;
}

TEST_F(Sign, AKeyNeedsAPassword) {
  const Ran none = run_gantry("plugin keygen " + at("us"));
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.output.find("--no-password"), std::string::npos) << none.output;
}

TEST_F(Sign, MissingFilesAreNamed) {
  EXPECT_EQ(run_gantry("plugin sign " + at("p.so") + " --key " + at("none.key")).code, 2);
  make_key();
  const Ran unsigned_file = run_gantry("plugin verify " + at("p.so") + " --key " + at("us.pub"));
  EXPECT_EQ(unsigned_file.code, 1);
  EXPECT_NE(unsigned_file.output.find("p.so.minisig"), std::string::npos) << unsigned_file.output;
}

}  // namespace
}  // namespace gantry::cli
