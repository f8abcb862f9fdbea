// resources/resources.hpp: the contents of a class's resources, and the classes that have any.
//
// Contents come from the operations of gantry.data/1, so resources and tools show the same. Any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/service.hpp"
#include "resources/resource_uri.hpp"

namespace gantry::data {

// The JSON text of get_schema, count_objects or get_sample_objects for the class. A class that the
// caller cannot see is not_found, with the nearest visible names.
Outcome<std::string> read_resource(Service& service, const Caller& caller,
                                   std::string_view class_name, ResourcePart part);

// The classes visible to this caller, sorted by name.
Outcome<std::vector<std::string>> visible_class_names(Service& service, const Caller& caller);

// The names that begin with `prefix`, ignoring ASCII case.
std::vector<std::string> names_that_begin(const std::vector<std::string>& names,
                                          std::string_view prefix);

}  // namespace gantry::data
