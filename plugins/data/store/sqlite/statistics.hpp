// store/sqlite/statistics.hpp: what ANALYZE counted in a database. Value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/internal_columns.hpp"
#include "store/sqlite/connection.hpp"

namespace gantry::data::sqlite {

class Statistics {
 public:
  // Empty where ANALYZE has not run. Those of an index that tells of an internal column are left
  // out; `indexes` has the words of their definitions, by name in lower case.
  static Result<Statistics> read(Connection& connection, const CreateWords& indexes);

  std::optional<std::int64_t> rows_of(std::string_view table) const;  // empty: not known
  // See Index::rows_of_value.
  std::vector<std::int64_t> rows_of_value(std::string_view index) const;

 private:
  // By name in lower case.
  std::unordered_map<std::string, std::int64_t> rows_;
  std::unordered_map<std::string, std::vector<std::int64_t>> rows_of_value_;
};

}  // namespace gantry::data::sqlite
