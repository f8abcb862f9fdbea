// ops/schema_ops.hpp: lists the classes, and describes one.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// get_all_schemas: {names?, prefix?} -> meta {total, built_in, custom, note?}.
Reply list_classes(const Request& request);

// get_schema: {class_name} -> meta {class_name, type, id_field?, fields, indexes, estimated_rows?,
// hints?}; {class_names} -> meta {classes: [the same without hints], hints?}.
Reply describe_class(const Request& request);

}  // namespace gantry::data
