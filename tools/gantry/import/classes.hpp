// tools/gantry/import/classes.hpp: the existing classes of a database. One thread.
//
// Reads through the data engine, so that values are stored as agents will read them. Nothing is
// kept open afterwards.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "catalog/catalog.hpp"
#include "tools/gantry/import/row.hpp"

namespace gantry::cli::importing {

class Classes {
 public:
  // A missing file has no classes.
  static Classes none() { return Classes({}); }
  // Looks at the rows of `name` too. Errors: those of data::open_store(), its sentences.
  static Result<Classes> read(const std::string& database, const std::string& name);

  // The class as a table to write, empty when there is none. GANTRY_INVALID_ARGUMENT: a view, or a
  // table that rows cannot be added to.
  Result<std::optional<Table>> find(const std::string& name) const;
  // The key columns of classes that the pointers of a new class name; the classes not there yet.
  std::vector<std::string> resolve_pointers(Table& table) const;

 private:
  explicit Classes(std::map<std::string, data::ClassInfo> by_name) : by_name_(std::move(by_name)) {}

  std::map<std::string, data::ClassInfo> by_name_;  // by lowered name
};

}  // namespace gantry::cli::importing
