// core/light_catalog.hpp: the host's list of tools, reduced to one line per tool.
#pragma once

#include <string>
#include <string_view>

namespace discovery {

// {"tools":[{name, category, description}],"categories":{name: line}} from the host's items.
// `category` keeps only one (ASCII case is ignored; unknown: no tools); empty keeps all.
std::string light_catalog(std::string_view items, std::string_view category);

}  // namespace discovery
