// gantry/schema/metaschema.hpp: the JSON Schema 2020-12 documents that describe schemas.
#pragma once

#include <optional>
#include <string_view>

namespace gantry::schema {

// The name of the only dialect this library knows.
inline constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

// The text of the metaschema or vocabulary document with this URI (no fragment), or nothing when
// it is not one of the dialect's. The text lives as long as the program. Any thread.
std::optional<std::string_view> metaschema(std::string_view uri);

}  // namespace gantry::schema
