// catalog/search_index.hpp: full-text indexes: FTS5 tables that index the rows of another table
// (content='thattable'), or rows of their own.
//
// What such a table is made of stands in the text that made it, and nowhere else that can be asked;
// parse_fts5() reads that text as SQLite and FTS5 do and gives up where anything is not as
// expected. The reader of the schema compares what it says with what the database says of the
// table. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

struct SearchIndex {
  std::string name;                 // of the FTS5 table
  std::string table;                // quoted: "`main`.`notes_fts`"
  std::string column;               // quoted: what is compared by MATCH
  std::string key;                  // SQL expression of the indexed table's row number
  std::vector<std::string> fields;  // whose words are found, as the class calls them
  bool stems = false;               // finds words by their English stem
  bool keeps_marks = false;         // takes e and é for different letters
  std::string unusable;             // why $text cannot ask it; empty: it can
};

// A CREATE VIRTUAL TABLE … USING fts5(…) taken apart.
struct Fts5Table {
  struct Column {
    std::string name;
    bool is_indexed = true;
  };
  std::vector<Column> columns;
  std::optional<std::string> content;  // of the option; "" is a table without content
  std::string content_rowid = "rowid";
  std::vector<std::string> tokenizer = {"unicode61"};  // its name and arguments
  bool has_full_detail = true;
};

// Empty: no FTS5 table, or written in a way that is not understood.
std::optional<Fts5Table> parse_fts5(std::string_view create_sql);

// What the tokenizer of `table` means for a search.
void describe_tokenizer(const Fts5Table& table, SearchIndex& index);

}  // namespace gantry::data
