// tools/gantry/import/survey.hpp: surveys the rows of a file and designs the table of a new class.
//
// Feed every row; then design() returns the table. One thread. Memory grows with the number of
// fields, not of rows.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/import/row.hpp"

namespace gantry::cli::importing {

// The operator's options about fields.
struct Wishes {
  std::string id;                               // the field that is the key; empty: by its name
  std::map<std::string, Form> forms;            // --type
  std::map<std::string, std::string> pointers;  // --pointer: the class that a field points to
  std::unordered_set<std::string> left_out;
};

inline constexpr std::size_t kMostColumns = 2000;  // of a table of SQLite

class Survey {
 public:
  explicit Survey(const Wishes& wishes) : wishes_(wishes) {}

  // GANTRY_INVALID_ARGUMENT: more fields than a table has columns.
  Status add(const Row& row);
  std::size_t rows() const { return rows_; }

  // GANTRY_INVALID_ARGUMENT: names that a table cannot have together, wishes about fields that are
  // not there, or no fields at all.
  Result<Table> design(const std::string& name) const;
  // A sentence for each column that is text because of a few values among many of another kind.
  std::vector<std::string> remarks() const;

 private:
  // The texts of CSV in one field: how many are of no other kind, the first of them, and the kind
  // of the rest. Counted until the column is text for certain and some more were seen.
  struct Texts {
    std::size_t plain = 0, others = 0, row = 0, line = 0;
    Form other = Form::text;
    std::string first;
  };
  struct Seen {
    std::string name;
    unsigned types = 0;  // a bit for each Cell::Type
    bool has_lexical = false;
    Form lexical = Form::text;
    bool has_wide = false;  // integers beyond 2^53 among them
    Texts texts;
    std::string target;        // of pointers
    bool has_targets = false;  // pointers to several classes
  };
  void look(Seen& seen, const Row& row, const Cell& cell);
  void look_at_text(Seen& seen, const Row& row, const std::string& text);
  const Seen* find(const std::string& name) const;
  std::string id_field() const;
  bool has_acl() const;
  Column column_of(const Seen& seen) const;
  Column key_column(const std::string& id) const;
  Status add_columns(Table& table, const std::string& id) const;
  Status check_wishes() const;

  const Wishes& wishes_;
  std::vector<Seen> seen_;  // in the order of first appearance
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t rows_ = 0;
};

}  // namespace gantry::cli::importing
