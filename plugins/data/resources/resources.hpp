// resources/resources.hpp: what a class's resources hold, and of which classes there are any.
//
// Everything is asked of gantry.data/1's own operations, so a caller finds here what its tools
// show. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/service.hpp"
#include "resources/resource_uri.hpp"

namespace gantry::data {

// What one caller asks for: what it may spend, and the cap on the answer in bytes.
struct Reader {
  Service& service;
  const Budget& budget;
  std::size_t max_bytes = 4u << 20;
};

// The JSON text that get_schema, count_objects or get_sample_objects gives for the class. A class
// that this caller cannot see is not_found, with the nearest names it can see.
Outcome<std::string> read_resource(const Reader& reader, std::string_view class_name,
                                   ResourcePart part);

// The classes this caller sees, sorted by name.
Outcome<std::vector<std::string>> visible_class_names(const Reader& reader);

// Those that begin with `prefix`, without regard to ASCII case.
std::vector<std::string> names_that_begin(const std::vector<std::string>& names,
                                          std::string_view prefix);

}  // namespace gantry::data
