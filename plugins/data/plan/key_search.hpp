// plan/key_search.hpp: finds rows of a class by the values of one column, many times.
//
// A statement is prepared once for each number of values, and runs again with others. One thread.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <vector>

#include "plan/class_source.hpp"
#include "sql/key_values.hpp"

namespace gantry::data {

class KeySearch {
 public:
  // `column` is that of plan_column.hpp's lookup_column(); rows have the columns of `select_list`.
  // The references must outlive the search.
  KeySearch(ClassSource& source, const ClassView& cls, std::string column,
            const std::string& select_list);

  // The rows whose column stores one of `values`, and perhaps others, in the order of the class.
  // Null: there are too many values, or the database would scan the class. The cursor belongs to
  // the search, and ends with the next call.
  Cursor* find(const Array& values);

 private:
  struct Prepared {
    bool or_null;
    std::size_t size;  // of the keys
    CursorPtr cursor;
  };
  Cursor* prepare(const StoredKeys& keys);

  ClassSource& source_;
  const ClassView& cls_;
  std::string column_;
  const std::string& select_list_;
  std::list<Prepared> prepared_;  // there are few
  std::vector<Bind> binds_;       // those of the class's boundary, then the keys
  std::size_t boundary_binds_;
};

}  // namespace gantry::data
