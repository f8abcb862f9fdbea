// model/model.hpp: the operator's description of classes, from a directory of JSON files.
//
// One class a file, NAME.json:
//
//   {"class": "c", "table": "c", "document": "doc", "allow_collscan": true}
//
// `class` is the name that agents use. `table` holds its rows; default: the class's name.
// `document` is the column that holds each object as relaxed Extended JSON; it makes the class a
// document class, where any field is allowed. `allow_collscan` permits full scans of this class
// where the operator refuses them (refuse_collscan). Ignored: files that do not end in .json or
// begin with a dot, and subdirectories.
//
// Limits: 1 MiB a file. Reading files is the only side effect; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::data::model {

struct ModelClass {
  std::string file;  // for error messages
  std::string name;
  std::string table;
  std::string document;  // empty: a class with columns
  bool allow_collscan = false;
};

struct Model {
  std::vector<ModelClass> classes;  // sorted by file name
};

// GANTRY_INVALID_ARGUMENT, the operator's fault: names the file, the error, and the line if the
// text is not JSON. An unknown key is refused: an operator could rely on it for protection.
Result<Model> read_model(const std::string& directory);

// Parses one file's text; `file` is for error messages.
Result<ModelClass> parse_class(const std::string& file, std::string_view text);

// The files that read_model() would read, in order; errors: the directory cannot be listed.
Result<std::vector<std::string>> model_files(const std::string& directory);

}  // namespace gantry::data::model
