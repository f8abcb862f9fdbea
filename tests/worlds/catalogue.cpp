#include "catalogue.hpp"

#include <algorithm>
#include <iomanip>

namespace gantry::worlds {

const std::map<int, std::string>& catalogue() {
  static const std::map<int, std::string> rows = {
      {1, "classes: total, names, prefix"},
      {2, "fields counted, keys of documents"},
      {3, "kinds sampled from hidden rows"},
      {4, "estimated rows"},
      {5, "indexes over denied fields"},
      {6, "targets of pointers"},
      {7, "echoes of the model"},
      {9, "candidates in errors"},
      {10, "absent, hidden and excluded classes"},
      {11, "classes of a taken name"},
      {12, "denied field in a condition"},
      {13, "other spellings of a denied field"},
      {14, "odd shapes of a condition"},
      {15, "whole documents and computed fields"},
      {16, "order by a denied field"},
      {17, "pointer to a hidden class in a condition"},
      {18, "distances"},
      {19, "text index over a denied field"},
      {20, "expressions that fail on hidden rows"},
      {21, "rows that hold no document"},
      {22, "includes and paths through pointers"},
      {23, "pointer to a hidden row"},
      {24, "$lookup"},
      {25, "$graphLookup"},
      {26, "$unionWith"},
      {27, "pipelines inside pipelines"},
      {28, "cross-class operators"},
      {29, "pointers in values"},
      {30, "groups, counts, buckets, windows"},
      {31, "count"},
      {32, "denied field as key, value or argument"},
      {33, "group keys that point to a hidden class"},
      {34, "has_more, truncated, missing"},
      {35, "next_call"},
      {36, "answers that are too large"},
      {37, "headers and default columns"},
      {38, "plans and dry runs"},
      {39, "refused scans"},
      {41, "caches warmed by another agent"},
      {43, "exports by link"},
      {48, "resources"},
      {49, "completion, introduction"},
      {51, "progress and log messages"},
      {56, "references to hidden objects"},
      {57, "writes of hidden objects, images"},
      {59, "hidden and fixed fields, objects moved out of scope"},
  };
  return rows;
}

void Hits::add(const std::set<int>& rows) {
  for (const int row : rows) ++hits_[row];
}

bool Hits::wants(const std::set<int>& rows) const {
  return std::any_of(rows.begin(), rows.end(), [this](int row) {
    const auto found = hits_.find(row);
    return found == hits_.end() || found->second < kEnough;
  });
}

std::vector<int> Hits::missing() const {
  std::vector<int> rows;
  for (const auto& [row, name] : catalogue()) {
    if (!hits_.contains(row)) rows.push_back(row);
  }
  return rows;
}

void Hits::print(std::ostream& out) const {
  for (const auto& [row, name] : catalogue()) {
    const auto found = hits_.find(row);
    out << std::setw(4) << row << std::setw(8) << (found == hits_.end() ? 0 : found->second) << "  "
        << name << "\n";
  }
}

}  // namespace gantry::worlds
