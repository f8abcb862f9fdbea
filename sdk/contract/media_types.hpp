// sdk/contract/media_types.hpp: the types of what a plugin writes.
//
// Pure functions; any thread.
#pragma once

#include <string_view>

namespace gantry::contract {

// The type of a tool's image or audio: "image/…" or "audio/…" without parameters.
bool is_media_type(std::string_view type);

// "type/subtype", perhaps with parameters; at most 255 bytes of visible ASCII and blanks.
bool is_mime_type(std::string_view type);

// True if bodies of this MIME type are text: text/*, JSON, XML and JavaScript.
bool is_text_type(std::string_view mime_type);

}  // namespace gantry::contract
