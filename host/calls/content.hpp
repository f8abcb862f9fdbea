// host/calls/content.hpp: makes MCP content blocks (text, image, audio, resource, resource_link)
// from a plugin's output, and checks blocks that the plugin wrote as JSON.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host {

std::string text_block(std::string_view text);

// An image or audio block; `bytes` are raw and get encoded here.
std::string media_block(std::string_view mime_type, std::string_view bytes);

// One entry of a resource's "contents"; `text`: the body as text, else as Base64.
std::string resource_entry(std::string_view uri, std::string_view mime_type, std::string_view body,
                           bool text);

// One JSON object with a known "type" and that type's required members.
bool is_content_block(std::string_view json);

}  // namespace gantry::host
