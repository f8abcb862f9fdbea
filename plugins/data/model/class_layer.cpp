#include "model/class_layer.hpp"

#include <algorithm>

#include "catalog/column_sample.hpp"
#include "catalog/column_type.hpp"
#include "catalog/document_table.hpp"
#include "catalog/floor.hpp"
#include "catalog/well_known.hpp"
#include "model/key_reader.hpp"

namespace gantry::data::model {
namespace {

void state(const ModelField& described, Field& field) {
  field.description = described.description;
  if (described.allowed.empty()) return;
  field.allowed = described.allowed;
  field.allowed_descriptions = described.allowed_descriptions;
}

class Layer {
 public:
  Layer(const ModelClass& cls, const ClassInfo& table) : cls_(cls), info_(table) {}

  ClassInfo run() {
    info_.name = cls_.name;
    info_.allow_collscan = cls_.allow_collscan;
    cls_.document.empty() ? over_columns() : become_documents();
    ClassRules rules = cls_.rules;
    rules.storage_names = std::move(storage_names_);
    info_.rules = std::make_shared<const ClassRules>(std::move(rules));
    return std::move(info_);
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const {
    model::refuse(cls_, key, why);
  }

  void over_columns() {
    for (const std::string& name : cls_.allow_internal) {
      column_of("allow_internal", name).internal = false;
    }
    for (const ModelPointer& pointer : cls_.pointers) point(pointer);
    if (!cls_.id_field.empty()) identify();
    info_.stated_created_at = state_date("created_at", cls_.created_at);
    info_.stated_updated_at = state_date("updated_at", cls_.updated_at);
    find_timestamps(info_);
    for (const auto& [name, described] : cls_.fields) describe(name, described);
    if (!cls_.search.empty()) limit_search();
  }

  // The class of documents that one JSON column holds.
  void become_documents() {
    refuse_keys_of_columns();
    const Field& column = column_of("document", cls_.document);
    if (column.internal || is_internal_field(column.name)) {
      refuse("document", "the column " + quoted(cls_.document) +
                             " is one of those that are never shown; keep documents in another");
    }
    data::become_documents(info_, column);
    for (const auto& [name, described] : cls_.fields) {
      Field field;
      field.name = name;
      state(described, field);
      info_.stated.push_back(std::move(field));
    }
  }

  void refuse_keys_of_columns() const {
    const std::pair<const char*, bool> given[] = {
        {"pointers", !cls_.pointers.empty()},     {"id_field", !cls_.id_field.empty()},
        {"created_at", !cls_.created_at.empty()}, {"updated_at", !cls_.updated_at.empty()},
        {"search", !cls_.search.empty()},         {"allow_internal", !cls_.allow_internal.empty()}};
    for (const auto& [key, is_given] : given) {
      if (!is_given) continue;
      refuse(key, '"' + std::string(key) +
                      "\" describes columns and has no effect beside \"document\"; remove it");
    }
  }

  // The column of that name; refuses one that does not exist.
  Field& column_of(const std::string& key, const std::string& name) {
    const Field* const found = find_column(info_, name);
    if (found == nullptr) {
      const std::string which = key == "document" ? ", which \"document\" names" : "";
      refuse(key, "the table " + quoted(cls_.table) + " has no column " + quoted(name) + which);
    }
    return info_.fields[static_cast<std::size_t>(found - info_.fields.data())];
  }

  // The position of the field of that name, as agents spell it; refuses an internal one.
  std::size_t field_of(const std::string& key, const std::string& name) const {
    const Field* const found = info_.find(name);
    if (found == nullptr || found->internal) {
      refuse(key, "the class " + quoted(cls_.name) + " has no field " + quoted(name) +
                      " that can be shown");
    }
    return static_cast<std::size_t>(found - info_.fields.data());
  }

  void point(const ModelPointer& pointer) {
    const std::string key = "pointers." + pointer.name;
    const Field& field = column_of(key, pointer.column);
    if (field.internal || is_internal_field(pointer.name)) {
      refuse(key, "the column " + quoted(pointer.column) + " is one of those that are never shown");
    }
    if (pointer.target_class.empty() && field.kind != Kind::pointer) {
      refuse(key, "the column " + quoted(pointer.column) +
                      " has no foreign key; say which class it points to: \"target_class\"");
    }
    if (field.name == pointer.name) return;
    const Field* const taken = find_column(info_, pointer.name);
    if (taken != nullptr && taken != &field) {
      refuse(key, "the table has another column " + quoted(pointer.name) +
                      "; call the pointer something else");
    }
    rename(std::string(field.name), pointer.name);
  }

  void rename(const std::string& column, const std::string& name) {
    storage_names_.emplace(column, name);
    for (Field& field : info_.fields) {
      if (field.name == column) field.name = name;
    }
    const auto rename_in = [&](std::vector<std::string>& names) {
      for (std::string& one : names) {
        if (same_name(one, column)) one = name;
      }
    };
    for (Index& index : info_.indexes) rename_in(index.fields);
    for (SearchIndex& index : info_.searches) rename_in(index.fields);
  }

  void identify() {
    info_.id_fields = {field_of("id_field", cls_.id_field)};
    info_.id_form = IdForm::column;
  }

  std::string state_date(const std::string& key, const std::string& name) {
    if (name.empty()) return name;
    Field& field = info_.fields[field_of(key, name)];
    if (field.kind == Kind::pointer) refuse(key, "the pointer " + quoted(name) + " is no date");
    field.stated_date = true;
    ColumnSample().refine(field);
    return name;
  }

  void describe(const std::string& name, const ModelField& described) {
    const std::string key = "fields." + name;
    const bool is_common = name == kObjectId || is_date_role(name);
    if (is_common && info_.find(name) == nullptr) {
      refuse(key, quoted(name) + " is no column of the table; describe the column itself");
    }
    const Field* const found = info_.find(name);
    if (found == nullptr || found->internal) return;  // check_names() refuses it
    Field& field = info_.fields[field_of(key, name)];
    check_enum(name, described, field);
    state(described, field);
  }

  void check_enum(const std::string& name, const ModelField& described, const Field& field) const {
    const Kind kind = field.kind == Kind::pointer ? field.native : field.kind;
    for (const Literal& value : described.allowed) {
      const bool is_text = std::holds_alternative<std::string>(value);
      const bool fits = is_text ? kind != Kind::integer && kind != Kind::number
                                : kind != Kind::string && kind != Kind::date;
      if (fits) continue;
      refuse("fields." + name + ".enum", "the field " + quoted(name) + " is a " +
                                             std::string(kind_name(kind)) + "; the enum has a " +
                                             (is_text ? "string" : "number"));
    }
  }

  // Leaves only indexes whose fields are all among those that the model states.
  void limit_search() {
    for (const std::string& name : cls_.search) field_of("search", name);
    const auto is_stated = [this](const std::string& field) {
      return std::find(cls_.search.begin(), cls_.search.end(), field) != cls_.search.end();
    };
    std::erase_if(info_.searches, [&](const SearchIndex& index) {
      return !std::all_of(index.fields.begin(), index.fields.end(), is_stated);
    });
    for (const std::string& name : cls_.search) {
      const bool is_indexed =
          std::any_of(info_.searches.begin(), info_.searches.end(), [&](const SearchIndex& index) {
            return std::find(index.fields.begin(), index.fields.end(), name) != index.fields.end();
          });
      if (is_indexed) continue;
      refuse("search", "no full-text index (FTS5) over fields of \"search\" alone has the field " +
                           quoted(name) + "; make one, or remove the field");
    }
  }

  const ModelClass& cls_;
  ClassInfo info_;
  std::map<std::string, std::string> storage_names_;
};

}  // namespace

const Field* find_column(const ClassInfo& cls, std::string_view name) {
  if (const Field* const exact = cls.find(name)) return exact;
  const auto same = std::find_if(cls.fields.begin(), cls.fields.end(), [name](const Field& field) {
    return same_name(field.name, name);
  });
  return same == cls.fields.end() ? nullptr : &*same;
}

ClassInfo described_class(const ModelClass& cls, const ClassInfo& table) {
  return Layer(cls, table).run();
}

}  // namespace gantry::data::model
