// The journal: sealing, keys, tampering, undone writes.
#include "journal/journal.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "journal/tests/journal_directory.hpp"

namespace gantry::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JournalTest : public JournalDirectory {
 protected:
  Journal journal(char key = 'k', const std::string& database = "/srv/shop.db") {
    return Journal({(directory_ / "writes").string(),
                    database,
                    std::string(Seal::kLeastSecret, key),
                    {1U << 20U, std::chrono::hours(1)},
                    [this](const std::string& text) { said_ += text + "\n"; }});
  }
  static Images rows(const std::string& text) {
    Images images;
    images.tables = {{"items", "items", {"name"}}};
    images.steps.push_back({0, "1", {{"rowid", std::int64_t{1}}}, {}, StoredRow{text}, false});
    return images;
  }
  static Status append(Journal& journal, const std::string& id, const std::string& undoes = "") {
    WriteHead head;
    head.id = id;
    head.agent = "sales";
    head.undoes = undoes;
    const Status done = journal.append(head, rows("secret of " + id));
    return done ? journal.settle(id, true) : done;
  }
  static std::vector<std::string> ids(Journal& journal) {
    std::vector<std::string> ids;
    const auto page = journal.newest(kEnd, 100);
    for (const auto& entry : page->entries) ids.push_back(entry.head.id);
    return ids;
  }
  // Of each frame, the newest first.
  std::vector<PlacedFrame> frames() {
    std::vector<PlacedFrame> all;
    change([&](LockedFile&, const PlacedFrame& one) { all.push_back(one); });
    return all;
  }
  void change(const std::function<void(LockedFile&, const PlacedFrame&)>& how) {
    change_frames(journal_file(directory_ / "writes"), how);
  }
  enum class Part { head, body };
  static void write_part(LockedFile& file, const PlacedFrame& one, Part part,
                         std::string_view bytes) {
    const std::uint64_t at = one.at + sizeof one.frame;
    ASSERT_TRUE(file.write(part == Part::head ? at : at + one.frame.head_size, bytes));
  }
  static std::string part_of(LockedFile& file, const PlacedFrame& one, Part part) {
    const std::uint64_t at = one.at + sizeof one.frame;
    std::string bytes(part == Part::head ? one.frame.head_size : one.frame.body_size, '\0');
    EXPECT_TRUE(
        file.read(part == Part::head ? at : at + one.frame.head_size, bytes.data(), bytes.size()));
    return bytes;
  }
};

TEST_F(JournalTest, KeepsRecordsForTheNextProcess) {
  {
    Journal first = journal();
    ASSERT_TRUE(append(first, "a"));
  }
  Journal next = journal();
  EXPECT_THAT(ids(next), ElementsAre("a"));
  const auto images = next.images("a");
  ASSERT_TRUE(images) << images.message();
  EXPECT_EQ(std::get<std::string>((*images->steps[0].after)[0]), "secret of a");
}

TEST_F(JournalTest, NoFileHoldsAWordOfARecord) {
  Journal one = journal();
  ASSERT_TRUE(append(one, "a"));
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "writes")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (const char* word : {"secret", "sales", "items", "shop"}) {
      EXPECT_EQ(bytes.find(word), bytes.npos) << entry.path() << " " << word;
    }
    EXPECT_EQ(entry.path().string().find("shop"), std::string::npos);
  }
}

TEST_F(JournalTest, OneDatabaseHasNothingOfAnother) {
  Journal one = journal(), other = journal('k', "/srv/other.db");
  ASSERT_TRUE(append(one, "a"));
  EXPECT_THAT(ids(other), ElementsAre());
}

TEST_F(JournalTest, ARecordUnderAnotherKeyIsLeftOutCountedAndSaidOnce) {
  {
    Journal one = journal();
    ASSERT_TRUE(append(one, "a"));
    ASSERT_TRUE(append(one, "b"));
  }
  Journal other = journal('z');
  ASSERT_TRUE(append(other, "c"));
  EXPECT_THAT(ids(other), ElementsAre("c"));
  EXPECT_EQ(other.unreadable(), 2U);
  EXPECT_THAT(ids(other), ElementsAre("c"));
  EXPECT_EQ(other.unreadable(), 4U);  // each time
  EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 1);
  EXPECT_THAT(said_, HasSubstr("cannot be read"));
}

TEST_F(JournalTest, SwappedOrChangedPartsAreNotRead) {
  {
    Journal one = journal();
    for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(append(one, id));
  }
  const std::vector<PlacedFrame> all = frames();
  ASSERT_EQ(all.size(), 3U);
  const auto &c = all[0], &b = all[1], &a = all[2];
  change([&](LockedFile& file, const PlacedFrame& one) {
    if (one.at != c.at) return;
    write_part(file, a, Part::body, part_of(file, b, Part::body));
    write_part(file, b, Part::head, part_of(file, c, Part::head));
    write_part(file, c, Part::head, std::string(c.frame.head_size, '\0'));
  });
  Journal one = journal();
  EXPECT_THAT(ids(one), ElementsAre("a"));
  EXPECT_FALSE(one.images("a"));
  EXPECT_FALSE(one.find("b")->has_value());
}

TEST_F(JournalTest, PendingRecordsThatCannotBeReadAreRemoved) {
  {
    Journal killed = journal();
    ASSERT_TRUE(append(killed, "a"));
  }
  make_pending(journal_file(directory_ / "writes"));
  change([](LockedFile& file, const PlacedFrame& placed) {
    write_part(file, placed, Part::head, std::string(placed.frame.head_size, '\0'));
  });
  Journal one = journal();
  EXPECT_EQ(one.pending()->size(), 0U);
  EXPECT_EQ(one.newest(kEnd, 10)->entries.size(), 0U);
  EXPECT_EQ(one.unreadable(), 1U);
}

TEST_F(JournalTest, AnUndoThatWasUndoneDoesNotCount) {
  Journal one = journal();
  ASSERT_TRUE(append(one, "w"));
  EXPECT_EQ(*one.undone_by("w"), "");
  ASSERT_TRUE(append(one, "u", "w"));
  EXPECT_EQ(*one.undone_by("w"), "u");
  ASSERT_TRUE(append(one, "uu", "u"));
  EXPECT_EQ(*one.undone_by("w"), "");
  EXPECT_EQ(*one.undone_by("u"), "uu");
}

TEST_F(JournalTest, BeginsAnewWhenItsFileWasRemovedByHand) {
  Journal one = journal();
  ASSERT_TRUE(append(one, "a"));
  std::filesystem::remove_all(directory_ / "writes");
  EXPECT_TRUE(one.pending());  // as a transaction begins
  ASSERT_TRUE(append(one, "b"));
  EXPECT_THAT(ids(one), ElementsAre("b"));
}

TEST_F(JournalTest, SaysWhyItCannotBeWritten) {
  std::ofstream(directory_ / "writes") << "a file in its place";
  Journal one = journal();
  EXPECT_THAT(append(one, "a").message(), HasSubstr("cannot be used"));
}

}  // namespace
}  // namespace gantry::data
