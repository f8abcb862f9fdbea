// tools/gantry/model/files.hpp: the files of a model, as far as an audit reads them.
//
// The data engine checks a model; an audit also reads files that the engine refuses. Any thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::cli {

// A field that still says "decide".
struct Undecided {
  std::string field, what, reason;  // secret or personal; empty: no reason is given
};

// It has more than twelve members: one for each part of a file that the audit looks at.
struct ModelFile {
  std::string file, cls, table;
  bool is_document = false, is_hidden = false, is_visible = false;
  bool is_described = false;
  std::set<std::string> described_fields;
  std::vector<Undecided> undecided;
  std::optional<std::vector<std::string>> agent_fields, agent_join_fields;
  std::string canonical_filter;                // JSON; empty: none
  std::map<std::string, std::string> renamed;  // pointers by their columns
};

// Errors: GANTRY_INVALID_ARGUMENT, a file that is no JSON object with a class, or cannot be read.
Result<std::vector<ModelFile>> read_model_files(const std::string& directory);

}  // namespace gantry::cli
