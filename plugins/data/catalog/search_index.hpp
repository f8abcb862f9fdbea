// catalog/search_index.hpp: full-text indexes: FTS5 tables that index the rows of another table
// (content='thattable'), or rows of their own.
//
// The options of an FTS5 table are available only as the text of its CREATE statement. parse_fts5()
// parses that text as SQLite and FTS5 do and gives up on anything unexpected. The schema reader
// then compares the result with the database's description of the table. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

struct SearchIndex {
  std::string name;                 // of the FTS5 table
  std::string table;                // quoted: "`main`.`notes_fts`"
  std::string column;               // quoted: the left operand of MATCH
  std::string key;                  // SQL expression of the indexed table's rowid
  std::vector<std::string> fields;  // the indexed fields, by their names in the class
  bool stems = false;               // compares words by their English stem
  bool keeps_marks = false;         // é and e are different letters
  std::string unusable;             // why $text cannot use it; empty: it can
};

// The parts of a CREATE VIRTUAL TABLE … USING fts5(…).
struct Fts5Table {
  struct Column {
    std::string name;
    bool is_indexed = true;
  };
  std::vector<Column> columns;
  std::optional<std::string> content;  // the option's value; "" is a contentless table
  std::string content_rowid = "rowid";
  std::vector<std::string> tokenizer = {"unicode61"};  // its name and arguments
  bool has_full_detail = true;
};

// Empty: not an FTS5 table, or a spelling that is not supported.
std::optional<Fts5Table> parse_fts5(std::string_view create_sql);

// Sets the members of `index` that follow from the tokenizer of `table`.
void describe_tokenizer(const Fts5Table& table, SearchIndex& index);

}  // namespace gantry::data
