// gantry/content.hpp: MCP content blocks, for the messages of prompts and for Call::block().
//
//   gantry::image("image/png", bytes)
//   call.block(gantry::resource_link("notes://today", "Today").json)
//
// Media and blobs are given as raw bytes and encoded here as Base64. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/detail/base64.hpp>
#include <gantry/json_writer.hpp>

namespace gantry {

// One complete content block.
struct Block {
  std::string json;
};

namespace detail {

template <class Fill>
Block make_block(std::string_view type, Fill fill) {
  Block block;
  JsonWriter out(block.json);
  out.begin_object().key("type").string(type);
  fill(out);
  out.end_object();
  return block;
}

// Writes the members of resource contents: URI, type, and the body under "text" or "blob".
inline void write_contents(JsonWriter& out, std::string_view uri, std::string_view mime_type,
                           const char* body_name, std::string_view body) {
  if (!uri.empty()) out.key("uri").string(uri);
  if (!mime_type.empty()) out.key("mimeType").string(mime_type);
  out.key(body_name).string(body);
}

inline Block embedded(std::string_view uri, std::string_view mime_type, const char* body_name,
                      std::string_view body) {
  return make_block("resource", [&](JsonWriter& out) {
    out.key("resource").begin_object();
    write_contents(out, uri, mime_type, body_name, body);
    out.end_object();
  });
}

inline Block media_block(std::string_view type, std::string_view mime_type,
                         std::string_view bytes) {
  return make_block(type, [&](JsonWriter& out) {
    out.key("data").string(to_base64(bytes)).key("mimeType").string(mime_type);
  });
}

}  // namespace detail

inline Block text(std::string_view text) {
  return detail::make_block("text", [&](JsonWriter& out) { out.key("text").string(text); });
}
inline Block image(std::string_view mime_type, std::string_view bytes) {
  return detail::media_block("image", mime_type, bytes);
}
inline Block audio(std::string_view mime_type, std::string_view bytes) {
  return detail::media_block("audio", mime_type, bytes);
}

// An embedded resource; `uri` need not be readable.
inline Block text_resource(std::string_view uri, std::string_view mime_type,
                           std::string_view body) {
  return detail::embedded(uri, mime_type, "text", body);
}
inline Block blob_resource(std::string_view uri, std::string_view mime_type,
                           std::string_view bytes) {
  return detail::embedded(uri, mime_type, "blob", detail::to_base64(bytes));
}

// A link to a resource that the client may read.
inline Block resource_link(std::string_view uri, std::string_view name,
                           std::string_view description = {}) {
  return detail::make_block("resource_link", [&](JsonWriter& out) {
    out.key("uri").string(uri).key("name").string(name);
    if (!description.empty()) out.key("description").string(description);
  });
}

}  // namespace gantry
