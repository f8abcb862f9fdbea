// policy/scope.hpp: what one request may see. Everything below works on the scope only.
//
// The floor (always): the store's own tables and Gantry's are no classes; internal columns
// (password hashes, session tokens, ACL columns) are neither returned nor named. A class that is
// hidden and one that does not exist are the same to a caller. Immutable; one per request; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"

namespace gantry::data {

// True for names on the floor of internal columns, compared without ASCII case, as the database
// compares column names, and for `_auth_data_` by prefix.
bool is_internal_field(std::string_view name);

// True for tables no caller may ever open as a class: sqlite_*, _gantry_*, migration tables, …
bool is_hidden_class(std::string_view name);

class Scope {
 public:
  explicit Scope(CatalogPtr catalog) : catalog_(std::move(catalog)) {}

  const Catalog& catalog() const { return *catalog_; }
  const CatalogPtr& catalog_ptr() const { return catalog_; }
  // The class, or null when it is absent or hidden. What is read of a view is fleeting, since the
  // view itself may ask for the time or for chance: that is marked here.
  const ClassInfo* find_class(std::string_view name) const;
  // The field, or null when absent or internal. "objectId", "createdAt", "updatedAt" are resolved
  // by the caller (rows/ and where/), they are no stored fields of most classes.
  const Field* find_field(const ClassInfo& cls, std::string_view name) const;
  std::vector<const ClassInfo*> visible_classes() const;             // sorted by name
  std::vector<const Field*> visible_fields(const ClassInfo&) const;  // in column order

 private:
  CatalogPtr catalog_;
};

}  // namespace gantry::data
