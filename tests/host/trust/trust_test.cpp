#include "host/trust/trust.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "files.hpp"
#include "host/trust/secret_key.hpp"

namespace gantry::host {
namespace {

const std::string kBytes = "bytes of a plugin";
const std::string kHash(64, 'a');

class TrustTest : public ::testing::Test {
 protected:
  TrustTest() : key_(trust::make_secret_key().value()) {
    file_ = folder_.write("p.so", kBytes);
    ::chmod(file_.c_str(), 0644);
  }
  void sign_file() { folder_.write("p.so.minisig", trust::sign(key_, kBytes, "").value()); }
  std::string line() const { return trust::public_key_line(key_.public_key()); }

  // The sentence of the refusal; empty when the file may be loaded.
  std::string check(const TrustSettings& settings, bool builtin = false) const {
    const auto trust = Trust::create(settings);
    if (!trust) return "settings: " + trust.message();
    const Status status = (*trust)->check(file_, kBytes, kHash, builtin);
    return status ? "" : status.message();
  }

  trust::Folder folder_;
  trust::SecretKey key_;
  std::filesystem::path file_;
};

TEST_F(TrustTest, WithoutListsEverythingMayLoad) { EXPECT_EQ(check({}), ""); }

TEST_F(TrustTest, AnAllowlistAllowsItsFiles) {
  EXPECT_EQ(check({.sha256 = {std::string(64, 'A')}}), "");
  const std::string refusal = check({.sha256 = {std::string(64, 'b')}});
  EXPECT_NE(refusal.find(kHash), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("trust.sha256"), std::string::npos) << refusal;
  EXPECT_NE(check({.rule = TrustRule::allowlist}), "");
}

TEST_F(TrustTest, ASignatureByATrustedKeyIsEnough) {
  const std::string missing = check({.keys = {line()}});
  EXPECT_NE(missing.find("gantry plugin sign " + file_.string()), std::string::npos) << missing;
  sign_file();
  EXPECT_EQ(check({.keys = {line()}}), "");
  EXPECT_EQ(check({.keys = {line()}, .rule = TrustRule::signature}), "");
}

TEST_F(TrustTest, AKeyMayBeAFile) {
  sign_file();
  const auto file = folder_.write("us.pub", trust::public_key_file(key_.public_key()));
  EXPECT_EQ(check({.keys = {file.string()}}), "");
}

TEST_F(TrustTest, AStrangersSignatureIsRefusedWithItsKey) {
  sign_file();
  const auto other = trust::public_key_line(trust::make_secret_key()->public_key());
  const std::string refusal = check({.keys = {other}});
  EXPECT_NE(refusal.find(trust::id_text(key_.id)), std::string::npos) << refusal;
}

TEST_F(TrustTest, ASignatureOfOtherBytesIsRefused) {
  folder_.write("p.so.minisig", trust::sign(key_, "other bytes", "").value());
  EXPECT_NE(check({.keys = {line()}}).find("does not fit the file"), std::string::npos);
  folder_.write("p.so.minisig", "nonsense");
  EXPECT_NE(check({.keys = {line()}}).find("no minisign file"), std::string::npos);
}

TEST_F(TrustTest, EitherIsOneOfTheTwoAndBothIsBoth) {
  EXPECT_EQ(check({.sha256 = {kHash}, .keys = {line()}}), "");
  EXPECT_NE(check({.sha256 = {kHash}, .keys = {line()}, .rule = TrustRule::both}), "");
  const std::string neither = check({.sha256 = {std::string(64, 'b')}, .keys = {line()}});
  EXPECT_NE(neither.find("no signature"), std::string::npos) << neither;
  EXPECT_NE(neither.find("list"), std::string::npos) << neither;
  sign_file();
  EXPECT_EQ(check({.sha256 = {kHash}, .keys = {line()}, .rule = TrustRule::both}), "");
  EXPECT_EQ(check({.sha256 = {std::string(64, 'b')}, .keys = {line()}}), "");
}

TEST_F(TrustTest, RequiredSignaturesWithoutKeysRefuseEverything) {
  EXPECT_NE(check({.rule = TrustRule::signature}).find("trust.keys"), std::string::npos);
}

TEST_F(TrustTest, BuiltInFilesAreTrustedUnlessTheOperatorSaysOtherwise) {
  EXPECT_EQ(check({.sha256 = {std::string(64, 'b')}}, true), "");
  EXPECT_NE(check({.sha256 = {std::string(64, 'b')}, .builtin_plugins = true}, true), "");
}

TEST_F(TrustTest, PermissionsAreLookedAtUnlessTheOperatorSaysOtherwise) {
  ::chmod(file_.c_str(), 0666);
  EXPECT_NE(check({}).find("chmod"), std::string::npos);
  EXPECT_EQ(check({.check_permissions = false}), "");
  EXPECT_EQ(check({}, true), "");
}

TEST_F(TrustTest, WrongSettingsAreNamed) {
  EXPECT_NE(check({.sha256 = {"abc"}}).find("trust.sha256: 'abc'"), std::string::npos);
  EXPECT_NE(check({.keys = {"/nowhere.pub"}}).find("/nowhere.pub"), std::string::npos);
  EXPECT_NE(check({.keys = {file_.string()}}).find("no public key"), std::string::npos);
}

}  // namespace
}  // namespace gantry::host
