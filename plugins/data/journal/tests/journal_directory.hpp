// journal/tests/journal_directory.hpp: a directory of one test, removed after it, and the file of a
// journal.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace gantry::data {

// Before which all records are.
inline constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

// The file of the journal in this directory; empty: there is none.
inline std::filesystem::path journal_file(const std::filesystem::path& directory) {
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".writes") return entry.path();
  }
  return {};
}

// Runs the statements in the database of the file.
inline void run_in(const std::filesystem::path& file, const char* sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

class JournalDirectory : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 ("gantry-journal-" + std::to_string(::getpid()) + "-" + test->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
  std::string said_;  // to the operator
};

}  // namespace gantry::data
