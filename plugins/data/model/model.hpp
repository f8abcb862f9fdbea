// model/model.hpp: the operator's description of classes, from a directory of JSON files.
//
// One class a file, NAME.json:
//
//   {"class": "c", "table": "c", "document": "doc", "allow_collscan": true}
//
// `class` is what agents call it; `table` is where its rows are, the class's name unless given;
// `document` is the column that holds each object as relaxed Extended JSON, which makes the class a
// document class: any field may be there. `allow_collscan` is for small classes: full scans of them
// are fine where the operator refuses scans (refuse_collscan). Files that do not end in .json, or
// begin with a dot, are nobody's concern, and so are directories below.
//
// Limits: a file has at most 1 MiB. Pure but for reading files; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::data::model {

struct ModelClass {
  std::string file;  // for messages
  std::string name;
  std::string table;
  std::string document;  // empty: a class with columns
  bool allow_collscan = false;
};

struct Model {
  std::vector<ModelClass> classes;  // in the order of their files' names
};

// GANTRY_INVALID_ARGUMENT, the operator's fault: names the file, the line where the text is no
// JSON, and what is wrong. A key that is not known is refused, for it would be taken to protect
// something.
Result<Model> read_model(const std::string& directory);

// One file's text; `file` is for messages.
Result<ModelClass> parse_class(const std::string& file, std::string_view text);

// The files that read_model() would read, in order, or why they cannot be listed.
Result<std::vector<std::string>> model_files(const std::string& directory);

}  // namespace gantry::data::model
