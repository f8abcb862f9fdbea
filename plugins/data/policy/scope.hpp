// policy/scope.hpp: the classes and fields that one request may see. The engine reads the catalog
// only through a scope.
//
// Always hidden (floor.cpp): SQLite's and Gantry's own tables, and internal columns (password
// hashes, session tokens, ACL columns), which are neither returned nor named. Hidden from an agent:
// the classes that its list leaves out. A caller cannot distinguish a hidden class from one that
// does not exist. Immutable; one per request; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/class_filter.hpp"

namespace gantry::data {

// True for names of internal columns, compared without ASCII case, as SQLite compares column names,
// and for the prefix `_auth_data_`.
bool is_internal_field(std::string_view name);

// True for tables that are never classes: sqlite_*, _gantry_*, migration tables, …
bool is_hidden_class(std::string_view name);

class Scope {
 public:
  explicit Scope(CatalogPtr catalog, ClassFilterPtr classes = {})
      : catalog_(std::move(catalog)), classes_(std::move(classes)) {}

  const Catalog& catalog() const { return *catalog_; }
  const CatalogPtr& catalog_ptr() const { return catalog_; }
  // The agent's list of classes; null: all.
  const ClassFilterPtr& classes() const { return classes_; }
  // The class, or null when it is absent or hidden. Marks the answer as non-deterministic
  // (values/fleeting.hpp) if the class is a view: its SQL may use the time or random numbers.
  const ClassInfo* find_class(std::string_view name) const;
  // The field, or null when absent or internal. "objectId" is resolved by rows/
  // and where/, "createdAt" and "updatedAt" by ClassInfo::role(); most classes have no stored
  // fields of these names.
  const Field* find_field(const ClassInfo& cls, std::string_view name) const;
  // Whether the field is a pointer to a class that the request may not see, or that does not exist.
  // Its values are shown without their ids, and nothing that depends on an id may be answered: they
  // are neither compared, sorted nor joined.
  bool redacts(const Field& field) const;
  std::vector<const ClassInfo*> visible_classes() const;             // sorted by name
  std::vector<const Field*> visible_fields(const ClassInfo&) const;  // in column order

 private:
  bool sees(const std::string& name) const;

  CatalogPtr catalog_;
  ClassFilterPtr classes_;
};

}  // namespace gantry::data
