// expr/sort_order.hpp: MongoDB's sort keys of documents.
//
// Ascending keys use the least of an array's elements, descending ones the greatest. A missing
// field sorts as null, an empty array below null. Immutable after parsing; any thread that owns the
// values. Errors are thrown as QueryError.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::expr {

using SortKey = Array;  // one value per field of the order

class SortOrder {
 public:
  // `spec` is {field: 1, other: -1}, with 1 to 32 fields. Refuses other values, naming `op`.
  SortOrder(std::string_view op, const Value& spec);

  // Refuses documents with arrays in two of the fields, unless they are below one array.
  SortKey key_of(const Value& document) const;
  // Sets the random parts of `key`: {$meta: "randVal"}.
  void draw(SortKey& key, const std::function<double()>& random) const;
  // Negative, zero or positive.
  int compare(const SortKey& a, const SortKey& b) const;
  void add_paths(std::set<std::string>& paths) const;
  bool empty() const { return fields_.empty(); }

 private:
  struct Field {
    std::vector<std::string> path;  // empty: a random number
    int direction;
  };
  // The progress for one field: `value` is the value at the first `part` parts.
  struct Walk {
    Value value;
    std::size_t part = 0;
    bool done = false;
  };
  using Walks = std::vector<Walk>;

  void add_field(const Member& member);
  bool key_without_arrays(const Value& document, SortKey& key) const;
  void advance(Walk& walk, const std::vector<std::string>& path) const;
  void expand(Walks walks, SortKey& best) const;
  const Walk* array_among(const Walks& walks) const;
  void into_element(Walk& walk, const std::vector<std::string>& path, const Value& element) const;
  void offer(const Walks& walks, SortKey& best) const;

  std::string op_;
  std::vector<Field> fields_;
};

}  // namespace gantry::data::expr
