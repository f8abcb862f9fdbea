// gantry/schema/metaschema.hpp: the JSON Schema 2020-12 documents that describe schemas.
//
// They are part of the library, without titles and comments, so that schemas can refer to them and
// schemas can be checked like other values: a Validator of {"$ref": kDialect} accepts what is a
// schema by the standard. Validator::compile() is stricter: it also resolves references and
// patterns.
#pragma once

#include <optional>
#include <string_view>

namespace gantry::schema {

// The URI of the only supported dialect.
inline constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

// The text of the metaschema or vocabulary document with this URI (without fragment): the dialect
// itself, or one of its vocabularies such as ".../draft/2020-12/meta/core". Empty for a URI outside
// of the dialect. The text lives as long as the program. Any thread.
std::optional<std::string_view> metaschema(std::string_view uri);

}  // namespace gantry::schema
