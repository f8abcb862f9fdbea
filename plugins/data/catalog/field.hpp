// catalog/field.hpp: a field of a class: its name for agents, its SQL, the kind of its values.
//
// Plain data; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gantry::data {

// The kind of a field's values. `any` is a column whose values have no common kind.
enum class Kind { string, integer, number, boolean, date, object, array, bytes, pointer, any };

// How a date column stores instants.
enum class DateForm { none, iso_text, epoch_seconds, epoch_millis, julian };

// The name of a kind as get_schema shows it: "String", "Integer", "Number", "Boolean", "Date",
// "Object", "Array", "Bytes", "Pointer", "Any".
std::string_view kind_name(Kind kind);

// A literal of the schema, in the type of its column.
using Literal = std::variant<std::int64_t, double, std::string>;

// It has more than twelve members: what declarations, samples and the model say of one column.
struct Field {
  std::string name;  // as agents see it
  // Quoted SQL expression: "`my col`". Backticks: SQLite reads an unknown name in double quotes as
  // a string.
  std::string column;
  std::string declared;  // declared SQL type, may be empty
  Kind kind = Kind::any;
  Kind native = Kind::any;  // pointers: the kind of the stored value (string, integer, …)
  // Pointers of a view: the declared kind of the key that they equal. `date`: they are read as that
  // key's dates, in whose form they are stored; other pointers to keys of dates have `any`.
  Kind key_kind = Kind::any;
  // Of pointers too, if all sampled values could be dates of one form; see ClassView.
  DateForm date_form = DateForm::none;
  bool stated_date = false;  // the model says that its values are dates
  // iso_text: the common shape of all sampled values, with each digit as 0 ("0000-00-00 00:00:00");
  // empty if they differ. See values/iso_date.hpp.
  std::string iso_shape;
  std::string iso_zone;  // their common zone, "+05:30"; empty if they differ, or have none
  // The only values besides NULL that a CHECK constraint allows, see checked_values.hpp; empty: it
  // is not known.
  std::vector<Literal> allowed;
  // Of the model: the descriptions of `allowed`, in its order (empty: it has none), and of the
  // field.
  std::vector<std::string> allowed_descriptions;
  std::string description;
  std::string target_class;  // pointers: the class; else empty
  std::string target_field;  // pointers: the target's key field that the value equals
  Kind storage = Kind::any;  // the storage class that the database guarantees; any: no guarantee
  bool proven = false;    // the database guarantees the kind (STRICT, CHECK, INTEGER PRIMARY KEY)
  bool required = false;  // NOT NULL without default, or part of the key
  bool has_default = false;
  bool numbers_rows = false;  // the INTEGER PRIMARY KEY: the database assigns it
  bool generated = false;
  bool internal = false;     // never shown or named, see internal_columns.hpp
  bool indexed = false;      // first column of some whole index, or of the key
  bool json = false;         // object/array stored as JSON text; with `any`: JSON of both shapes
  bool may_be_json = false;  // a sampled text, or sampled bytes, begin as an object or array
  bool numeric_affinity = false;  // INTEGER, REAL or NUMERIC affinity: never bind text to it
  bool binary_collation = true;   // false: NOCASE, RTRIM, a custom collation, or utf16
  std::string collation;          // its name; empty: BINARY, or not known
  bool utf16 = false;             // texts are stored as UTF-16, which orders differently from UTF-8
};

enum class IdForm { column, rowid, composite, none };

// The name of the index that a key without an index of its own has: a rowid, or the key of a
// WITHOUT ROWID table.
inline constexpr std::string_view kKeyIndex = "PRIMARY KEY";

struct Index {
  std::string name;
  // An expression appears as "<expression>"; its index is never named, as it may hold any column.
  std::vector<std::string> fields;
  bool unique = false;
  bool partial = false;
  // The average number of rows with equal values in the index's first field, its first two, and so
  // on, as ANALYZE counted them; empty if it has not run.
  std::vector<std::int64_t> rows_of_value = {};
  bool internal = false;  // depends on an internal column, see internal_columns.hpp
};

// A class of the database, of Gantry or of Parse (names that begin with '_'), or a view.
enum class ClassType { custom, built_in, view };

// Every object's id, whatever the name of its key; ClassView::id_alias() says which of them.
inline constexpr std::string_view kObjectId = "objectId";
inline constexpr std::string_view kDocumentId = "_id";

// The names of ClassView::role(), in the order of answers.
inline constexpr std::string_view kDateRoles[] = {"createdAt", "updatedAt"};
constexpr bool is_date_role(std::string_view name) {
  return name == kDateRoles[0] || name == kDateRoles[1];
}

}  // namespace gantry::data
