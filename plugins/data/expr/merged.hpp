// expr/merged.hpp: merges the members of several objects into one.
//
// A later member replaces an earlier one with its name. The time is linear in the number of
// members. One thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::expr {

class Merged {
 public:
  void set(std::string_view name, const Value& value);
  // Counts a step of the query for each member.
  void set_all(const Members& members);
  Value build();       // the object is empty afterwards
  Value copy() const;  // a copy of the present members

 private:
  using Place = std::uint32_t;
  // The index of `name`, or the number of members.
  std::size_t find(std::string_view name, std::size_t hash) const;
  void enter(std::size_t hash, std::size_t place);
  void grow_table();

  Members members_;
  Charge names_;  // memory of long names
  // Open addressing: 1 + the index of a member, 0 for a free slot. Empty while there are few
  // members.
  std::vector<Place, Metered<Place>> table_;
};

}  // namespace gantry::data::expr
