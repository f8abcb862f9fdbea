#include "catalog/identity.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "catalog/column_type.hpp"
#include "catalog/well_known.hpp"

namespace gantry::data {
namespace {

bool alone_unique(const ClassInfo& info, const Field& field) {
  return std::any_of(info.indexes.begin(), info.indexes.end(), [&](const Index& index) {
    return index.unique && !index.partial && index.fields.size() == 1 &&
           same_name(index.fields[0], field.name);
  });
}

bool is_key(const RawClass& cls, std::size_t position) {
  return cls.primary_key.size() == 1 && cls.primary_key[0] == position;
}

// A unique column that allows NULL does not identify every row: only keys and NOT NULL columns are
// used.
std::optional<std::size_t> named_id(const RawClass& cls) {
  std::optional<std::size_t> best;
  int best_rank = 0;
  for (std::size_t i = 0; i < cls.info.fields.size(); ++i) {
    const Field& field = cls.info.fields[i];
    const auto rank = id_rank(field.name);
    if (!rank || field.internal || (best && *rank >= best_rank)) continue;
    if (is_key(cls, i) || (field.required && alone_unique(cls.info, field))) {
      best = i;
      best_rank = *rank;
    }
  }
  return best;
}

std::string key_field(const RawClass& target) {
  return target.primary_key.size() == 1 ? target.info.fields[target.primary_key[0]].name : "";
}

void resolve(ClassInfo& info, const ForeignKey& key, const RawClass& target) {
  const std::string wanted = key.target_field.empty() ? key_field(target) : key.target_field;
  if (target.info.id_form != IdForm::column) return;
  const Field& id = target.info.fields[target.info.id_fields[0]];
  if (!same_name(id.name, wanted)) return;
  for (auto& field : info.fields) {
    const bool is_taken = field.internal || field.kind == Kind::pointer;
    if (!same_name(field.name, key.field) || is_taken) continue;
    field.kind = Kind::pointer;
    field.target_class = target.info.name;
    field.target_field = id.name;
  }
}

}  // namespace

bool is_rowid_alias(const RawClass& cls) {
  if (cls.primary_key.size() != 1 || cls.info.without_rowid) return false;
  const Field& field = cls.info.fields[cls.primary_key[0]];
  const bool own_index =
      std::any_of(cls.info.indexes.begin(), cls.info.indexes.end(), [&](const Index& index) {
        return index.name.starts_with("sqlite_autoindex_") && index.fields.size() == 1 &&
               same_name(index.fields[0], field.name);
      });
  return same_name(field.declared, "INTEGER") && !own_index;
}

void choose_id(RawClass& cls) {
  ClassInfo& info = cls.info;
  const auto usable = [&](std::size_t i) { return !info.fields[i].internal; };
  if (info.type == ClassType::view) return;
  if (const auto named = named_id(cls)) {
    info.id_form = IdForm::column;
    info.id_fields = {*named};
  } else if (!cls.primary_key.empty() &&
             std::all_of(cls.primary_key.begin(), cls.primary_key.end(), usable)) {
    info.id_form = cls.primary_key.size() == 1 ? IdForm::column : IdForm::composite;
    info.id_fields = cls.primary_key;
  } else if (!info.rowid.empty()) {
    info.id_form = IdForm::rowid;
  }
}

void resolve_pointers(std::vector<RawClass>& classes) {
  std::unordered_map<std::string, const RawClass*> by_name;
  for (const auto& cls : classes) by_name.emplace(lower(cls.info.name), &cls);
  for (auto& cls : classes) {
    for (const auto& key : cls.foreign_keys) {
      const auto target = by_name.find(lower(key.target_table));
      if (target != by_name.end()) resolve(cls.info, key, *target->second);
    }
  }
}

}  // namespace gantry::data
