// sdk/contract/catalog_answer.hpp: the JSON that gantry.catalog/1 gives.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "sdk/contract/manifest.hpp"

namespace gantry::contract {

// Whether a method is shown with the names of the arguments that it takes.
enum class MethodKeys { hidden, shown };

// Appends `item` of the plugin `plugin` to the open array `json`.
void append_catalog_item(std::string& json, const Item& item, std::string_view plugin,
                         MethodKeys keys = MethodKeys::hidden);

// The explanation of an item that the caller may use, and of one that it may not.
inline constexpr std::string_view kAllowed = R"({"allowed":true})";
// `details`: a JSON object, or empty.
std::string not_allowed(std::string_view error_code, std::string_view reason,
                        std::string_view details = {});
// The answer for a name that no item of this kind has.
std::string not_offered(std::string_view kind);

}  // namespace gantry::contract
