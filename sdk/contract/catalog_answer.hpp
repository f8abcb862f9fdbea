// sdk/contract/catalog_answer.hpp: the JSON that gantry.catalog/1 gives.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "sdk/contract/manifest.hpp"

namespace gantry::contract {

// Appends `item` of the plugin `plugin` to the open array `json`.
void append_catalog_item(std::string& json, const Item& item, std::string_view plugin);

// The explanation of an item that the caller may use, and of one that it may not.
inline constexpr std::string_view kAllowed = R"({"allowed":true})";
std::string not_allowed(std::string_view error_code, std::string_view reason);
// Of a name that no item of this kind has.
std::string not_offered(std::string_view kind);

}  // namespace gantry::contract
