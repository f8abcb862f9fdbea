#include "catalog/keys.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "catalog/column_type.hpp"

namespace gantry::data {
namespace {

void prove_rowid_alias(RawClass& cls) {
  if (is_rowid_alias(cls)) {
    cls.info.fields[cls.primary_key[0]].storage = Kind::integer;
    cls.info.fields[cls.primary_key[0]].numbers_rows = true;
  }
}

// The index of a key by which the rows themselves are stored. Of a WITHOUT ROWID table SQLite lists
// it under a name of its own where the table has other indexes.
void add_key_index(RawClass& cls) {
  if (!is_rowid_alias(cls) && !cls.info.without_rowid) return;
  auto& indexes = cls.info.indexes;
  Index key{std::string(kKeyIndex), {}, true};
  for (const std::size_t at : cls.primary_key) key.fields.push_back(cls.info.fields[at].name);
  std::erase_if(indexes, [&key](const Index& index) {
    return index.name.starts_with("sqlite_autoindex_") && index.fields == key.fields;
  });
  indexes.insert(indexes.begin(), std::move(key));
}

void mark_indexed(RawClass& cls) {
  for (auto& field : cls.info.fields) {
    field.indexed =
        std::any_of(cls.info.indexes.begin(), cls.info.indexes.end(), [&](const Index& index) {
          return !index.partial && !index.fields.empty() && same_name(index.fields[0], field.name);
        });
  }
  if (!cls.primary_key.empty()) cls.info.fields[cls.primary_key[0]].indexed = true;
}

}  // namespace

void settle_keys(RawClass& cls) {
  prove_rowid_alias(cls);
  add_key_index(cls);
  mark_indexed(cls);
}

}  // namespace gantry::data
