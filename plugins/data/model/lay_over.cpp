#include "model/lay_over.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gantry/schema/nearest.hpp>

#include "catalog/column_type.hpp"
#include "catalog/document_table.hpp"
#include "catalog/floor.hpp"
#include "model/class_layer.hpp"
#include "model/key_reader.hpp"
#include "model/names.hpp"

namespace gantry::data::model {
namespace {

// SQLite ignores the case of names; an exact spelling is preferred.
const ClassInfo* find_table(const std::vector<ClassInfo>& tables, std::string_view name) {
  const auto exact = std::find_if(tables.begin(), tables.end(),
                                  [name](const ClassInfo& one) { return one.name == name; });
  const auto same = std::find_if(tables.begin(), tables.end(), [name](const ClassInfo& one) {
    return same_name(one.name, name);
  });
  const auto found = exact != tables.end() ? exact : same;
  return found == tables.end() ? nullptr : &*found;
}

// A table that Gantry made for documents holds them whether the description says so or not.
ModelClass with_document(const ModelClass& cls, const ClassInfo& table) {
  ModelClass whole = cls;
  const Field* const column = own_document_column(table);
  if (column != nullptr && whole.document.empty()) whole.document = column->name;
  return whole;
}

// "" if none is near.
std::string nearest_table(const std::vector<ClassInfo>& tables, std::string_view name) {
  std::vector<std::string_view> names;
  for (const ClassInfo& table : tables) {
    if (!is_store_class(table.name)) names.push_back(table.name);
  }
  const auto near = schema::nearest(name, names);
  return near ? "; did you mean " + quoted(std::string(*near)) + "? The key \"table\" names it"
              : "";
}

class Layers {
 public:
  Layers(const Model& model, std::vector<ClassInfo> classes)
      : model_(model), tables_(std::move(classes)) {}

  ModelResult run() {
    for (const ModelClass& cls : model_.classes) take(cls);
    for (ClassInfo& table : tables_) {
      if (described_.count(table.name) != 0) continue;
      if (const Field* const column = own_document_column(table)) become_documents(table, *column);
      result_.classes.push_back(std::move(table));
    }
    leave_out_doubles();
    for (ClassInfo& cls : result_.classes) follow(cls);
    declare_pointers();
    return std::move(result_);
  }

 private:
  void take(const ModelClass& cls) {
    try {
      describe(cls);
    } catch (const BadModel& bad) {
      result_.misfits.push_back(bad.sentence);
    }
  }

  void describe(const ModelClass& cls) {
    const ClassInfo* const table = find_table(tables_, cls.table);
    if (table == nullptr || is_store_class(table->name)) {
      refuse(cls, "table",
             "the database has no table " + quoted(cls.table) + nearest_table(tables_, cls.table));
    }
    described_.insert(table->name);
    const bool opens = cls.rules.hidden == ClassRules::Hidden::no && is_hidden_class(table->name);
    if (is_hidden_class(table->name) && !opens) {
      refuse(cls, "table",
             "the table " + quoted(cls.table) +
                 " is hidden by default; say \"hidden\": false to open it");
    }
    if (is_store_class(cls.name) || (is_hidden_class(cls.name) && !opens)) {
      refuse(cls, "class", "no class can be called " + quoted(cls.name) + "; choose another name");
    }
    const ModelClass whole = with_document(cls, *table);
    ClassInfo info = described_class(whole, *table);
    check_names(whole, info);
    if (opens) open(cls, "the table " + quoted(table->name) + ", which is hidden by default");
    for (const std::string& column : cls.allow_internal) {
      open(cls, "the column " + quoted(column) + ", which is hidden by default");
    }
    names_of_[table->name].push_back(whole.document.empty() ? cls.name : "");
    files_[cls.name] = &cls;
    result_.classes.push_back(std::move(info));
  }

  void open(const ModelClass& cls, const std::string& what) {
    result_.opened.push_back("security: " + cls.file + " opens to agents " + what);
  }

  // If two classes have one name, the described class is removed, with an error that names the
  // other table.
  void leave_out_doubles() {
    std::map<std::string, int> times;
    for (const ClassInfo& cls : result_.classes) ++times[cls.name];
    for (const auto& [name, count] : times) {
      const auto described = files_.find(name);
      if (count < 2 || described == files_.end()) continue;
      result_.misfits.push_back(place_of(*described->second, "class") + ": the class " +
                                quoted(name) +
                                " has the name of another table; call it something else, or "
                                "describe that table under another name too");
      for (auto& [table, names] : names_of_) std::erase(names, name);
      const auto of_name = [&name = name](const ClassInfo& cls) { return cls.name == name; };
      result_.classes.erase(std::find_if(result_.classes.begin(), result_.classes.end(), of_name));
      files_.erase(described);
    }
  }

  // Foreign keys that refer to a described table refer to the model's name of it, and of its key.
  void follow(ClassInfo& cls) const {
    for (Field& field : cls.fields) {
      if (field.kind != Kind::pointer || described_.count(field.target_class) == 0) continue;
      const auto names = names_of_.find(field.target_class);
      const bool is_one = names != names_of_.end() && names->second.size() == 1;
      const ClassInfo* const target = is_one ? class_named(names->second.front()) : nullptr;
      const Field* const key = target != nullptr ? key_of(*target) : nullptr;
      if (key != nullptr && is_key_called(*target, *key, field.target_field)) {
        field.target_class = target->name;
        field.target_field = key->name;
        continue;
      }
      field.kind = field.native;
      field.target_class.clear();
      field.target_field.clear();
    }
  }

  // Whether the column that a foreign key names is the key, perhaps under the name of a pointer.
  static bool is_key_called(const ClassInfo& target, const Field& key, const std::string& column) {
    const auto renamed = target.rules->storage_names.find(column);
    const bool is_renamed = renamed != target.rules->storage_names.end();
    return same_name(key.name, is_renamed ? renamed->second : column);
  }

  const ClassInfo* class_named(const std::string& name) const {
    const auto found = std::find_if(result_.classes.begin(), result_.classes.end(),
                                    [&](const ClassInfo& cls) { return cls.name == name; });
    return found == result_.classes.end() ? nullptr : &*found;
  }

  static const Field* key_of(const ClassInfo& cls) {
    const bool has_key = cls.id_form == IdForm::column && cls.document.empty();
    return has_key ? &cls.fields[cls.id_fields.front()] : nullptr;
  }

  // The pointers with a target class in the model; a class with a bad one is left out.
  void declare_pointers() {
    for (const ModelClass& described : model_.classes) {
      const auto file = files_.find(described.name);
      if (file == files_.end() || file->second != &described) continue;
      try {
        for (const ModelPointer& pointer : described.pointers) declare(described, pointer);
      } catch (const BadModel& bad) {
        result_.misfits.push_back(bad.sentence);
        std::erase_if(result_.classes,
                      [&](const ClassInfo& cls) { return cls.name == described.name; });
      }
    }
  }

  void declare(const ModelClass& described, const ModelPointer& pointer) {
    if (pointer.target_class.empty()) return;
    const std::string key = "pointers." + pointer.name;
    const ClassInfo* const target = class_named(pointer.target_class);
    if (target == nullptr) {
      refuse(described, key, "there is no class " + quoted(pointer.target_class));
    }
    const Field* const id = key_of(*target);
    if (id == nullptr) {
      refuse(described, key,
             "the class " + quoted(pointer.target_class) +
                 " has no key of one column that a pointer could hold");
    }
    const auto cls = std::find_if(result_.classes.begin(), result_.classes.end(),
                                  [&](const ClassInfo& one) { return one.name == described.name; });
    for (Field& field : cls->fields) {
      if (field.name != pointer.name) continue;
      if (field.kind != Kind::pointer) field.native = field.kind;
      field.kind = Kind::pointer;
      field.target_class = target->name;
      field.target_field = id->name;
    }
  }

  const Model& model_;
  std::vector<ClassInfo> tables_;
  ModelResult result_;
  std::set<std::string> described_;                           // tables
  std::map<std::string, std::vector<std::string>> names_of_;  // classes by table; "": documents
  std::map<std::string, const ModelClass*> files_;            // by class
};

}  // namespace

ModelResult apply_model(const Model& model, std::vector<ClassInfo> classes) {
  return Layers(model, std::move(classes)).run();
}

}  // namespace gantry::data::model
