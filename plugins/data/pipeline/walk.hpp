// pipeline/walk.hpp: values at dotted paths inside documents. Pure functions.
#pragma once

#include <functional>

#include "pipeline/spec.hpp"
#include "values/value.hpp"

namespace gantry::data::pipeline {

// Through objects only; missing when an array or anything else is in the way.
const Value& value_at(const Value& document, const Path& path);
// Makes the objects on the way, in the place of what is none.
void set_at(Value& document, const Path& path, Value value);
// Leaves the document alone when the path does not lead through objects.
void remove_at(Value& document, const Path& path);

// Everything the path leads to, through arrays on the way; an array at its end gives its elements.
// Numeric parts are places in arrays. Missing fields give nothing.
void visit_values(const Value& document, const Path& path,
                  const std::function<void(const Value&)>& visit);

}  // namespace gantry::data::pipeline
