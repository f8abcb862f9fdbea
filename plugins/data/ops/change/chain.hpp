// ops/change/chain.hpp: what foreign keys with ON DELETE or ON UPDATE actions do because of one
// write: the rows that they reach, the rows that these reach, and so on.
//
// It looks no rows up: next() says which ones the caller has to find, before the database changes
// anything, and add() takes them. A row may be reached in several ways. A deletion outweighs all
// changes, and what a later way adds is followed too. Throws QueryError. One thread; the edit
// outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sql/change.hpp"
#include "store/editor.hpp"

namespace gantry::data {

// A column, as SQL, and the value that it gets; none: it is not known.
struct NewValue {
  std::string column;
  std::optional<Bind> value;
};
std::vector<NewValue> new_values(const std::vector<ColumnValue>& values);

// A row, and what becomes of it.
struct Link {
  std::string table;               // its name
  std::vector<ColumnValue> place;  // names it
  bool is_deleted = false;
  std::vector<NewValue> changes = {};  // of a row that is not deleted
};

class Chain {
 public:
  explicit Chain(Edit& edit) : edit_(edit) {}

  // A row that the write itself deletes or changes.
  void begin(Link written);

  // Goes on to the next row and a foreign key that refers to it. False: there are no more.
  bool next();
  // After next(). They live until the next one.
  const Link& from() const { return from_; }
  const ReferringKey& key() const { return *keys_[at_]; }
  // Whether the rows are deleted; else they are changed.
  bool deletes() const;
  // A condition for the rows. `place`: the columns that name a row of key().table, as SQL.
  Fragment condition(const std::vector<std::string>& place) const;

  enum class Found : std::uint8_t {
    known,  // or one of the write itself
    more,   // it was changed so far, and is deleted or gets other columns changed
    first
  };
  // One of the rows, by its place.
  Found add(std::vector<ColumnValue> place);

 private:
  struct Known {
    bool is_written = false, is_deleted = false;
    std::map<std::string, std::optional<Bind>> changes = {};  // by column
  };
  static std::optional<Link> news(Known& known, Link link);
  std::vector<NewValue> changes_of_key() const;

  Edit& edit_;
  std::map<std::string, Known> known_;  // by name_of_row()
  std::deque<Link> queue_;              // rows whose followers are still to be found
  Link from_;
  std::vector<const ReferringKey*> keys_;  // that react to what becomes of from_
  std::size_t at_ = 0;
};

}  // namespace gantry::data
