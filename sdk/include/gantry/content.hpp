// gantry/content.hpp: MCP content blocks, for the messages of prompts and for Call::block().
//
//   gantry::image("image/png", bytes)
//   call.block(gantry::resource_link("notes://today", "Today").json)
//
// Media and blobs are given as raw bytes and encoded here as Base64 (RFC 4648), which adds a third
// to their size; an answer has at most 4 MiB unless the operator says otherwise. Texts are UTF-8:
// each invalid byte becomes U+FFFD. Types and URIs are not checked here. For a tool's own text and
// media Call::text() and Call::media() are shorter and need no Block.
//
// Values that own their text; any thread.
//
// Errors: none here, and no exception but that of memory that runs out. A block that is not a
// content block is refused by Call::block() with GANTRY_INVALID_ARGUMENT, the plugin's fault; one
// that is too large is GANTRY_TOO_BIG (call.hpp).
#pragma once

#include <string>
#include <string_view>

#include <gantry/detail/base64.hpp>
#include <gantry/json_writer.hpp>

namespace gantry {

// One complete content block: a JSON object with a "type". A block made elsewhere, such as one from
// Sampled::content (input.hpp), can be passed on as Block{json}.
struct Block {
  // The block owns its text. Nothing refers to the arguments that it was made from.
  std::string json;
};

namespace detail {

// A block of a type; `fill` writes its other members.
// `fill` gets the writer with the object open. It writes whole members and leaves the object open.
template <class Fill>
Block make_block(std::string_view type, Fill fill) {
  Block block;
  JsonWriter out(block.json);
  out.begin_object().key("type").string(type);
  fill(out);
  out.end_object();
  return block;
}

// Writes the members of resource contents: URI, type, and the body under "text" or "blob". Empty
// ones but the body are left out.
inline void write_contents(JsonWriter& out, std::string_view uri, std::string_view mime_type,
                           const char* body_name, std::string_view body) {
  if (!uri.empty()) out.key("uri").string(uri);
  if (!mime_type.empty()) out.key("mimeType").string(mime_type);
  out.key(body_name).string(body);
}

// A block of the type "resource" around contents.
inline Block embedded(std::string_view uri, std::string_view mime_type, const char* body_name,
                      std::string_view body) {
  return make_block("resource", [&](JsonWriter& out) {
    out.key("resource").begin_object();
    write_contents(out, uri, mime_type, body_name, body);
    out.end_object();
  });
}

// A block of the type "image" or "audio" with its bytes in Base64.
inline Block media_block(std::string_view type, std::string_view mime_type,
                         std::string_view bytes) {
  return make_block(type, [&](JsonWriter& out) {
    out.key("data").string(to_base64(bytes)).key("mimeType").string(mime_type);
  });
}

}  // namespace detail

// Text for the user or the model. In a message of a prompt a plain string does the same.
// A text of any length is one block.
inline Block text(std::string_view text) {
  return detail::make_block("text", [&](JsonWriter& out) { out.key("text").string(text); });
}
// An image or a sound: `mime_type` such as "image/png" or "audio/wav", `bytes` as in the file.
inline Block image(std::string_view mime_type, std::string_view bytes) {
  return detail::media_block("image", mime_type, bytes);
}
inline Block audio(std::string_view mime_type, std::string_view bytes) {
  return detail::media_block("audio", mime_type, bytes);
}

// An embedded resource: its contents travel with the message, so `uri` need not be readable; it
// tells the client what the contents are. An empty `mime_type` is left out.
inline Block text_resource(std::string_view uri, std::string_view mime_type,
                           std::string_view body) {
  return detail::embedded(uri, mime_type, "text", body);
}
// The same with bytes.
// Any bytes are allowed, also NUL; the client gets them as Base64 under "blob".
inline Block blob_resource(std::string_view uri, std::string_view mime_type,
                           std::string_view bytes) {
  return detail::embedded(uri, mime_type, "blob", detail::to_base64(bytes));
}

// A link to a resource that the client may read later, under its own permissions. Use it instead of
// an embedded resource if the content is large or may not be needed.
// `uri` need not be an item of this plugin. The client sees name and description before it reads,
// so they should describe the content.
inline Block resource_link(std::string_view uri, std::string_view name,
                           std::string_view description = {}) {
  return detail::make_block("resource_link", [&](JsonWriter& out) {
    out.key("uri").string(uri).key("name").string(name);
    if (!description.empty()) out.key("description").string(description);
  });
}

}  // namespace gantry
