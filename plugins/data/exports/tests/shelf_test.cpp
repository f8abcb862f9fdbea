#include "exports/shelf.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>

namespace gantry::data {
namespace {

using std::chrono::milliseconds;

std::string keep(ExportStore& export_store, const std::string& owner, std::string_view text = "x") {
  auto draft = export_store.begin(owner);
  EXPECT_TRUE(draft) << draft.status().message();
  EXPECT_TRUE(draft->file->append(text));
  const auto id = export_store.keep(std::move(*draft), "text/csv", "people.csv");
  return id ? *id : "refused: " + id.status().message();
}

ExportLimits bounds() {
  ExportLimits bounds;
  bounds.files_an_owner = 2;
  bounds.bytes_an_owner = 10;
  bounds.files = 3;
  bounds.writing = 2;
  return bounds;
}

std::string directory() { return std::filesystem::temp_directory_path().string(); }

TEST(ExportStore, IsFoundByItsOwnerOnly) {
  ExportStore export_store(directory(), {});
  const std::string id = keep(export_store, "ada", "text");
  ASSERT_TRUE(export_store.find(id, "ada"));
  EXPECT_EQ(*export_store.find(id, "ada")->file->read(0), "text");
  EXPECT_EQ(export_store.find(id, "ada")->mime_type, "text/csv");
  EXPECT_EQ(export_store.find(id, "ada")->name, "people.csv");
  EXPECT_FALSE(export_store.find(id, "bob"));
  EXPECT_FALSE(export_store.find(id, ""));
  EXPECT_FALSE(export_store.find("", "ada"));
}

TEST(ExportStore, MakesIdsThatCannotBeGuessed) {
  ExportStore export_store(directory(), {});
  std::set<std::string> ids;
  for (int i = 0; i < 8; ++i) {
    ids.insert(keep(export_store, "ada"));
    EXPECT_EQ(ids.rbegin()->size(), 32u);
  }
  EXPECT_EQ(ids.size(), 8u);
}

TEST(ExportStore, DropsAnOwnersOldestWhenThereAreTooMany) {
  ExportStore export_store(directory(), bounds());
  const std::string other = keep(export_store, "bob");
  const std::string first = keep(export_store, "ada");
  std::this_thread::sleep_for(milliseconds(2));
  const std::string second = keep(export_store, "ada");
  const std::string third = keep(export_store, "ada");
  EXPECT_FALSE(export_store.find(first, "ada"));
  EXPECT_TRUE(export_store.find(second, "ada"));
  EXPECT_TRUE(export_store.find(third, "ada"));
  EXPECT_TRUE(export_store.find(other, "bob"));
}

TEST(ExportStore, DropsAnOwnersOldestWhenTheyAreTooLarge) {
  ExportStore export_store(directory(), bounds());
  const std::string first = keep(export_store, "ada", "123456");
  const std::string second = keep(export_store, "ada", "123456");
  EXPECT_FALSE(export_store.find(first, "ada"));
  EXPECT_TRUE(export_store.find(second, "ada"));
}

TEST(ExportStore, IsFullWhenAllOwnersTogetherHaveTooMany) {
  ExportStore export_store(directory(), bounds());
  (void)keep(export_store, "ada"), (void)keep(export_store, "bob"), (void)keep(export_store, "cyd");
  EXPECT_TRUE(keep(export_store, "dan").starts_with("refused: the server keeps as many"));
}

TEST(ExportStore, LetsAnOwnerWriteAFewAtATime) {
  ExportStore export_store(directory(), bounds());
  auto one = export_store.begin("ada");
  {
    const auto two = export_store.begin("ada");
    EXPECT_TRUE(two);
    const auto three = export_store.begin("ada");
    EXPECT_EQ(three.status().code(), GANTRY_BUSY);
    EXPECT_TRUE(export_store.begin("bob"));
  }
  EXPECT_TRUE(export_store.begin("ada"));
  EXPECT_TRUE(export_store.keep(std::move(*one), "text/csv", ""));
}

TEST(ExportStore, ForgetsWhenTimeIsUp) {
  ExportLimits short_lived;
  short_lived.lifetime = milliseconds(30);
  ExportStore export_store(directory(), short_lived);
  const std::string id = keep(export_store, "ada");
  const auto held = export_store.find(id, "ada");
  ASSERT_TRUE(held);
  std::this_thread::sleep_for(milliseconds(40));
  (void)export_store.sweep();
  EXPECT_FALSE(export_store.find(id, "ada"));
  EXPECT_EQ(*held->file->read(0), "x");  // a reader that holds it may finish
}

TEST(ExportStore, IsUsedByManyAtOnce) {
  ExportLimits small = bounds();
  small.writing = 100;
  ExportStore export_store(directory(), small);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&export_store] {
      for (int n = 0; n < 50; ++n) {
        const std::string id = keep(export_store, "ada");
        (void)export_store.find(id, "ada");
        (void)export_store.sweep();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(export_store.find(keep(export_store, "ada"), "ada"));
}

}  // namespace
}  // namespace gantry::data
