// catalog/catalog.hpp: the classes of a database and their fields, as agents see them.
//
// A Catalog describes one version of the database's schema. The store builds a new one when the
// schema changes and hands it out as shared_ptr<const Catalog>. Every identifier that reaches SQL
// comes from a Catalog; a caller's text is only compared with these names.
//
// Building a Catalog reads the schema only. The actual kinds of a column's values are found by
// sampling its class once, when find() first asks for that class. Any thread.
//
// Only catalog, model, store and view see a ClassInfo; the folders above see the ClassView that a
// Scope opens (view/scope.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/class_rules.hpp"
#include "catalog/field.hpp"
#include "catalog/search_index.hpp"

namespace gantry::data {

// It has more than twelve members: a table's schema as one value.
struct ClassInfo {
  std::string name;   // as agents see it
  std::string table;  // quoted SQL name: "`main`.`my table`"
  ClassType type = ClassType::custom;
  IdForm id_form = IdForm::none;
  // SQL name of the rowid; empty: SQL cannot name it, or it is an internal column.
  std::string rowid;
  std::vector<std::size_t> id_fields;  // positions in `fields`; empty for rowid and none
  std::optional<std::size_t> created_at, updated_at;  // positions in `fields`
  // Of the model: the fields behind createdAt and updatedAt; empty: those with the usual names.
  std::string stated_created_at, stated_updated_at;
  std::vector<Field> fields;  // in column order; objectId is not among them unless stored
  std::vector<Index> indexes;
  // Views and full-text tables: the SQL names of the tables whose rows they show.
  std::vector<std::string> reads;
  // Full-text indexes by name; a class with its own index lists itself.
  std::vector<SearchIndex> searches;
  std::optional<std::int64_t> estimated_rows;  // empty: not known, as of most views
  // Document classes: the quoted SQL expression of the column that holds each object as relaxed
  // Extended JSON. Such a class has no `fields`: any field name is allowed. Empty: a typed class.
  std::string document;
  std::vector<Field> stated;  // of a document class: the fields that the model describes
  bool strict = false;
  bool without_rowid = false;
  bool resolves_conflicts =
      false;  // may hold an ON CONFLICT clause, such as one that replaces rows
  // The database's natural row order could reveal an internal column, see internal_columns.hpp.
  bool order_tells = false;
  bool allow_collscan = false;  // the operator allows full scans of this class
  bool sampled = false;         // kinds fit sampled rows; else they are the declared ones
  bool all_sampled = false;     // kinds and Field::may_be_json are true of all rows
  ClassRulesPtr rules;          // of the model; null: none

  const Field* find(std::string_view field) const;  // exact, case-sensitive; null when absent
  // The date column behind "createdAt" or "updatedAt", whatever its own name; null when the class
  // has none, and for every other name.
  const Field* role(std::string_view role_name) const;
};

// The result of sampling: the kinds of a class's columns, found by reading rows.
struct Sampled {
  ClassInfo info;  // the same fields, in the same order, with kinds that fit the sampled rows
  // The class has more rows than were sampled: later rows do not change the result.
  bool settled = false;
};
using Sampler = std::function<std::optional<Sampled>(const ClassInfo&)>;  // empty: try again later

class Catalog {
 public:
  // Without a sampler the classes keep their declared kinds.
  Catalog(std::vector<ClassInfo> classes, std::int64_t schema_version, Sampler sampler = {});
  ~Catalog();

  // As declared, sorted by name: for lists. Kinds may be less specific than those of find().
  const std::vector<ClassInfo>& classes() const;
  // Exact name; null when absent. The first call for a class reads up to 200 of its rows (limited
  // to a fraction of a second). The pointer lives as long as the catalog. `is_sampled`, if given,
  // becomes false when that failed: the result has the declared kinds, and the next call tries
  // again.
  const ClassInfo* find(std::string_view name, bool* is_sampled = nullptr) const;
  // find() without sampling: the class as declared.
  const ClassInfo* declared(std::string_view name) const;
  bool declares(std::string_view name) const { return declared(name) != nullptr; }
  std::int64_t schema_version() const { return schema_version_; }

  // A copy for use after rows changed: classes that were sampled completely are sampled again.
  std::shared_ptr<const Catalog> renewed() const;
  // Some class was sampled completely, so new rows may change its kinds.
  bool worth_renewing() const;

 private:
  struct Declared;
  struct Slot;
  Catalog(const Catalog& other);

  std::int64_t schema_version_;
  Sampler sampler_;
  std::shared_ptr<const Declared> declared_;
  std::vector<std::shared_ptr<Slot>> slots_;  // in the order of declared_->classes
};

using CatalogPtr = std::shared_ptr<const Catalog>;

}  // namespace gantry::data
