// gantry/schema/metaschema.hpp: the JSON Schema 2020-12 documents that describe schemas.
#pragma once

#include <optional>
#include <string_view>

namespace gantry::schema {

// The URI of the only supported dialect.
inline constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

// The text of the metaschema or vocabulary document with this URI (without fragment); empty for a
// URI outside of the dialect. The text lives as long as the program. Any thread.
std::optional<std::string_view> metaschema(std::string_view uri);

}  // namespace gantry::schema
