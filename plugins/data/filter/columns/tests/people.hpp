// The table for tests of constraints: every kind of column, and rows that do not fit their kinds.
#pragma once

#include "table.hpp"

namespace gantry::data::testing {

// Classes Person (rows 1 to 8), Team (ids 10, 20, 30) and Part (key a, b), with indexes.
class People {
 public:
  People();

  Database& db() { return db_; }
  const Scope& scope() const { return scope_; }
  std::string select(std::string_view where, std::string_view order = "n",
                     const WhereOptions& options = {sqlite_dialect()}) {
    return testing::select(db_, scope_, "Person", where, order, options);
  }

 private:
  Database db_;
  Scope scope_;
};

}  // namespace gantry::data::testing
