// tests/worlds/catalogue.hpp: the ways in which an answer may tell what its agent must not see, by
// the number of the row in the table of leaks, and how often requests tried each.
//
// A request is a hit on the rows that it tries if the same request tells the two worlds apart where
// no rule holds: a rule that is not needed for equal answers is not tested by them. Whether it does
// costs as much as the request, so it is no longer asked once each of its rows has kEnough hits.
// One thread.
#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace gantry::worlds {

// What the test tries; other rows are those of the host or of writing.
const std::map<int, std::string>& catalogue();

class Hits {
 public:
  static constexpr std::size_t kEnough = 25;

  void add(const std::set<int>& rows);
  // Some of these rows has fewer than kEnough.
  bool wants(const std::set<int>& rows) const;
  std::vector<int> missing() const;  // rows without a hit
  void print(std::ostream& out) const;

 private:
  std::map<int, std::size_t> hits_;
};

}  // namespace gantry::worlds
