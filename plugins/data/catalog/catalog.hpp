// catalog/catalog.hpp: what classes exist and what their fields are, as agents see them.
//
// A Catalog belongs to one state of the database's schema; the store builds a new one when that
// changes and hands it out as shared_ptr<const Catalog>. Identifiers that reach SQL come from here
// and from nowhere else: a caller's text is only ever compared with these names.
//
// Building reads the schema only. What a column really holds is found out by sampling its class
// once, when find() first asks for that class. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/search_index.hpp"

namespace gantry::data {

// What a field holds. `any` is a column whose values have no common kind.
enum class Kind { string, integer, number, boolean, date, object, array, bytes, pointer, any };

// How a date column stores instants.
enum class DateForm { none, iso_text, epoch_seconds, epoch_millis, julian };

// The name of a kind as get_schema shows it: "String", "Integer", "Number", "Boolean", "Date",
// "Object", "Array", "Bytes", "Pointer", "Any".
std::string_view kind_name(Kind kind);

struct Field {
  std::string name;      // as agents see it
  std::string column;    // quoted SQL expression of the column: "`my col`". Backticks, since
                         // SQLite takes an unknown name in double quotes for a string.
  std::string declared;  // declared SQL type, may be empty
  Kind kind = Kind::any;
  Kind native = Kind::any;  // of a pointer: the kind of its storage (string, integer, …)
  DateForm date_form = DateForm::none;
  // iso_text: the one shape that all sampled values have, digits as 0 ("0000-00-00 00:00:00");
  // empty when they differ. See values/iso_date.hpp.
  std::string iso_shape;
  std::string target_class;  // pointers: the class; else empty
  std::string target_field;  // pointers: the target's key field that the value equals
  Kind storage = Kind::any;  // how the database guarantees values to be stored; any: no guarantee
  bool proven = false;    // the database guarantees the kind (STRICT, CHECK, INTEGER PRIMARY KEY)
  bool required = false;  // NOT NULL without default, or part of the key
  bool generated = false;
  bool internal = false;  // never shown or named, see internal_columns.hpp
  bool indexed = false;   // first column of some index, or the key itself
  bool json = false;      // object/array stored as JSON text; with `any`: JSON of both shapes
  bool numeric_affinity = false;  // INTEGER, REAL or NUMERIC affinity: never bind text to it
  bool binary_collation = true;   // false: NOCASE, RTRIM, a custom collation, or utf16
  bool utf16 = false;             // texts are stored as UTF-16, whose bytes order otherwise
};

enum class IdForm { column, rowid, composite, none };

struct Index {
  std::string name;
  std::vector<std::string> fields;  // expressions appear as "<expression>"
  bool unique = false;
  bool partial = false;
  // Rows that have the same values in its first field, its first two, and so on, on average as
  // ANALYZE found them; empty where it has not run.
  std::vector<std::int64_t> rows_of_value = {};
  bool internal = false;  // tells of a column that is never shown
};

struct ClassInfo {
  std::string name;   // as agents see it
  std::string table;  // quoted SQL name: "`main`.`my table`"
  enum class Type { custom, built_in, view } type = Type::custom;
  IdForm id_form = IdForm::none;
  std::string rowid;  // the name by which SQL reaches the rowid; empty: it cannot, or the number is
                      // an internal column's
  std::vector<std::size_t> id_fields;  // positions in `fields`; empty for rowid and none
  std::optional<std::size_t> created_at, updated_at;  // positions in `fields`
  std::vector<Field> fields;  // in column order; objectId is not among them unless stored
  std::vector<Index> indexes;
  std::vector<SearchIndex> searches;  // by name; no classes themselves, unless it is its own
  std::int64_t estimated_rows = 0;
  // A document class: the quoted SQL expression of the column that holds each object, as relaxed
  // Extended JSON; such a class has no `fields` and any field may be there. Empty: a typed class.
  std::string document;
  bool strict = false;
  bool without_rowid = false;
  // The order in which the database finds rows may tell of a column that is never shown.
  bool order_tells = false;
  bool allow_collscan = false;  // the operator says that reading all of it is fine

  const Field* find(std::string_view field) const;  // exact, case-sensitive; null when absent
};

// Finds out by reading rows what the columns of a class hold.
struct Sampled {
  ClassInfo info;        // the same fields, in the same order, with kinds that fit the rows
  bool settled = false;  // there were more rows than were looked at: new rows change nothing
};
using Sampler = std::function<std::optional<Sampled>(const ClassInfo&)>;  // empty: try again later

class Catalog {
 public:
  // Without a sampler the classes are taken as they are.
  Catalog(std::vector<ClassInfo> classes, std::int64_t schema_version, Sampler sampler = {});
  ~Catalog();

  // As declared, sorted by name: for lists. Kinds may be vaguer than those that find() gives.
  const std::vector<ClassInfo>& classes() const;
  // Exact name; null when absent. The first call for a class reads up to 200 of its rows (bounded
  // to a fraction of a second); the pointer lives as long as the catalog.
  const ClassInfo* find(std::string_view name) const;
  bool declares(std::string_view name) const;  // find() without sampling
  std::int64_t schema_version() const { return schema_version_; }

  // The same schema after rows changed: classes whose sample was all they had are sampled again.
  std::shared_ptr<const Catalog> renewed() const;
  bool worth_renewing() const;  // some sampled class had few rows

 private:
  struct Declared;
  struct Slot;
  Catalog(const Catalog& other);

  std::int64_t schema_version_;
  Sampler sampler_;
  std::shared_ptr<const Declared> declared_;
  std::vector<std::shared_ptr<Slot>> slots_;  // as declared_->classes
};

using CatalogPtr = std::shared_ptr<const Catalog>;

}  // namespace gantry::data
