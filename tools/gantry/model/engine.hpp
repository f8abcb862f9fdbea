// tools/gantry/model/engine.hpp: the data engine's own description of a database.
//
// The plugin that offers gantry.data/1 runs in a fake host in this process, as in
// `gantry plugin test --db`. One thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "tools/gantry/plugin/database.hpp"

namespace gantry::cli {

struct ClassField {
  std::string name, type;
  std::string target_class;       // pointers: empty where the class is not visible
  std::vector<std::string> keys;  // of JSON
};

struct ClassDescription {
  std::string name;
  std::string id_field;            // empty: the objects have no ids
  std::vector<ClassField> fields;  // without objectId, createdAt and updatedAt, if not stored
};

class Engine {
 public:
  // Errors are those of Database::open().
  static Result<std::unique_ptr<Engine>> open(const DatabaseChoice& choice);

  // The visible classes, by name. Errors: the engine's sentence.
  Result<std::vector<ClassDescription>> classes();
  // Up to 100 objects; an empty array where they cannot be read.
  rapidjson::Document rows(const std::string& cls);
  // What the model's rules cost or hide without a word, a sentence each.
  Result<std::vector<std::string>> notes();
  // How many of these ids have objects.
  std::size_t found(const std::string& cls, const std::vector<std::string>& ids);

 private:
  explicit Engine(std::unique_ptr<Database> database) : database_(std::move(database)) {}
  // The named part of the operation's answer.
  Result<rapidjson::Document> ask(const std::string& request, const char* part);

  std::unique_ptr<Database> database_;
};

}  // namespace gantry::cli
