// catalog/catalog.hpp: what classes exist and what their fields are, as agents see them.
//
// A Catalog is immutable; the store builds a new one when the database's schema changes and hands
// it out as shared_ptr<const Catalog>. Identifiers that reach SQL come from here and from nowhere
// else: a caller's text is only ever compared with these names. Readable from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gantry::data {

// What a field holds. `any` is a column whose values have no common kind.
enum class Kind { string, integer, number, boolean, date, object, array, bytes, pointer, any };

// How a date column stores instants.
enum class DateForm { none, iso_text, epoch_seconds, epoch_millis, julian };

// The name of a kind as get_schema shows it: "String", "Integer", "Number", "Boolean", "Date",
// "Object", "Array", "Bytes", "Pointer", "Any".
std::string_view kind_name(Kind kind);

struct Field {
  std::string name;         // as agents see it
  std::string column;       // quoted SQL expression of the column: "\"my col\""
  std::string declared;     // declared SQL type, may be empty
  Kind kind = Kind::any;
  Kind native = Kind::any;  // of a pointer: the kind of its storage (string, integer, …)
  DateForm date_form = DateForm::none;
  std::string target_class;  // pointers: the class; else empty
  std::string target_field;  // pointers: the target's key field that the value equals
  bool proven = false;       // the database guarantees the kind (STRICT, CHECK, INTEGER PRIMARY KEY)
  bool required = false;     // NOT NULL without default, or part of the key
  bool generated = false;
  bool indexed = false;      // first column of some index, or the key itself
  bool json = false;         // object/array stored as JSON text
  bool numeric_affinity = false;  // INTEGER, REAL or NUMERIC affinity: never bind text to it
  bool binary_collation = true;   // false: NOCASE, RTRIM or a custom collation
};

enum class IdForm { column, rowid, composite, none };

struct Index {
  std::string name;
  std::vector<std::string> fields;  // expressions appear as "<expression>"
  bool unique = false;
  bool partial = false;
};

struct ClassInfo {
  std::string name;                 // as agents see it
  std::string table;                // quoted SQL name: "\"main\".\"my table\""
  enum class Type { custom, built_in, view } type = Type::custom;
  IdForm id_form = IdForm::none;
  std::vector<std::size_t> id_fields;  // positions in `fields`; empty for rowid and none
  std::optional<std::size_t> created_at, updated_at;  // positions in `fields`
  std::vector<Field> fields;           // in column order; objectId is not among them unless stored
  std::vector<Index> indexes;
  std::int64_t estimated_rows = 0;
  bool strict = false;
  bool without_rowid = false;

  const Field* find(std::string_view field) const;  // exact, case-sensitive; null when absent
};

class Catalog {
 public:
  Catalog(std::vector<ClassInfo> classes, std::int64_t schema_version);
  const std::vector<ClassInfo>& classes() const { return classes_; }  // sorted by name
  const ClassInfo* find(std::string_view name) const;                 // exact
  std::int64_t schema_version() const { return schema_version_; }

 private:
  std::vector<ClassInfo> classes_;
  std::unordered_map<std::string_view, const ClassInfo*> by_name_;
  std::int64_t schema_version_;
};

using CatalogPtr = std::shared_ptr<const Catalog>;

}  // namespace gantry::data
