// catalog/identity.hpp: which column is the objectId, and which columns point to other classes.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace gantry::data {

struct ForeignKey {
  std::string field;         // of the referring class
  std::string target_table;  // as written; names compare without ASCII case
  std::string target_field;  // empty: the target's primary key
};

// One column of a foreign key. The key may have several.
struct Reference {
  std::string field, target_table;
  std::string target_field;  // empty: the target's primary key, its column at `place`
  std::size_t place = 0;
};

// A class as read from the schema, before relations between classes are resolved.
struct RawClass {
  ClassInfo info;
  std::vector<std::size_t> primary_key;  // positions in info.fields, in key order
  std::vector<ForeignKey> foreign_keys;  // of one column each, in the order declared
  std::vector<Reference> references;     // of all foreign keys
};

// Whether the key is an alias of the rowid: INTEGER PRIMARY KEY, except where SQLite made an index
// for it (DESC, for example).
bool is_rowid_alias(const RawClass& cls);

// Sets id_form and id_fields. First match: a unique column named objectId, id, _id or uuid; a
// primary key of one column; a composite one; the rowid; none. Internal columns are never used, nor
// a rowid that is one.
void choose_id(RawClass& cls);

// Turns fields with a foreign key to another class's id into pointers. Other foreign keys stay
// plain fields.
void resolve_pointers(std::vector<RawClass>& classes);

}  // namespace gantry::data
