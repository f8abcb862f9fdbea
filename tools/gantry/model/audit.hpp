// tools/gantry/model/audit.hpp: what a model leaves open, compared with its database.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tools/gantry/model/engine.hpp"
#include "tools/gantry/model/files.hpp"

namespace gantry::cli {

struct Unresolvable {
  std::string field;
  std::string nearest;  // empty: none is near
};

struct UndecidedField {
  std::string file, cls;
  Undecided what;
};

// Lists are sorted by class. Hidden classes and those whose names begin with '_' are not audited;
// where a file says "visible", only such classes are.
struct ModelAudit {
  std::size_t classes_audited = 0;
  bool visible_classes_declared = false;
  std::vector<std::string> missing_class_descriptions;
  // Of the allowlist, where there is one.
  std::map<std::string, std::vector<std::string>> missing_field_descriptions;
  std::map<std::string, std::vector<Unresolvable>> unresolvable_allowlist_entries;
  std::map<std::string, std::string> canonical_filter_summary;  // JSON
  std::vector<UndecidedField> undecided_fields;  // of hidden classes, too: gantryd refuses those
  std::vector<std::string> notes;                // what the rules cost or change, a sentence each
};

// `classes`: those of the database without the model.
ModelAudit audited(const std::vector<ModelFile>& files,
                   const std::vector<ClassDescription>& classes);

// {"classes_audited":…}: always the six members, then `undecided_fields` and `notes` if
// there are any.
std::string json_of(const ModelAudit& audit);
std::string text_of(const ModelAudit& audit);

}  // namespace gantry::cli
