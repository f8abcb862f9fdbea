// plan/typing/typed_stages.hpp: converts a pipeline as agents write it to the names and types of
// its documents.
//
//   - objectId, _id, createdAt and updatedAt stand for the columns that they mean, until a stage
//     makes fields of these names. $project keeps the id unless it is excluded, as MongoDB does;
//   - a pointer is the key that it equals; a path below it is followed by a $lookup before the
//     stage, whose field is removed again;
//   - literals beside dates and keys become dates and keys (literals.hpp);
//   - what surely was not meant adds a warning.
//
// Everything else stays unchanged, and invalid stages are left for their parser to refuse.
// Sub-pipelines are converted for their own classes. Throws QueryError for paths that lead nowhere.
#pragma once

#include "plan/typing/type.hpp"
#include "plan/typing/warnings.hpp"

namespace gantry::data {

struct TypedStages {
  Value stages;
  typing::TypePtr documents;  // what comes out
};

// `stages` is an array; it need not be valid otherwise. `cls` null: the fields are unknown.
TypedStages typed_stages(const Value& stages, const ClassView* cls, const Scope& scope,
                         Warnings& warnings);

}  // namespace gantry::data
