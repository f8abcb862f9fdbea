#include "exports/export_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

namespace gantry::data {
namespace {

class ExportFiles : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<ExportFile> create(const FileBounds& bounds = {}) {
    auto file = ExportFile::create(directory_.string(), bounds);
    EXPECT_TRUE(file) << file.status().message();
    return file ? std::move(*file) : nullptr;
  }

  const std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() /
      ("gantry-exports-" + std::to_string(::getpid()) + "-" +
       ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ExportFiles, GiveBackTheWrittenBytes) {
  const auto file = create();
  ASSERT_TRUE(file->append("a,b\r\n"));
  ASSERT_TRUE(file->append("1,2\r\n"));
  EXPECT_EQ(file->bytes(), 10u);
  EXPECT_EQ(file->parts(), 1u);
  EXPECT_EQ(*file->read(0), "a,b\r\n1,2\r\n");
  EXPECT_EQ(file->read(1).status().code(), GANTRY_NOT_FOUND);
}

TEST_F(ExportFiles, HaveNoNameInTheirDirectory) {
  const auto file = create();
  ASSERT_TRUE(file->append("text"));
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

TEST_F(ExportFiles, BeginPartsWhereTextsBegin) {
  const auto file = create({10, 1000});
  for (const char* row : {"aaaa\n", "bbbb\n", "cccc\n", "dddd"}) ASSERT_TRUE(file->append(row));
  ASSERT_EQ(file->parts(), 2u);
  EXPECT_EQ(file->starts(), (std::vector<std::uint64_t>{0, 10}));
  EXPECT_EQ(*file->read(0), "aaaa\nbbbb\n");
  EXPECT_EQ(*file->read(1), "cccc\ndddd");
}

TEST_F(ExportFiles, CutTextsLargerThanAPartBetweenCharacters) {
  const auto file = create({4, 1000});
  ASSERT_TRUE(file->append("x"));
  ASSERT_TRUE(file->append("ééé€"));
  std::string all;
  for (std::size_t part = 0; part < file->parts(); ++part) {
    const auto text = file->read(part);
    ASSERT_TRUE(text);
    EXPECT_LE(text->size(), 4u);
    EXPECT_NE(static_cast<unsigned char>(text->front()) & 0xC0, 0x80) << part;
    all += *text;
  }
  EXPECT_EQ(all, "xééé€");
}

TEST_F(ExportFiles, AreNotLargerThanTheyMayBe) {
  const auto file = create({4, 8});
  ASSERT_TRUE(file->append("12345678"));
  const Status status = file->append("9");
  EXPECT_EQ(status.code(), GANTRY_TOO_BIG);
  EXPECT_NE(status.message().find("8 bytes"), std::string::npos);
  EXPECT_EQ(file->bytes(), 8u);
}

TEST_F(ExportFiles, SayWhichDirectoryCannotBeWritten) {
  const auto file = ExportFile::create("/proc/nowhere", {});
  ASSERT_FALSE(file);
  EXPECT_NE(file.status().message().find("/proc/nowhere"), std::string::npos);
}

}  // namespace
}  // namespace gantry::data
