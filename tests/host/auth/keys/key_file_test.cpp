#include "host/auth/keys/key_file.hpp"

#include <sys/stat.h>

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

struct KeyFile : testing::Test {
  KeyFile() {
    char name[] = "/tmp/gantry-keys-XXXXXX";
    directory = ::mkdtemp(name);
    file = key_file(directory);
  }
  ~KeyFile() override { std::filesystem::remove_all(directory); }
  void write(const std::string& text, mode_t mode = 0600) {
    std::ofstream(file) << text;
    ::chmod(file.c_str(), mode);
  }
  static StoredKey key(const std::string& id) {
    StoredKey out;
    out.id = id;
    out.sha256 = std::string(64, 'a');
    out.agent = "sales";
    out.created = sys_seconds(seconds(7));
    return out;
  }

  std::filesystem::path directory, file;
};

TEST_F(KeyFile, KeepsEveryMember) {
  StoredKey full = key("one");
  full.note = "of \"Ann\"";
  full.expires = sys_seconds(seconds(8));
  full.last_used = sys_seconds(seconds(9));
  full.replaced_by = "two";
  full.correlation_id = "ticket-7";
  ASSERT_TRUE(change_keys(file, [&](StoredKeys& keys) {
    keys = {full, key("two")};
    return Status();
  }));
  const auto read = read_keys(file);
  ASSERT_TRUE(read) << read.message();
  ASSERT_EQ(read->size(), 2u);
  const StoredKey& one = read->front();
  EXPECT_EQ(one.note, full.note);
  EXPECT_EQ(one.created, full.created);
  EXPECT_EQ(one.expires, full.expires);
  EXPECT_EQ(one.last_used, full.last_used);
  EXPECT_EQ(one.replaced_by, "two");
  EXPECT_EQ(one.correlation_id, "ticket-7");
  EXPECT_FALSE(read->back().expires || read->back().last_used);
  struct stat found {};
  ASSERT_EQ(::stat(file.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(KeyFile, OfADirectoryWithoutKeysIsEmpty) {
  ASSERT_TRUE(read_keys(file));
  EXPECT_TRUE(read_keys(file)->empty());
}

TEST_F(KeyFile, RefusesAFileThatOthersMayRead) {
  write("{\"keys\":[]}", 0640);
  EXPECT_NE(read_keys(file).message().find("chmod 600"), std::string::npos);
}

TEST_F(KeyFile, RefusesADamagedFileAndLeavesIt) {
  for (const std::string text :
       {"", "[]", "{}", "{\"keys\":1}", "{\"keys\":[{}]}", "{\"keys\":[1]}",
        R"({"keys":[{"id":"a","agent":"b","sha256":"c"}]})"}) {
    write(text);
    EXPECT_FALSE(read_keys(file)) << text;
    EXPECT_FALSE(change_keys(file, [](StoredKeys&) { return Status(); })) << text;
  }
  write(R"({"keys":[{"id":"a","agent":"b","expires":"soon","sha256":")" + std::string(64, 'a') +
        "\"}]}");
  EXPECT_FALSE(read_keys(file)) << "a key without an end";
  write(R"({"keys":[{"id":"a","agent":"b","correlation_id":"a b","sha256":")" +
        std::string(64, 'a') + "\"}]}");
  EXPECT_FALSE(read_keys(file)) << "a key without its bound id";
}

TEST_F(KeyFile, StaysAsItIsWhenAChangeFails) {
  ASSERT_TRUE(change_keys(file, [&](StoredKeys& keys) {
    keys.push_back(key("one"));
    return Status();
  }));
  EXPECT_FALSE(change_keys(file, [](StoredKeys& keys) {
    keys.clear();
    return Status::invalid("no");
  }));
  EXPECT_EQ(read_keys(file)->size(), 1u);
}

TEST_F(KeyFile, LosesNoChangeOfManyWriters) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      const Status done = change_keys(file, [&](StoredKeys& keys) {
        keys.push_back(key("k" + std::to_string(i)));
        return Status();
      });
      EXPECT_TRUE(done) << done.message();
    });
  }
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(read_keys(file)->size(), 8u);
}

TEST_F(KeyFile, FollowsNoLink) {
  std::filesystem::create_symlink("/etc/passwd", file);
  EXPECT_FALSE(read_keys(file));
}

}  // namespace
}  // namespace gantry::host
