#include "exports/shelf.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>

namespace gantry::data {
namespace {

using std::chrono::milliseconds;

std::string keep(Shelf& shelf, const std::string& owner, std::string_view text = "x") {
  auto draft = shelf.begin(owner);
  EXPECT_TRUE(draft) << draft.status().message();
  EXPECT_TRUE(draft->file->append(text));
  const auto id = shelf.keep(std::move(*draft), "text/csv", "people.csv");
  return id ? *id : "refused: " + id.status().message();
}

ShelfBounds bounds() {
  ShelfBounds bounds;
  bounds.files_an_owner = 2;
  bounds.bytes_an_owner = 10;
  bounds.files = 3;
  bounds.writing = 2;
  return bounds;
}

std::string directory() { return std::filesystem::temp_directory_path().string(); }

TEST(Shelf, IsFoundByItsOwnerOnly) {
  Shelf shelf(directory(), {});
  const std::string id = keep(shelf, "ada", "text");
  ASSERT_TRUE(shelf.find(id, "ada"));
  EXPECT_EQ(*shelf.find(id, "ada")->file->read(0), "text");
  EXPECT_EQ(shelf.find(id, "ada")->mime_type, "text/csv");
  EXPECT_EQ(shelf.find(id, "ada")->name, "people.csv");
  EXPECT_FALSE(shelf.find(id, "bob"));
  EXPECT_FALSE(shelf.find(id, ""));
  EXPECT_FALSE(shelf.find("", "ada"));
}

TEST(Shelf, MakesIdsThatNobodyGuesses) {
  Shelf shelf(directory(), {});
  std::set<std::string> ids;
  for (int i = 0; i < 8; ++i) {
    ids.insert(keep(shelf, "ada"));
    EXPECT_EQ(ids.rbegin()->size(), 32u);
  }
  EXPECT_EQ(ids.size(), 8u);
}

TEST(Shelf, DropsAnOwnersOldestWhenThereAreTooMany) {
  Shelf shelf(directory(), bounds());
  const std::string other = keep(shelf, "bob");
  const std::string first = keep(shelf, "ada");
  std::this_thread::sleep_for(milliseconds(2));
  const std::string second = keep(shelf, "ada");
  const std::string third = keep(shelf, "ada");
  EXPECT_FALSE(shelf.find(first, "ada"));
  EXPECT_TRUE(shelf.find(second, "ada"));
  EXPECT_TRUE(shelf.find(third, "ada"));
  EXPECT_TRUE(shelf.find(other, "bob"));
}

TEST(Shelf, DropsAnOwnersOldestWhenTheyAreTooLarge) {
  Shelf shelf(directory(), bounds());
  const std::string first = keep(shelf, "ada", "123456");
  const std::string second = keep(shelf, "ada", "123456");
  EXPECT_FALSE(shelf.find(first, "ada"));
  EXPECT_TRUE(shelf.find(second, "ada"));
}

TEST(Shelf, IsFullWhenAllOwnersTogetherHaveTooMany) {
  Shelf shelf(directory(), bounds());
  (void)keep(shelf, "ada"), (void)keep(shelf, "bob"), (void)keep(shelf, "cyd");
  EXPECT_TRUE(keep(shelf, "dan").starts_with("refused: the server keeps as many"));
}

TEST(Shelf, LetsAnOwnerWriteAFewAtATime) {
  Shelf shelf(directory(), bounds());
  auto one = shelf.begin("ada");
  {
    const auto two = shelf.begin("ada");
    EXPECT_TRUE(two);
    const auto three = shelf.begin("ada");
    EXPECT_EQ(three.status().code(), GANTRY_BUSY);
    EXPECT_TRUE(shelf.begin("bob"));
  }
  EXPECT_TRUE(shelf.begin("ada"));
  EXPECT_TRUE(shelf.keep(std::move(*one), "text/csv", ""));
}

TEST(Shelf, ForgetsWhenTimeIsUp) {
  ShelfBounds short_lived;
  short_lived.lifetime = milliseconds(30);
  Shelf shelf(directory(), short_lived);
  const std::string id = keep(shelf, "ada");
  const auto held = shelf.find(id, "ada");
  ASSERT_TRUE(held);
  std::this_thread::sleep_for(milliseconds(40));
  (void)shelf.sweep();
  EXPECT_FALSE(shelf.find(id, "ada"));
  EXPECT_EQ(*held->file->read(0), "x");  // a reader that holds it may finish
}

TEST(Shelf, IsUsedByManyAtOnce) {
  ShelfBounds small = bounds();
  small.writing = 100;
  Shelf shelf(directory(), small);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&shelf] {
      for (int n = 0; n < 50; ++n) {
        const std::string id = keep(shelf, "ada");
        (void)shelf.find(id, "ada");
        (void)shelf.sweep();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(shelf.find(keep(shelf, "ada"), "ada"));
}

}  // namespace
}  // namespace gantry::data
