// plan/typed_stages.hpp: converts a pipeline as agents write it to the types of its documents.
//
// While a root field is still that of the class:
//   - a pointer field's condition may contain bare ids, or pointers with members in any order: both
//     become conditions on its objectId;
//   - a date field's condition may contain ISO texts: they become dates;
//   - $lookup and $graphLookup may join a pointer field with an objectId;
//   - excluding _id also excludes objectId and vice versa: they are two names of one field.
// Everything else stays unchanged. Sub-pipelines are converted for their own classes. Pure.
#pragma once

#include "values/value.hpp"
#include "view/class_view.hpp"
#include "view/scope.hpp"

namespace gantry::data {

struct BoundStages {
  Value stages;
  bool owns_id = false;  // _id at the end is not only the alias of objectId
};

// `stages` is an array; it need not be valid otherwise. `cls` null: the fields are unknown.
BoundStages bind_literals(const Value& stages, const ClassView* cls, const Scope& scope);

}  // namespace gantry::data
