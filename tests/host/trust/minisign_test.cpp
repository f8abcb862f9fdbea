// Keys and signatures: our own, those of the minisign tool, and damaged ones.
#include "host/trust/minisign.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "files.hpp"
#include "host/trust/secret_key.hpp"

namespace gantry::host::trust {
namespace {

constexpr PasswordCost kCheap{32768, 16U << 20U};

std::string no_password() {
  ADD_FAILURE() << "asked for a password";
  return {};
}

class Minisign : public ::testing::Test {
 protected:
  Minisign() : key_(make_secret_key().value()) {}
  std::string signed_text(const std::string& bytes) { return sign(key_, bytes, "a word").value(); }

  SecretKey key_;
};

TEST_F(Minisign, ASignatureFitsItsBytesAndNoOthers) {
  const auto signature = parse_signature(signed_text("the bytes"));
  ASSERT_TRUE(signature) << signature.message();
  EXPECT_EQ(signature->trusted_comment, "a word");
  EXPECT_TRUE(verify(key_.public_key(), *signature, "the bytes"));
  const Status other = verify(key_.public_key(), *signature, "the bytez");
  EXPECT_EQ(other.code(), GANTRY_DENIED);
  EXPECT_NE(other.message().find("does not fit the file"), std::string::npos) << other.message();
}

TEST_F(Minisign, ATrustedCommentCannotBeChanged) {
  auto signature = parse_signature(signed_text("x"));
  ASSERT_TRUE(signature);
  signature->trusted_comment = "another word";
  const Status status = verify(key_.public_key(), *signature, "x");
  EXPECT_NE(status.message().find("trusted comment"), std::string::npos) << status.message();
}

TEST_F(Minisign, AnotherKeyIsNamed) {
  const auto signature = parse_signature(signed_text("x"));
  const SecretKey other = make_secret_key().value();
  const Status status = verify(other.public_key(), *signature, "x");
  EXPECT_NE(status.message().find(id_text(key_.id)), std::string::npos) << status.message();
}

TEST_F(Minisign, EveryChangedCharacterOfASignatureIsNoticed) {
  const std::string text = signed_text("x");
  const std::size_t begin = text.find('\n') + 1;  // the first line proves nothing
  for (std::size_t at = begin; at + 1 < text.size(); ++at) {
    std::string changed = text;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    const auto signature = parse_signature(changed);
    EXPECT_FALSE(signature && verify(key_.public_key(), *signature, "x")) << "at " << at;
  }
}

TEST_F(Minisign, APublicKeyIsALineOrAFile) {
  for (const std::string& text :
       {public_key_line(key_.public_key()), public_key_line(key_.public_key()) + "\n",
        public_key_file(key_.public_key())}) {
    const auto key = parse_public_key(text);
    ASSERT_TRUE(key) << text;
    EXPECT_EQ(key->point, key_.public_key().point);
  }
  for (const char* text : {"", "RW", "untrusted comment: x", "not a key at all\n"}) {
    EXPECT_FALSE(parse_public_key(text)) << text;
  }
}

TEST_F(Minisign, ASecretKeySurvivesItsFile) {
  const auto plain = parse_secret_key(secret_key_file(key_, "").value(), no_password);
  ASSERT_TRUE(plain) << plain.message();
  EXPECT_EQ(plain->bytes, key_.bytes);
  const std::string text = secret_key_file(key_, "open", kCheap).value();
  const auto sealed = parse_secret_key(text, [] { return std::string("open"); });
  ASSERT_TRUE(sealed) << sealed.message();
  EXPECT_EQ(sealed->bytes, key_.bytes);
  const auto wrong = parse_secret_key(text, [] { return std::string("close"); });
  EXPECT_EQ(wrong.status().code(), GANTRY_DENIED) << wrong.message();
}

TEST_F(Minisign, ADamagedSecretKeyIsRefused) {
  std::string text = secret_key_file(key_, "").value();
  const std::size_t last = text.size() - 10;
  text[last] = text[last] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(parse_secret_key(text, no_password));
  EXPECT_FALSE(parse_secret_key("untrusted comment: x\nabc\n", no_password));
  EXPECT_FALSE(parse_secret_key("", no_password));
}

TEST_F(Minisign, ACommentIsOneLine) { EXPECT_FALSE(sign(key_, "x", "a\nb")); }

// The tool itself, where it is installed.
class MinisignTool : public Minisign {
 protected:
  void SetUp() override {
    if (run("minisign -v >/dev/null 2>&1") != 0) GTEST_SKIP() << "minisign is not installed";
    folder_.write("plugin.so", "bytes of a plugin");
  }
  int run(const std::string& command) const {
    return std::system(("cd '" + folder_.path().string() + "' && " + command).c_str());
  }
  Folder folder_;
};

TEST_F(MinisignTool, AcceptsOurSignatures) {
  folder_.write("us.pub", public_key_file(key_.public_key()));
  folder_.write("plugin.so.minisig", signed_text("bytes of a plugin"));
  EXPECT_EQ(run("minisign -V -q -p us.pub -m plugin.so"), 0);
  folder_.write("plugin.so", "other bytes");
  EXPECT_NE(run("minisign -V -q -p us.pub -m plugin.so 2>/dev/null"), 0);
}

TEST_F(MinisignTool, SignsWithTheKeysWeMake) {
  folder_.write("us.pub", public_key_file(key_.public_key()));
  folder_.write("plain.key", secret_key_file(key_, "").value());
  folder_.write("sealed.key", secret_key_file(key_, "open", kCheap).value());
  EXPECT_EQ(run("minisign -S -W -s plain.key -m plugin.so >/dev/null"), 0);
  EXPECT_EQ(run("minisign -V -q -p us.pub -m plugin.so"), 0);
  EXPECT_EQ(
      run("echo open | minisign -S -s sealed.key -x by-password -m plugin.so >/dev/null 2>&1"), 0);
  const auto signature = parse_signature(read(folder_.path() / "by-password"));
  ASSERT_TRUE(signature) << signature.message();
  EXPECT_TRUE(verify(key_.public_key(), *signature, "bytes of a plugin"));
}

TEST_F(MinisignTool, ItsOwnKeysAndSignaturesAreUnderstood) {
  ASSERT_EQ(run("minisign -G -W -p their.pub -s their.key >/dev/null"), 0);
  ASSERT_EQ(run("minisign -S -W -s their.key -m plugin.so >/dev/null"), 0);
  ASSERT_EQ(run("minisign -S -l -W -s their.key -x old-style -m plugin.so >/dev/null"), 0);
  const auto key = parse_public_key(read(folder_.path() / "their.pub"));
  ASSERT_TRUE(key) << key.message();
  for (const char* name : {"plugin.so.minisig", "old-style"}) {
    const auto signature = parse_signature(read(folder_.path() / name));
    ASSERT_TRUE(signature) << signature.message();
    EXPECT_EQ(signature->prehashed, std::string(name) != "old-style");
    EXPECT_TRUE(verify(*key, *signature, "bytes of a plugin")) << name;
    EXPECT_FALSE(verify(*key, *signature, "bytes of a plugim")) << name;
  }
  const auto secret = parse_secret_key(read(folder_.path() / "their.key"), no_password);
  ASSERT_TRUE(secret) << secret.message();
  const auto ours = parse_signature(sign(*secret, "more", "").value());
  EXPECT_TRUE(verify(*key, *ours, "more"));
}

}  // namespace
}  // namespace gantry::host::trust
