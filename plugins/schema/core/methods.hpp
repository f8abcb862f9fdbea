// core/methods.hpp: puts the methods of classes into what the schema operation says of them.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace schema_tools {

// `meta`: of one class, or {classes, …}. `methods`: the array of gantry.catalog/1, those that the
// agent may call. A class without any stays as it is.
std::string with_methods(std::string_view meta, std::string_view methods);

}  // namespace schema_tools
