// Full-text tables and other virtual tables, as the text of their CREATE statement says.
#include "catalog/search_index.hpp"

#include <gtest/gtest.h>

#include "catalog/virtual_table.hpp"
#include "catalog/well_known.hpp"

namespace gantry::data::search_index_test {
namespace {

// "title,body-" with '-' behind a column that is not indexed; "none".
std::string columns(const std::string& arguments) {
  const auto table = parse_fts5("CREATE VIRTUAL TABLE t USING fts5(" + arguments + ")");
  if (!table) return "none";
  std::string text;
  for (const auto& column : table->columns) {
    text += (text.empty() ? "" : ",") + column.name + (column.is_indexed ? "" : "-");
  }
  return text;
}

TEST(Fts5, HasColumnsAndOptions) {
  EXPECT_EQ(columns("title, body"), "title,body");
  EXPECT_EQ(columns("\"my title\", [body], `x``y`, 'z'"), "my title,body,x`y,z");
  EXPECT_EQ(columns("a, b UNINDEXED, content='notes', content_rowid='id'"), "a,b-");
  EXPECT_EQ(columns("a, prefix='2 3', columnsize=0, tokenize = 'porter ascii'"), "a");
}

TEST(Fts5, KnowsWhoseRowsItIndexes) {
  const auto table = parse_fts5(
      "create virtual table main.\"n f\" using FTS5(title, CONTENT=\"notes\", "
      "content_rowid=note_id)");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->content, "notes");
  EXPECT_EQ(table->content_rowid, "note_id");
  const auto own = parse_fts5("CREATE VIRTUAL TABLE t USING fts5(a)");
  EXPECT_FALSE(own->content);
  EXPECT_EQ(own->content_rowid, "rowid");
  EXPECT_EQ(parse_fts5("CREATE VIRTUAL TABLE t USING fts5(a, content='')")->content, "");
}

TEST(Fts5, GivesUpOnWhatItDoesNotKnow) {
  for (const char* arguments :
       {"", ",a", "a b", "a, weight=5", "a INTEGER", "a = ", "(a)", "a, 'content'='x' 'y'"}) {
    EXPECT_EQ(columns(arguments), "none") << arguments;
  }
  for (const char* other :
       {"CREATE TABLE t(a)", "CREATE VIRTUAL TABLE t USING fts4(a)", "",
        "CREATE VIRTUAL TABLE IF NOT EXISTS t USING fts5(a)", "SELECT 'USING fts5(a)'",
        "CREATE VIRTUAL TABLE t USING fts5(a", "CREATE VIRTUAL TABLE t USING fts5"}) {
    EXPECT_FALSE(parse_fts5(other)) << other;
  }
}

TEST(Tokenizers, SayHowWordsAreCompared) {
  const auto described = [](const std::string& option) {
    SearchIndex index;
    describe_tokenizer(*parse_fts5("CREATE VIRTUAL TABLE t USING fts5(a" + option + ")"), index);
    return std::string(index.stems ? "stems " : "") + (index.keeps_marks ? "marks " : "") +
           index.unusable;
  };
  EXPECT_EQ(described(""), "");
  EXPECT_EQ(described(", tokenize='porter'"), "stems ");
  EXPECT_EQ(described(", tokenize='porter ascii'"), "stems marks ");
  EXPECT_EQ(described(", tokenize='unicode61 remove_diacritics 0'"), "marks ");
  EXPECT_EQ(described(", tokenize='unicode61 remove_diacritics 2'"), "");
  EXPECT_EQ(described(", tokenize=\"unicode61 separators '-' remove_diacritics '0'\""), "marks ");
  EXPECT_NE(described(", tokenize='trigram'").find("'trigram' does not split"), std::string::npos);
  EXPECT_NE(described(", detail=none").find("detail is not full"), std::string::npos);
  EXPECT_EQ(described(", detail='full'"), "");
}

TEST(VirtualTables, AreTheirModule) {
  const auto module = [](const std::string& sql) { return virtual_module(sql_words(sql)); };
  EXPECT_EQ(module("CREATE VIRTUAL TABLE t USING RTree(id, a, b)"), "rtree");
  EXPECT_EQ(module("CREATE VIRTUAL TABLE main.\"using\" USING fts5vocab(x, row)"), "fts5vocab");
  EXPECT_EQ(module("CREATE TABLE t(a)"), "");
  EXPECT_EQ(module(""), "");
  EXPECT_TRUE(holds_rows("fts5"));
  EXPECT_TRUE(holds_rows("rtree"));
  for (const char* none : {"fts5vocab", "fts4aux", "dbstat", "csv", ""}) {
    EXPECT_FALSE(holds_rows(none)) << none;
  }
}

TEST(VirtualTables, HaveOptionsByName) {
  const auto words = sql_words("CREATE VIRTUAL TABLE t USING fts4(a, CONTENT=\"my notes\", b=c)");
  EXPECT_EQ(virtual_option(words, "content"), "my notes");
  EXPECT_EQ(virtual_option(words, "tokenize"), "");
}

TEST(NamesOfColumns, SoundLikeDatesOrInstants) {
  for (const char* name : {"created_at", "createdAt", "updatedAt", "lastSeenAt", "timestamp",
                           "event_timestamp", "INSERTED_AT", "modified"}) {
    EXPECT_TRUE(sounds_like_instant(name)) << name;
    EXPECT_TRUE(sounds_like_date(name)) << name;
  }
  for (const char* name : {"birth_date", "birthDate", "dob", "day", "due_on", "startTime"}) {
    EXPECT_FALSE(sounds_like_instant(name)) << name;
    EXPECT_TRUE(sounds_like_date(name)) << name;
  }
  for (const char* name :
       {"", "at", "format", "cat", "On", "person", "update", "mandate", "Time2"}) {
    EXPECT_FALSE(sounds_like_date(name)) << name;
  }
}

TEST(NamesOfColumns, OfIdsHaveAnOrder) {
  EXPECT_LT(*id_rank("objectId"), *id_rank("id"));
  EXPECT_LT(*id_rank("ID"), *id_rank("_id"));
  EXPECT_LT(*id_rank("_id"), *id_rank("UUID"));
  EXPECT_FALSE(id_rank("person_id"));
  EXPECT_FALSE(id_rank(""));
}

}  // namespace
}  // namespace gantry::data::search_index_test
