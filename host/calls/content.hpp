// host/calls/content.hpp: MCP content blocks (mcp-wire: text, image, audio, resource,
// resource_link) made from what a plugin writes, and checked where it writes them whole.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host {

std::string text_block(std::string_view text);

// "image/…" and "audio/…" only; parameters and odd characters are refused.
bool is_media_type(std::string_view type);

// An image or audio block; `bytes` are raw and get encoded here.
std::string media_block(std::string_view mime_type, std::string_view bytes);

// One JSON object with a known "type" and that type's required members.
bool is_content_block(std::string_view json);

}  // namespace gantry::host
