#include "host/console/files.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace gantry::host::console {
namespace {

TEST(ConsoleFiles, AreFoundByTheirPathAndByNoOther) {
  ASSERT_FALSE(files().empty());
  for (const File& file : files()) EXPECT_EQ(find_file(file.path), &file) << file.path;
  for (const char* path : {"", "/console", "/console/", "/index.html", "/console/index.html",
                           "/console/../files.cpp", "/console/%2e%2e/x", "//", "/etc/passwd"}) {
    EXPECT_EQ(find_file(path), nullptr) << path;
  }
}

TEST(ConsoleFiles, AreSortedForTheSearch) {
  EXPECT_TRUE(std::is_sorted(files().begin(), files().end(),
                             [](const File& a, const File& b) { return a.path < b.path; }));
}

TEST(ConsoleFiles, HoldThePageWithItsType) {
  const File* const page = find_file("/");
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->type, "text/html; charset=utf-8");
  EXPECT_TRUE(page->bytes.starts_with("<!doctype html>")) << page->bytes.substr(0, 20);
  EXPECT_EQ(page->bytes.find('\0'), std::string_view::npos);
  EXPECT_TRUE(page->etag.starts_with('"') && page->etag.ends_with('"')) << page->etag;
}

}  // namespace
}  // namespace gantry::host::console
