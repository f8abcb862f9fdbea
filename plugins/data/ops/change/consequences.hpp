// ops/change/consequences.hpp: the rows that the database itself deletes or changes because of a
// write, by foreign keys with ON DELETE or ON UPDATE actions.
//
// Only rows that the agent sees, referring by fields that it sees to fields that it sees: others
// are not counted, nor is what follows from them. Throws QueryError. One thread; request and edit
// outlive it.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ops/change/session.hpp"
#include "store/editor.hpp"

namespace gantry::data {

// The foreign keys that react to the deletion of a row of the table, else to a change of its
// `columns` (SQL). They live as long as the edit.
std::vector<const ForeignAction*> reactions(Edit& edit, const std::string& table, bool is_deletion,
                                            const std::vector<std::string>& columns);

class Consequences {
 public:
  Consequences(const Request& request, Edit& edit);

  // Before the row is deleted, or gets the values. Returns a text that differs where other rows
  // follow; empty: none do.
  std::string of_deletion(const ClassView& whole, const Place& place);
  std::string of_change(const ClassView& whole, const Place& place,
                        const std::vector<ColumnValue>& values);

  std::size_t rows() const { return seen_.size(); }
  // [{"class_name":"lines","operation":"delete","rows":3}]
  std::string json() const;

 private:
  // A row, and what becomes of it.
  struct Cause {
    std::string class_name;
    Place place;
    bool is_deleted;
    std::vector<std::string> columns;  // that change, as SQL
  };
  std::string follow(Cause cause);
  void add_reactions(const Cause& cause, std::string& text);
  std::vector<ColumnValue> key_values(const ClassView& whole, const Place& place,
                                      const ForeignAction& action) const;
  std::vector<Place> places(const ClassView& view, const std::vector<ColumnValue>& values) const;

  Edit& edit_;
  Scope shown_, engine_;
  LeasePtr lease_;
  std::deque<Cause> causes_;  // whose reactions are still to be found
  std::set<std::string> seen_;
  std::map<std::pair<std::string, bool>, std::size_t> counts_;  // by class and whether deleted
};

}  // namespace gantry::data
