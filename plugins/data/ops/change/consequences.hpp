// ops/change/consequences.hpp: the rows that the database itself deletes or changes because of a
// write, by foreign keys with ON DELETE or ON UPDATE actions.
//
// Only rows that the agent sees, referring by fields that it sees to fields that it sees: others
// are not counted, nor is what follows from them. Throws QueryError. One thread; request and edit
// outlive it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ops/change/chain.hpp"
#include "ops/change/session.hpp"
#include "store/editor.hpp"

namespace gantry::data {

class Consequences {
 public:
  Consequences(const Request& request, Edit& edit);

  // Before the row is deleted, or gets the values. Returns a text that differs where other rows
  // follow; empty: none do.
  std::string of_deletion(const ClassView& whole, const Place& place);
  std::string of_change(const ClassView& whole, const Place& place,
                        const std::vector<ColumnValue>& values);

  std::size_t rows() const { return reached_.size(); }
  // [{"class_name":"lines","operation":"delete","rows":3}]
  std::string json() const;

 private:
  struct Reached {
    std::string class_name;
    bool is_deleted = false;
  };
  std::string follow(Link written);
  void note_rows(const ClassView& view, Chain& chain, std::string& text);
  const ClassView* showing(const std::string& table, const std::vector<std::string>& columns);
  std::vector<Place> places(const ClassView& view, const Fragment& condition) const;

  Edit& edit_;
  Scope shown_;
  LeasePtr lease_;
  std::map<std::string, std::vector<const ClassView*>> classes_;  // by table; empty: not read yet
  std::map<std::string, Reached> reached_;                        // by name_of_row()
};

}  // namespace gantry::data
