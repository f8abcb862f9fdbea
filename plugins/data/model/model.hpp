// model/model.hpp: the operator's description of classes, from a directory of JSON files.
//
// One class a file, NAME.json:
//
//   {"class": "Order", "table": "orders", "description": "Orders since 2019",
//    "agent_fields": ["number", "status", "customer"],
//    "pointers": {"customer": {"column": "customer_id", "target_class": "Customer"}},
//    "canonical_filter": {"status": {"$ne": "draft"}}, "tenant_scope": {"field": "tenant_id"}}
//
// `class` is the name that agents use. `table` holds its rows; default: the class's name. All keys
// are described in schemas/model/class.schema.json; README.md has a table of them. Field names in a
// file are those that agents see. Ignored: files that do not end in .json or begin with a dot, and
// subdirectories.
//
// Limits: 1 MiB a file, 64 levels of nesting. Reading files is the only side effect; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "catalog/class_rules.hpp"
#include "catalog/field.hpp"

namespace gantry::data::model {

struct ModelField {
  std::string description;
  std::vector<Literal> allowed;                   // of "enum"; empty: not stated
  std::vector<std::string> allowed_descriptions;  // as many as `allowed`, or none
  // "secret" or "personal": the operator has not decided yet whether agents may see the field.
  // Empty: nothing is left to decide.
  std::string decide;
};

struct ModelPointer {
  std::string name;          // of the field, as agents see it
  std::string column;        // that holds the target's key
  std::string target_class;  // empty: that of the column's foreign key
};

// It has more than twelve members: the keys of one file.
struct ModelClass {
  std::string file;  // for error messages
  std::string name;
  std::string table;
  std::string document;  // empty: a class with columns
  bool allow_collscan = false;
  // Empty: by the database and the usual names.
  std::string id_field = {}, created_at = {}, updated_at = {};
  std::vector<std::string> search = {};          // the fields of its full-text indexes; empty: all
  std::vector<std::string> allow_internal = {};  // columns of the floor that are ordinary data here
  std::map<std::string, ModelField> fields = {};
  std::vector<ModelPointer> pointers = {};
  ClassRules rules = {};
  std::map<std::string, int> lines = {};  // of keys by their path, "fields.status.enum"
};

struct Model {
  std::vector<ModelClass> classes;  // sorted by file name
};

// GANTRY_INVALID_ARGUMENT, the operator's fault: names the file, the line and the error. An unknown
// key is refused: an operator could rely on it for protection. Fields marked "decide" are refused
// unless `accept_drafts`.
struct ReadOptions {
  bool accept_drafts = false;
};
Result<Model> read_model(const std::string& directory, ReadOptions options = {});

// Parses one file's text; `file` is for error messages.
Result<ModelClass> parse_class(const std::string& file, std::string_view text);

// The files that read_model() would read, in order; errors: the directory cannot be listed.
Result<std::vector<std::string>> model_files(const std::string& directory);

// "orders.json:7" for a key of the class's file, by its path; the file alone if the line is not
// known.
std::string place_of(const ModelClass& cls, const std::string& path);

// The first field marked "decide", as an error for the operator; ok: there is none.
Status undecided(const ModelClass& cls);

}  // namespace gantry::data::model
