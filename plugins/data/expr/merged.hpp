// expr/merged.hpp: one object made of the members of many.
//
// A later member takes the place of an earlier one of its name. Linear in the number of members,
// however many there are. One thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::expr {

class Merged {
 public:
  void set(std::string_view name, const Value& value);
  // A step of the query for each.
  void set_all(const Members& members);
  Value build();       // is empty afterwards
  Value copy() const;  // of what there is

 private:
  using Place = std::uint32_t;
  // Where `name` is, or the number of members.
  std::size_t find(std::string_view name, std::size_t hash) const;
  void enter(std::size_t hash, std::size_t place);
  void grow_table();

  Members members_;
  Charge names_;  // that are long
  // Open addressing: 1 + the place of a member, 0 for none. Empty while members are few.
  std::vector<Place, Metered<Place>> table_;
};

}  // namespace gantry::data::expr
