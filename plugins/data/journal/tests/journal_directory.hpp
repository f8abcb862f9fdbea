// journal/tests/journal_directory.hpp: a directory of one test, removed after it, and the file of a
// journal, with changes of its frames.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include "journal/record_ring.hpp"

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

// Calls `change` for each frame of the file, the newest first, as another user of the file.
inline void change_frames(
    const std::filesystem::path& path,
    const std::function<void(LockedFile& file, const PlacedFrame& one)>& change) {
  LockedFile file(path.string());
  ASSERT_TRUE(file.open());
  RecordRing ring(file, 1U << 20U);
  ASSERT_TRUE(ring.begin());
  EXPECT_TRUE(ring.walk([&](const PlacedFrame& one) {
    change(file, one);
    return true;
  }));
  ring.end();
}

// As if their processes had been killed between the commit and its mark.
inline void make_pending(const std::filesystem::path& path) {
  change_frames(path, [](LockedFile& file, const PlacedFrame& one) {
    const auto bytes_of = [](const auto& value) {
      return std::string_view(reinterpret_cast<const char*>(&value), sizeof value);
    };
    const auto state = RecordFrame::State::added;
    const std::int64_t first = 1;
    EXPECT_TRUE(file.write(one.at + offsetof(RecordFrame, state), bytes_of(state)));
    EXPECT_TRUE(file.write(offsetof(RecordFileHead, settled), bytes_of(first)));
  });
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
