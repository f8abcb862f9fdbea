// ops/typed_stages.hpp: a pipeline as agents write it, in terms of the documents it runs over.
//
// While a root field is still the class's own:
//   - a pointer field's condition may name bare ids or pointers in any order of members: both
//   become
//     conditions on its objectId;
//   - a date field's condition may name ISO texts: they become dates;
//   - $lookup and $graphLookup may join a pointer field with an objectId;
//   - leaving out _id leaves out objectId, and the other way round: they are two names of one
//   field.
// Everything else stays as it is. Sub-pipelines are read in terms of their own classes. Pure.
#pragma once

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "values/value.hpp"

namespace gantry::data {

struct TypedStages {
  Value stages;
  bool owns_id = false;  // _id at the end is not (only) the alias of objectId
};

// `stages` is an array that need not be valid otherwise; `cls` null: nothing is known.
TypedStages type_stages(const Value& stages, const ClassInfo* cls, const Scope& scope);

}  // namespace gantry::data
