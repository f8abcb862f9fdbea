#include "catalog/internal_columns.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "catalog/column_type.hpp"
#include "catalog/floor.hpp"

namespace gantry::data {
namespace {

using Words = std::span<const SqlWord>;

// Whether an expression may read an internal column of the class: by its name, or inside a JSON
// path, which is a string.
bool names_internal_of(Words words, const ClassInfo& cls) {
  return std::any_of(words.begin(), words.end(), [&](const SqlWord& word) {
    if (word.form == SqlWord::Form::sign) return false;
    if (word.is_quoted() && may_name_internal(word.text)) return true;
    return is_internal_field(word.text) ||
           std::any_of(cls.fields.begin(), cls.fields.end(), [&](const Field& field) {
             return field.internal && same_name(field.name, word.text);
           });
  });
}

// The words that define `column` in a CREATE TABLE, without its name.
Words definition_of(Words words, std::string_view column) {
  std::size_t depth = 0, begin = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool opens = words[i].is_sign('('), closes = words[i].is_sign(')');
    if (opens && ++depth == 1) begin = i + 1;
    const bool ends = depth == 1 && (closes || words[i].is_sign(','));
    if (ends && begin < i && same_name(words[begin].text, column)) {
      return words.subspan(begin + 1, i - begin - 1);
    }
    if (ends) begin = i + 1;
    if (closes && depth > 0) --depth;
  }
  return {};
}

bool has_internal(const ClassInfo& cls, const std::vector<std::size_t>& positions) {
  return std::any_of(positions.begin(), positions.end(),
                     [&](std::size_t at) { return cls.fields[at].internal; });
}

const Field* field_of(const ClassInfo& cls, std::string_view name) {
  const auto found = std::find_if(cls.fields.begin(), cls.fields.end(),
                                  [&](const Field& field) { return same_name(field.name, name); });
  return found == cls.fields.end() ? nullptr : &*found;
}

bool refers_to_internal(const Reference& reference, const RawClass& target) {
  if (!reference.target_field.empty()) {
    const Field* const field = field_of(target.info, reference.target_field);
    return field != nullptr && field->internal;
  }
  return reference.place < target.primary_key.size() &&
         target.info.fields[target.primary_key[reference.place]].internal;
}

// Returns true if it marked another field.
bool mark_references(RawClass& cls,
                     const std::unordered_map<std::string, const RawClass*>& by_name) {
  bool is_new = false;
  for (const Reference& reference : cls.references) {
    const auto target = by_name.find(lower(reference.target_table));
    if (target == by_name.end() || !refers_to_internal(reference, *target->second)) continue;
    for (Field& field : cls.info.fields) {
      if (field.internal || !same_name(field.name, reference.field)) continue;
      field.internal = is_new = true;
    }
  }
  return is_new;
}

bool is_internal_index(const Index& index, const ClassInfo& cls, const CreateWords& indexes) {
  for (const std::string& name : index.fields) {
    const Field* const field = field_of(cls, name);
    if (field != nullptr && field->internal) return true;
  }
  const auto words = indexes.find(lower(index.name));
  return words != indexes.end() && names_internal_of(words->second, cls);
}

bool table_order_tells(const RawClass& cls) {
  const auto& indexes = cls.info.indexes;
  const bool has_index = std::any_of(indexes.begin(), indexes.end(),
                                     [](const Index& index) { return index.internal; });
  const bool lies_by_key = cls.info.without_rowid || is_rowid_alias(cls);
  return has_index || (lies_by_key && has_internal(cls.info, cls.primary_key));
}

bool view_order_tells(const std::vector<SqlWord>& words,
                      const std::unordered_set<std::string>& telling) {
  return std::any_of(words.begin(), words.end(), [&](const SqlWord& word) {
    return word.form != SqlWord::Form::sign &&
           (is_internal_field(word.text) || telling.count(lower(word.text)) > 0);
  });
}

}  // namespace

bool tells_of_internal(const std::vector<SqlWord>& words) { return names_internal_of(words, {}); }

void mark_internal_fields(RawClass& cls, const std::vector<SqlWord>& words) {
  for (Field& field : cls.info.fields) field.internal = is_internal_field(field.name);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (Field& field : cls.info.fields) {
      if (field.internal || !field.generated) continue;
      field.internal = names_internal_of(definition_of(words, field.name), cls.info);
      is_new = is_new || field.internal;
    }
  }
}

void mark_internal_references(std::vector<RawClass>& classes) {
  std::unordered_map<std::string, const RawClass*> by_name;
  for (const RawClass& cls : classes) by_name.emplace(lower(cls.info.name), &cls);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (RawClass& cls : classes) is_new = mark_references(cls, by_name) || is_new;
  }
}

void mark_internal_indexes(RawClass& cls, const CreateWords& indexes) {
  for (Index& index : cls.info.indexes) {
    index.internal = is_internal_index(index, cls.info, indexes);
  }
  if (is_rowid_alias(cls) && has_internal(cls.info, cls.primary_key)) cls.info.rowid.clear();
}

void mark_telling_orders(std::vector<RawClass>& classes, const CreateWords& views) {
  std::unordered_set<std::string> telling;
  for (RawClass& cls : classes) {
    if (cls.info.type == ClassType::view) continue;
    cls.info.order_tells = cls.info.order_tells || table_order_tells(cls);
    if (cls.info.order_tells) telling.insert(lower(cls.info.name));
  }
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (RawClass& cls : classes) {
      const auto words = views.find(lower(cls.info.name));
      const bool is_view = cls.info.type == ClassType::view && words != views.end();
      if (!is_view || cls.info.order_tells) continue;
      cls.info.order_tells = view_order_tells(words->second, telling);
      if (cls.info.order_tells) is_new = telling.insert(lower(cls.info.name)).second || is_new;
    }
  }
}

}  // namespace gantry::data
