#include "tools/gantry/model/audit.hpp"

#include <algorithm>
#include <set>

#include <gantry/json_writer.hpp>
#include <gantry/schema/nearest.hpp>

namespace gantry::cli {
namespace {

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_common_field(const std::string& name) {
  return name == "objectId" || name == "createdAt" || name == "updatedAt";
}

const ClassDescription* table_of(const std::vector<ClassDescription>& classes,
                                 const std::string& name) {
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const ClassDescription& cls) { return cls.name == name; });
  return found == classes.end() ? nullptr : &*found;
}

// The fields by the names that agents see.
Names fields_of(const ClassDescription& table, const ModelFile* file) {
  Names names;
  for (const ClassField& field : table.fields) {
    const bool is_renamed = file != nullptr && file->renamed.count(field.name) > 0;
    names.push_back(is_renamed ? file->renamed.at(field.name) : field.name);
  }
  return names;
}

class Audit {
 public:
  explicit Audit(const std::vector<ClassDescription>& classes) : classes_(classes) {}

  ModelAudit run(const std::vector<ModelFile>& files) {
    std::set<std::string> tables;
    const bool some = std::any_of(files.begin(), files.end(),
                                  [](const ModelFile& file) { return file.is_visible; });
    audit_.visible_classes_declared = some;
    for (const ModelFile& file : files) {
      tables.insert(file.table);
      for (const Undecided& one : file.undecided) {
        audit_.undecided_fields.push_back({file.file, file.cls, one});
      }
      const bool is_left_out = file.is_hidden || (some && !file.is_visible);
      if (!is_left_out && !file.cls.starts_with('_')) look_at(file);
    }
    for (const ClassDescription& cls : classes_) {
      if (some || tables.count(cls.name) > 0 || cls.name.starts_with('_')) continue;
      look_at_undescribed(cls);
    }
    auto& missing = audit_.missing_class_descriptions;
    std::sort(missing.begin(), missing.end());
    return std::move(audit_);
  }

 private:
  void look_at(const ModelFile& file) {
    ++audit_.classes_audited;
    if (!file.is_described) audit_.missing_class_descriptions.push_back(file.cls);
    if (!file.canonical_filter.empty()) {
      audit_.canonical_filter_summary[file.cls] = file.canonical_filter;
    }
    const ClassDescription* const table = table_of(classes_, file.table);
    if (table == nullptr && !file.is_document) return;
    const Names fields = table == nullptr ? Names() : fields_of(*table, &file);
    look_at_fields(file, fields);
    if (file.is_document) return;
    look_at_entries(file, fields);
    note_key(file, *table);
  }

  // Of a class of documents only the fields that the allowlist names are known.
  void look_at_fields(const ModelFile& file, const Names& fields) {
    const Names none;
    const Names& seen = file.agent_fields ? *file.agent_fields : file.is_document ? none : fields;
    for (const std::string& name : seen) {
      const bool exists = file.is_document || holds(fields, name);
      if (!exists || is_common_field(name) || file.described_fields.count(name) > 0) continue;
      audit_.missing_field_descriptions[file.cls].push_back(name);
    }
  }

  void look_at_entries(const ModelFile& file, const Names& fields) {
    std::set<std::string> told;
    for (const auto* const list : {&file.agent_fields, &file.agent_join_fields}) {
      if (!*list) continue;
      for (const std::string& name : **list) {
        if (is_common_field(name) || holds(fields, name) || !told.insert(name).second) continue;
        const auto near = schema::nearest(name, fields);
        audit_.unresolvable_allowlist_entries[file.cls].push_back(
            {name, near ? std::string(*near) : std::string()});
      }
    }
  }

  void look_at_undescribed(const ClassDescription& cls) {
    ++audit_.classes_audited;
    audit_.missing_class_descriptions.push_back(cls.name);
    const Names fields = fields_of(cls, nullptr);
    if (!fields.empty()) audit_.missing_field_descriptions[cls.name] = fields;
  }

  void note_key(const ModelFile& file, const ClassDescription& table) {
    const auto renamed = file.renamed.find(table.id_field);
    const std::string key = renamed == file.renamed.end() ? table.id_field : renamed->second;
    if (!file.agent_fields || key.empty() || is_common_field(key) ||
        holds(*file.agent_fields, key)) {
      return;
    }
    audit_.notes.push_back("The key '" + key + "' of " + file.cls +
                           " is not in agent_fields; agents see it as objectId");
  }

  const std::vector<ClassDescription>& classes_;
  ModelAudit audit_;
};

void write_names(JsonWriter& json, const Names& names) {
  json.begin_array();
  for (const std::string& name : names) json.string(name);
  json.end_array();
}

void write_unresolvable(JsonWriter& json, const ModelAudit& audit) {
  json.key("unresolvable_allowlist_entries").begin_object();
  for (const auto& [cls, entries] : audit.unresolvable_allowlist_entries) {
    json.key(cls).begin_array();
    for (const Unresolvable& entry : entries) {
      json.begin_object().key("field").string(entry.field);
      if (!entry.nearest.empty()) json.key("nearest").string(entry.nearest);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_undecided(JsonWriter& json, const ModelAudit& audit) {
  json.key("undecided_fields").begin_array();
  for (const auto& [file, cls, one] : audit.undecided_fields) {
    json.begin_object().key("file").string(file).key("class").string(cls);
    json.key("field").string(one.field).key("decide").string(one.what);
    if (!one.reason.empty()) json.key("reason").string(one.reason);
    json.end_object();
  }
  json.end_array();
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace

ModelAudit audited(const std::vector<ModelFile>& files,
                   const std::vector<ClassDescription>& classes) {
  return Audit(classes).run(files);
}

std::string json_of(const ModelAudit& audit) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("classes_audited").number(audit.classes_audited);
  json.key("visible_classes_declared").boolean(audit.visible_classes_declared);
  json.key("missing_class_descriptions");
  write_names(json, audit.missing_class_descriptions);
  json.key("missing_field_descriptions").begin_object();
  for (const auto& [cls, names] : audit.missing_field_descriptions) {
    json.key(cls);
    write_names(json, names);
  }
  json.end_object();
  write_unresolvable(json, audit);
  json.key("canonical_filter_summary").begin_object();
  for (const auto& [cls, filter] : audit.canonical_filter_summary) json.key(cls).raw(filter);
  json.end_object();
  if (!audit.undecided_fields.empty()) write_undecided(json, audit);
  if (!audit.notes.empty()) {
    json.key("notes");
    write_names(json, audit.notes);
  }
  json.end_object();
  return text;
}

std::string text_of(const ModelAudit& audit) {
  std::string text = "Classes audited: " + std::to_string(audit.classes_audited) +
                     (audit.visible_classes_declared ? " (those marked visible)\n" : "\n");
  text += "Classes without description: " + joined(audit.missing_class_descriptions) + "\n";
  text += "Fields without description:";
  if (audit.missing_field_descriptions.empty()) text += " none";
  for (const auto& [cls, names] : audit.missing_field_descriptions) {
    text += "\n  " + cls + ": " + joined(names);
  }
  text += "\nAllowlist entries that no field has:";
  if (audit.unresolvable_allowlist_entries.empty()) text += " none";
  for (const auto& [cls, entries] : audit.unresolvable_allowlist_entries) {
    for (const Unresolvable& entry : entries) {
      text += "\n  " + cls + ": " + entry.field +
              (entry.nearest.empty() ? "" : "; did you mean " + entry.nearest + "?");
    }
  }
  text += "\nCanonical filters:";
  if (audit.canonical_filter_summary.empty()) text += " none";
  for (const auto& [cls, filter] : audit.canonical_filter_summary) {
    text += "\n  " + cls + ": " + filter;
  }
  text += "\nFields to be decided before gantryd takes the model:";
  if (audit.undecided_fields.empty()) text += " none";
  for (const auto& [file, cls, one] : audit.undecided_fields) {
    text += "\n  " + file + ": " + cls + "." + one.field + ": " + one.what +
            (one.reason.empty() ? "" : ", " + one.reason);
  }
  text += "\n";
  for (const std::string& note : audit.notes) text += note + "\n";
  return text;
}

}  // namespace gantry::cli
