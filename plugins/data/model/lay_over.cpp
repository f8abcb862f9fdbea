#include "model/lay_over.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "catalog/column_type.hpp"
#include "catalog/floor.hpp"

namespace gantry::data::model {
namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

// SQLite ignores the case of names; an exact spelling is preferred.
template <class List>
auto* find_name(List& list, std::string_view name) {
  const auto exact = std::find_if(list.begin(), list.end(),
                                  [name](const auto& item) { return item.name == name; });
  const auto same = std::find_if(list.begin(), list.end(),
                                 [name](const auto& item) { return same_name(item.name, name); });
  const auto found = exact != list.end() ? exact : same;
  return found == list.end() ? nullptr : &*found;
}

// "`a`,`b`": primary-key columns of a WITHOUT ROWID table, used in place of rowid.
std::string key_of(const ClassInfo& table) {
  std::string key;
  for (const std::size_t at : table.id_fields) {
    key += (key.empty() ? "" : ",") + table.fields[at].column;
  }
  return key;
}

// The class of documents that one JSON column of `table` holds.
ClassInfo as_documents(ClassInfo info, const std::string& column) {
  const std::string key = key_of(info);
  info.document = column;
  info.fields.clear();
  info.id_form = info.rowid.empty() ? IdForm::none : IdForm::rowid;
  if (info.without_rowid) info.rowid = key;
  info.id_fields.clear();
  info.created_at.reset();
  info.updated_at.reset();
  info.strict = false;
  return info;
}

class Layers {
 public:
  Layers(const Model& model, std::vector<ClassInfo> classes)
      : model_(model), tables_(std::move(classes)) {}

  ModelResult run() {
    for (const ModelClass& cls : model_.classes) describe(cls);
    for (ClassInfo& table : tables_) {
      if (described_.count(table.name) == 0) result_.classes.push_back(std::move(table));
    }
    leave_out_doubles();
    for (ClassInfo& cls : result_.classes) follow(cls);
    return std::move(result_);
  }

 private:
  void describe(const ModelClass& cls) {
    const ClassInfo* table = find_name(tables_, cls.table);
    if (table == nullptr || is_hidden_class(table->name)) {
      return misfit(cls, "the database has no table " + quoted(cls.table));
    }
    described_.insert(table->name);
    if (is_hidden_class(cls.name)) {
      return misfit(cls, "no class can be called " + quoted(cls.name) + "; choose another name");
    }
    ClassInfo info = *table;
    if (!cls.document.empty()) {
      const Field* column = find_name(table->fields, cls.document);
      if (column == nullptr) {
        return misfit(cls, "the table " + quoted(table->name) + " has no column " +
                               quoted(cls.document) + ", which \"document\" names");
      }
      if (column->internal || is_internal_field(column->name)) {
        return misfit(cls, "the column " + quoted(cls.document) +
                               " is one of those that are never shown; keep documents in another");
      }
      info = as_documents(std::move(info), column->column);
    }
    info.name = cls.name;
    info.allow_collscan = cls.allow_collscan;
    names_of_[table->name].push_back(cls.document.empty() ? cls.name : "");
    files_[cls.name] = &cls;
    result_.classes.push_back(std::move(info));
  }

  // If two classes have one name, the described class is removed, with an error that names the
  // other table.
  void leave_out_doubles() {
    std::map<std::string, int> times;
    for (const ClassInfo& cls : result_.classes) ++times[cls.name];
    for (const auto& [name, count] : times) {
      const auto described = files_.find(name);
      if (count < 2 || described == files_.end()) continue;
      misfit(*described->second, "the class " + quoted(name) +
                                     " has the name of another table; call it something else, or "
                                     "describe that table under another name too");
      for (auto& [table, names] : names_of_) std::erase(names, name);
      const auto of_name = [&name = name](const ClassInfo& cls) { return cls.name == name; };
      result_.classes.erase(std::find_if(result_.classes.begin(), result_.classes.end(), of_name));
    }
  }

  // Foreign keys that refer to a described table refer to the model's name of it.
  void follow(ClassInfo& cls) const {
    for (Field& field : cls.fields) {
      if (field.kind != Kind::pointer || described_.count(field.target_class) == 0) continue;
      const auto names = names_of_.find(field.target_class);
      const bool is_one = names != names_of_.end() && names->second.size() == 1;
      if (is_one && !names->second.front().empty()) {
        field.target_class = names->second.front();
        continue;
      }
      field.kind = field.native;
      field.target_class.clear();
      field.target_field.clear();
    }
  }

  void misfit(const ModelClass& cls, const std::string& why) {
    result_.misfits.push_back(cls.file + ": " + why);
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
