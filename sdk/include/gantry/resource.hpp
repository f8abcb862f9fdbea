// gantry/resource.hpp: the arguments and answers of handlers of resources and templates.
//
//   offer.resource("notes://today", "today", "Today's notes.", [] { return read_file("today"); })
//       .mime_type("text/plain").subscribe();
//   offer.resource_template("notes://{day}", "notes", "The notes of a day.",
//       [](const gantry::Reading& what) { return notes_of(what.variable("day")); })
//       .lists(all_days).complete("day", days_like);
//
// A handler has one of the forms in offer.hpp; its Args is Reading. It returns Contents, or text,
// which becomes one content of the item's type, or a Result of these. For a URI without a resource
// it returns a Status of GANTRY_NOT_FOUND; an answer without contents is an error of the plugin. A
// resource that this caller may not read is "not found" too, so that its existence is not revealed.
// MCP: resources/read. Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/content.hpp>
#include <gantry/json.hpp>

namespace gantry {

// The resource being read.
struct Reading {
  // As the client wrote it. A template's handler gets only URIs that the template matches.
  std::string uri;
  // For templates: the variables, percent-decoded and valid UTF-8. They come from the client: a
  // value such as ".." or "%2F" decoded to "/" is possible, so check it before it becomes part of a
  // path.
  std::map<std::string, std::string, std::less<>> variables;

  // "" if the template has no such variable; a variable itself is never empty.
  // A copy that belongs to the caller. Errors: none.
  std::string variable(std::string_view name) const {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  }

  // Parses the arguments of the kinds "resource" and "resource_template" (ABI.md). Handlers need
  // not call it: a Reading parameter is read for them.
  static Result<Reading> from_arguments(const Json& json) {
    const std::optional<Json> uri = json.find("uri");
    if (!uri || !uri->is_string()) return Status::invalid("uri is missing");
    Reading out{*uri->as_string(), {}};
    const std::optional<Json> variables = json.find("variables");
    if (!variables) return out;
    for (const auto& [name, value] : variables->members()) {
      out.variables.emplace(name, value.as_string().value_or(std::string(value.text())));
    }
    return out;
  }
};

// The answer of a resource: one content, or several, as for a folder. Functions return the object,
// for chaining; together the contents may have 4 MiB unless the operator says otherwise.
//
//   gantry::Contents folder;
//   for (const Note& note : notes) folder.text(note.body, "text/markdown", note.uri);
//   return folder.ttl(std::chrono::minutes(1));
class Contents {
 public:
  // A content of text (UTF-8; each invalid byte becomes U+FFFD). Default `uri`: the one being read;
  // default `mime_type`: the item's. In an answer with several contents give each its own URI.
  Contents& text(std::string_view body, std::string_view mime_type = {},
                 std::string_view uri = {}) {
    return add(uri, mime_type, "text", body);
  }
  // A content of bytes, sent as Base64.
  Contents& blob(std::string_view bytes, std::string_view mime_type = {},
                 std::string_view uri = {}) {
    return add(uri, mime_type, "blob", detail::to_base64(bytes));
  }
  // How long a client may cache the content; overrides the item's ttl. 0: not at all.
  Contents& ttl(std::chrono::milliseconds time) { return ttl_ = time, *this; }

  // The answer as the JSON object {contents, ttlMs?}.
  // The answer as the JSON object of its kind, a new text each time.
  std::string structured() const {
    std::string text;
    JsonWriter out(text);
    out.begin_object().key("contents").raw("[" + contents_ + "]");
    if (ttl_) out.key("ttlMs").number(ttl_->count());
    out.end_object();
    return text;
  }

 private:
  // Empty `uri` and `mime_type` are left out: the host fills in the defaults.
  Contents& add(std::string_view uri, std::string_view mime_type, const char* body_name,
                std::string_view body) {
    JsonWriter out(contents_.empty() ? contents_ : contents_ += ',');
    out.begin_object();
    detail::write_contents(out, uri, mime_type, body_name, body);
    out.end_object();
    return *this;
  }
  std::string contents_;
  std::optional<std::chrono::milliseconds> ttl_;
};

// A resource that a template lists; `uri` must match the template, and `name` is for people. Empty
// members are left out.
struct Listed {
  std::string uri, name;
  std::string title = {}, description = {}, mime_type = {};
  // In bytes, if it is known without reading the resource.
  std::optional<std::uint64_t> size = {};
  // MCP annotations: a JSON object with audience, priority or lastModified, or empty.
  std::string annotations = {};

  void write(JsonWriter& out) const {
    out.begin_object().key("uri").string(uri).key("name").string(name);
    if (!title.empty()) out.key("title").string(title);
    if (!description.empty()) out.key("description").string(description);
    if (!mime_type.empty()) out.key("mimeType").string(mime_type);
    if (size) out.key("size").number(*size);
    if (!annotations.empty()) out.key("annotations").raw(annotations);
    out.end_object();
  }
};

// The answer of lists(). Clients see these resources beside the fixed ones.
struct Listing {
  std::vector<Listed> resources;

  std::string structured() const {
    std::string text;
    JsonWriter out(text);
    out.begin_object().key("resources").begin_array();
    for (const Listed& resource : resources) resource.write(out);
    out.end_array().end_object();
    return text;
  }
};

}  // namespace gantry
