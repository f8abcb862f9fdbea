// pipeline/walk.hpp: values at dotted paths inside documents. Pure functions.
#pragma once

#include <functional>

#include "pipeline/spec.hpp"
#include "values/value.hpp"

namespace gantry::data::pipeline {

// Through objects only; missing if an array or a scalar blocks the path.
const Value& value_at(const Value& document, const Path& path);
// Creates the objects on the path; replaces values that are not objects.
void set_at(Value& document, const Path& path, Value value);
// Does nothing if the path does not lead through objects.
void remove_at(Value& document, const Path& path);

// Visits every value at the path, through arrays; for an array at the path's end its elements.
// Numeric parts are array indexes. Missing fields are not visited.
void visit_values(const Value& document, const Path& path,
                  const std::function<void(const Value&)>& visit);

}  // namespace gantry::data::pipeline
