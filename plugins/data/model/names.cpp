#include "model/names.hpp"

#include <rapidjson/document.h>

#include <algorithm>

#include <gantry/schema/nearest.hpp>

#include "catalog/floor.hpp"
#include "model/class_layer.hpp"
#include "model/key_reader.hpp"

namespace gantry::data::model {
namespace {

struct Named {
  std::string key, name;
};
using AllNamed = std::vector<Named>;

void add_all(const std::string& key, const std::vector<std::string>& names, AllNamed& all) {
  for (const std::string& name : names) all.push_back({key, name});
}

std::string root_of(const std::string& path) { return path.substr(0, path.find('.')); }

// The fields of a filter's conditions on the class itself, the whole name and not its root: a
// column's name may hold a dot.
void add_filter(const Json& filter, AllNamed& all) {
  for (const auto& member : filter.GetObject()) {
    const std::string name(text_of(member.name));
    if (!name.starts_with('$')) {
      all.push_back({"canonical_filter", name});
    } else if (member.value.IsArray()) {  // $and, $or, $nor
      for (const Json& part : member.value.GetArray()) {
        if (part.IsObject()) add_filter(part, all);
      }
    }
  }
}

AllNamed filter_names(const ModelClass& cls) {
  AllNamed all;
  if (cls.rules.canonical_filter.empty()) return all;
  rapidjson::Document filter;
  filter.Parse(cls.rules.canonical_filter.data(), cls.rules.canonical_filter.size());
  add_filter(filter, all);
  return all;
}

// All but those of the filter and of the ACL.
AllNamed listed_names(const ModelClass& cls) {
  AllNamed all;
  const ClassRules& rules = cls.rules;
  for (const auto& [name, field] : cls.fields) all.push_back({"fields." + name, name});
  if (rules.agent_fields) add_all("agent_fields", *rules.agent_fields, all);
  if (rules.agent_join_fields) add_all("agent_join_fields", *rules.agent_join_fields, all);
  add_all("large_fields", rules.large_fields, all);
  if (rules.tenant) all.push_back({"tenant_scope.field", rules.tenant->field});
  for (const auto& [group, names] : rules.protected_fields) {
    add_all("protected_fields." + group, names, all);
  }
  if (!rules.class_permissions) return all;
  constexpr std::string_view kField = "field:";
  for (const auto& [operation, entries] : *rules.class_permissions) {
    for (const std::string& entry : entries) {
      if (!entry.starts_with(kField)) continue;
      all.push_back({"class_permissions." + operation, entry.substr(kField.size())});
    }
  }
  return all;
}

AllNamed acl_names(const ModelClass& cls) {
  AllNamed all;
  if (!cls.rules.acl) return all;
  if (!cls.rules.acl->read.empty()) all.push_back({"acl.read", cls.rules.acl->read});
  if (!cls.rules.acl->write.empty()) all.push_back({"acl.write", cls.rules.acl->write});
  return all;
}

bool is_common(const std::string& name) { return name == kObjectId || is_date_role(name); }

bool is_allowed_internal(const ModelClass& cls, const std::string& name) {
  return std::find(cls.allow_internal.begin(), cls.allow_internal.end(), name) !=
         cls.allow_internal.end();
}

bool resolves(const ClassInfo& info, const std::string& name) {
  return is_common(name) || info.find(name) != nullptr || info.find(root_of(name)) != nullptr;
}

std::string nearest_field(const ClassInfo& info, const std::string& name) {
  const auto storage = info.rules->storage_names.find(name);
  if (storage != info.rules->storage_names.end()) return storage->second;
  std::vector<std::string> names;
  for (const Field& field : info.fields) {
    if (!field.internal) names.push_back(field.name);
  }
  const auto near = schema::nearest(name, names);
  return near ? std::string(*near) : "";
}

void check_shown(const ModelClass& cls, const ClassInfo& info, const Named& one) {
  const std::string root = root_of(one.name);
  const Field* const field = info.find(root);
  const bool is_internal = field != nullptr
                               ? field->internal
                               : is_internal_field(root) && !is_allowed_internal(cls, root);
  if (!is_internal) return;
  const std::string remedy =
      may_be_allowed(root) && cls.document.empty()
          ? "; if it holds no secret here, say \"allow_internal\": [\"" + root + "\"]"
          : "; remove it";
  refuse(cls, one.key, "'" + one.name + "' is one of the columns that are never shown" + remedy);
}

void check_filter(const ModelClass& cls, const Named& one) {
  const auto& allowed = cls.rules.agent_fields;
  const auto names = [&](const std::string& name) {
    return std::find(allowed->begin(), allowed->end(), name) != allowed->end();
  };
  if (!allowed || is_common(one.name) || names(one.name) || names(root_of(one.name))) return;
  refuse(cls, one.key,
         "the filter uses '" + one.name +
             "', which is not in agent_fields; a filter that agents may switch off "
             "must use fields that they may see");
}

void check_large(const ModelClass& cls, const ClassInfo& info) {
  for (const std::string& name : cls.rules.large_fields) {
    const Field* const field = info.find(name);
    if (field == nullptr || field->kind != Kind::pointer) continue;
    refuse(cls, "large_fields", "'" + name + "' is a pointer, which is never large");
  }
}

}  // namespace

std::vector<Unresolved> unresolved_names(const ModelClass& cls, const ClassInfo& info) {
  std::vector<Unresolved> unresolved;
  if (!info.document.empty()) return unresolved;
  AllNamed all = listed_names(cls);
  for (const Named& one : filter_names(cls)) all.push_back(one);
  for (const Named& one : acl_names(cls)) all.push_back(one);
  for (const Named& one : all) {
    if (resolves(info, one.name)) continue;
    unresolved.push_back({one.key, one.name, nearest_field(info, one.name)});
  }
  return unresolved;
}

std::string sentence(const Unresolved& one, const ModelClass& cls) {
  return "'" + one.name + "' is no field of '" + cls.name + "'" +
         (one.nearest.empty() ? "" : "; did you mean '" + one.nearest + "'?");
}

void check_names(const ModelClass& cls, const ClassInfo& info) {
  const AllNamed filter = filter_names(cls);
  for (const Named& one : listed_names(cls)) check_shown(cls, info, one);
  for (const Named& one : filter) check_shown(cls, info, one);
  const auto unresolved = unresolved_names(cls, info);
  if (!unresolved.empty()) {
    refuse(cls, unresolved.front().key, sentence(unresolved.front(), cls));
  }
  for (const Named& one : filter) check_filter(cls, one);
  check_large(cls, info);
}

}  // namespace gantry::data::model
