// sql/table_name.hpp (private): the name of a view's table, for the statements of this folder.
#pragma once

#include <string>

#include "view/class_view.hpp"

namespace gantry::data {

// The only reader of a view's table.
class TableName {
 public:
  // Quoted: "`main`.`my table`".
  static const std::string& table(const ClassView& cls) { return cls.table_; }
};

}  // namespace gantry::data
